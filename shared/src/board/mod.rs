//! The board: its side, sets of squares of one row, queens, and the eight symmetries.

mod attacks;
mod class;
mod drawing;
mod lines;
#[cfg(feature = "alloc")]
pub mod notation;
mod orbit;
mod placement;
mod queens;
mod row_bits;
mod size;
mod square;
mod transform;

pub use attacks::Attacks;
pub use class::{Class, Stabiliser, images, representative};
pub(crate) use drawing::draw;
pub(crate) use lines::Lines;
pub use orbit::{Image, Orbit};
pub use placement::{Attack, JudgementValue, Line, Placement, PlacementError};
pub use queens::{Conflict, Queens, QueensError};
pub use row_bits::{Columns, RowBits, Subsets};
pub use size::{Size, SizeError};
pub use square::{Column, Square, SquareError};
pub use transform::Transform;
