//! Counting in a pool of workers: one worker coordinates, the others count the tasks that it
//! assigns. The state of the count and its time estimate are in `queens-state`.
//!
//! | file | what |
//! |---|---|
//! | bench.rs | counts and samples tasks in one worker |
//! | leader.rs | the coordinator: assigns tasks, collects results, reports to the page |
//! | hand.rs | a worker of the pool, and the coordinator's handle to it |
//! | browser.rs | what the coordinator needs from the browser |
//! | lock.rs | a Web Lock that allows only one counting page |

mod bench;
mod browser;
mod hand;
mod leader;
mod lock;

pub use bench::{SAMPLE, Work, Yield, shuffled};
pub use hand::{HAND, serve, serve_by};
pub use leader::{Event, Leader};
