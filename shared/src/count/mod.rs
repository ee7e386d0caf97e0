//! Counts the solutions of a board. A plan divides the count into tasks, which are counted by a stepped
//! method or by the colour join. The final checks derive the total, unique and class counts.

mod checks;
#[cfg(feature = "alloc")]
pub mod colours;
#[cfg(feature = "alloc")]
mod counter;
#[cfg(feature = "alloc")]
mod finalize;
#[cfg(feature = "alloc")]
mod isa;
pub mod known;
#[cfg(feature = "alloc")]
pub mod material;
mod numbers;
#[cfg(feature = "alloc")]
mod partial;
#[cfg(feature = "alloc")]
mod plan;
#[cfg(feature = "alloc")]
mod ranges;
#[cfg(feature = "alloc")]
mod recount;
mod remaining;
#[cfg(feature = "alloc")]
mod sample;
#[cfg(feature = "alloc")]
mod task;
mod turns;

pub use checks::{Check, Checks};
pub use numbers::{BurnsideError, ClassCounts, Numbers};
pub use remaining::{Pace, remaining};
pub use turns::{Turns, half_turn, half_turn_from, quarter_turn};
#[cfg(feature = "alloc")]
pub use {
    counter::Counter,
    finalize::{CheckedCount, CountError, finalize},
    isa::{InstructionSet, Isa},
    partial::{Done, PartialCount},
    plan::Plan,
    ranges::{ranges, shortened},
    recount::{recount, recount_audit_set},
    sample::{Estimate, Sample, TaskSample, choose},
    task::{PlanId, TaskError},
};
