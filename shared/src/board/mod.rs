//! The board: its side, sets of squares of one row, queens, and the eight symmetries.

mod attacks;
mod class;
mod lines;
mod placement;
mod queens;
mod row_bits;
mod size;
mod transform;

pub use attacks::Attacks;
pub use class::{Class, Stabiliser, images, representative};
pub(crate) use lines::Lines;
pub use placement::{Attack, JudgementValue, Line, Placement, PlacementError};
pub use queens::{Conflict, Queens, QueensError, Square};
pub use row_bits::RowBits;
pub use size::{Size, SizeError};
pub use transform::Transform;
