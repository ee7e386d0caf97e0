//! Counting in a pool of workers: one worker coordinates, the others count the tasks that it
//! assigns. The state of the count and its time estimate are in `queens-state`.
//!
//! | file | what |
//! |---|---|
//! | task_runner.rs | counts and samples tasks in one worker |
//! | coordinator.rs | the coordinator: assigns tasks, collects results, reports to the page |
//! | pool_worker.rs | a worker of the pool, and the coordinator's handle to it |
//! | browser.rs | the browser's functions for the coordinator |
//! | lock.rs | a Web Lock that allows only one counting page |

mod browser;
mod coordinator;
mod lock;
mod pool_worker;
mod task_runner;

pub use coordinator::{Coordinator, Event};
pub use pool_worker::{HAND, serve, serve_by};
pub use task_runner::{SAMPLE, WorkerReply, WorkerRequest, shuffled};
