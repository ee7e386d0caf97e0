//! Counting: the tasks of a count, half-board matching, and the numbers of a board.

mod checks;
mod counts;
#[cfg(feature = "alloc")]
pub mod halves;
pub mod known;
#[cfg(feature = "alloc")]
mod plan;
mod turns;

pub use checks::{Check, Checks};
pub use counts::{BurnsideError, ClassCounts, Counts};
#[cfg(feature = "alloc")]
pub use plan::{Counter, Plan};
pub use turns::{half_turn, half_turn_from, quarter_turn};
