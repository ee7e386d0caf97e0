//! Counting: the tasks of a count, half-board matching, and the numbers of a board.

mod checks;
#[cfg(feature = "alloc")]
pub mod halves;
pub mod known;
mod numbers;
#[cfg(feature = "alloc")]
mod plan;
mod turns;

pub use checks::{Check, Checks};
pub use numbers::{BurnsideError, ClassCounts, Numbers};
#[cfg(feature = "alloc")]
pub use plan::{Counter, Plan};
pub use turns::{Turns, half_turn, half_turn_from, quarter_turn};
