//! The N-Queens problem: boards, masks, symmetries, methods, tasks and results.
//!
//! This crate does no input or output, reads no clock and starts no thread, so that the same
//! search runs in a web page, in a native command and, task by task, as the reference of GPU
//! kernels. Rows count from the top; bits and columns count from the RIGHT edge, as in the
//! pictures of the masks.
#![no_std]
#![cfg_attr(
    not(feature = "alloc"),
    allow(dead_code, reason = "searches below a prefix are there for plans, which need a heap")
)]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(test)]
extern crate std;

mod attacks;
mod class;
mod comparison;
mod completion;
mod counts;
#[cfg(feature = "document")]
pub mod document;
mod event;
#[cfg(feature = "alloc")]
pub mod halves;
pub mod known;
#[cfg(feature = "alloc")]
mod lock_step;
mod masks;
pub mod methods;
pub mod oracle;
mod placement;
#[cfg(feature = "alloc")]
mod plan;
#[cfg(feature = "alloc")]
mod played;
mod queens;
mod row_bits;
mod size;
#[cfg(feature = "alloc")]
mod timeline;
mod tracer;
mod transform;
mod tree;
mod turns;
mod view;
mod work;

pub use attacks::Attacks;
pub use class::{Class, Stabiliser, images, representative};
pub use comparison::{ComparedRow, Comparison, FullComparison, Outcome, SymmetryOps, Verdict};
pub use completion::{Completions, Consequence, Consequences, Search, Unit};
pub use counts::{BurnsideError, ClassCounts, Counts};
pub use event::{Event, Found, Observer, Step};
#[cfg(feature = "alloc")]
pub use lock_step::LockStep;
pub use masks::{Branching, CORNER_CUT, Cell, FirstQueen, Masks, Rule};
pub use methods::{Form, Method, Prefix, Trace, UnknownForm, UnknownMethod};
pub use placement::{Attack, JudgementValue, Line, Placement, PlacementError};
#[cfg(feature = "alloc")]
pub use plan::{Counter, Plan};
#[cfg(feature = "alloc")]
pub use played::{Moment, Played};
pub use queens::{Conflict, Queens, QueensError, Square};
pub use row_bits::RowBits;
pub use size::{Size, SizeError};
#[cfg(feature = "alloc")]
pub use timeline::{Previous, Seek, Timeline};
pub use tracer::Tracer;
pub use transform::Transform;
pub use tree::{Branch, Branches, Node, branches};
pub use turns::{half_turn, half_turn_from, quarter_turn};
pub use view::{Register, View};
pub use work::{Tally, Work};
