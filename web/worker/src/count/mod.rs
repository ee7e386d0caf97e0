//! A count in several workers: one leads, the others count what it deals out. `queens-state` has the
//! state of the count and the estimate of its time.
//!
//! | file | what |
//! |---|---|
//! | bench.rs | what a worker does that counts |
//! | leader.rs | the worker that leads: deals tasks, hears results, tells the page |
//! | hand.rs | a worker that counts, from both sides |
//! | browser.rs | what the leader asks the browser |
//! | lock.rs | that one page of the browser counts at a time |

mod bench;
mod browser;
mod hand;
mod leader;
mod lock;

pub use bench::{SAMPLE, Work, Yield, shuffled};
pub use hand::{HAND, serve, serve_by};
pub use leader::{Event, Leader};
