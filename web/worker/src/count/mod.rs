//! A count in several workers: one leads, the others count what it deals out.
//!
//! | file | what |
//! |---|---|
//! | course.rs | a count from its order to its last line |
//! | bench.rs | what a worker does that counts |
//! | scales.rs | how long an order takes, from samples |
//! | leader.rs | the worker that leads: deals tasks, hears results, tells the page |
//! | hand.rs | a worker that counts, from both sides |
//! | browser.rs | what the leader asks the browser |
//! | lock.rs | that one page of the browser counts at a time |

mod bench;
mod browser;
mod course;
mod hand;
mod leader;
mod lock;
mod scales;

pub use bench::{SAMPLE, Work, Yield, milliseconds, shuffled};
pub use hand::{HAND, serve, serve_by};
pub use leader::{Event, Leader};
