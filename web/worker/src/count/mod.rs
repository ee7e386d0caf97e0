//! Counting in a pool of workers: one worker coordinates, the others count the tasks that it
//! assigns.
//!
//! | file | what |
//! |---|---|
//! | task_runner.rs | counts tasks in one worker |
//! | coordinator.rs | the coordinator: assigns tasks, collects results, reports to the page |
//! | event.rs | the events that the coordinator handles |
//! | state.rs | the pending tasks, the finished rows, and the text from which a count resumes |
//! | saved_count.rs | the copy of the count in the browser's storage |
//! | watchers.rs | the requests of the page that watch the count |
//! | pool_worker.rs | a worker of the pool, and the coordinator's handle to it |
//! | browser.rs | the browser's functions for the coordinator |
//! | lock.rs | Web Locks: only one tab counts |

mod browser;
mod coordinator;
mod event;
mod lock;
mod pool_worker;
mod saved_count;
mod state;
mod task_runner;
mod watchers;

pub use coordinator::Coordinator;
pub use event::Event;
pub use pool_worker::{POOL_WORKER, serve, serve_with};
pub use state::GPU_FAILED;
pub use task_runner::{ISA, WorkerReply, WorkerRequest};
