//! Counting: tasks of a plan done by a backend, their sum checked and written down.

mod backend;
mod checks;
mod choose;
mod cpu;
mod cuda;
mod devices;
mod error;
mod fastest;
pub mod gpu;
mod recount;
mod report;
mod runner;
mod wgpu;

pub use backend::Backend;
pub use checks::{Settled, Wrong, settle};
pub use choose::Wish;
pub use cpu::{Cpu, on_threads, workers_on_threads};
pub use devices::{GPUS, GpuBackend};
pub use error::BackendError;
pub use fastest::{Chosen, fastest};
pub use recount::recount;
pub use report::document;
pub use runner::{Done, Orders, RunError, Watch, run};

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use jiff::Timestamp;
use queens_core::{Form, Method, Plan, Size, Tally, document};

/// What to count.
#[derive(Clone, Copy, Debug)]
pub struct Job {
    /// The board.
    pub size: Size,
    /// The method.
    pub method: Method,
}

/// A finished count, not yet checked.
#[derive(Debug)]
pub struct Counted {
    /// What was counted.
    pub job: Job,
    /// What counted it.
    pub backend: document::Backend,
    /// The writing of the method that ran.
    pub form: Form,
    /// Threads of this process that were busy.
    pub threads: usize,
    /// Every task of the plan, in the plan's order.
    pub tasks: Vec<Done<Tally>>,
    /// The sum over all tasks.
    pub tally: Tally,
    /// When the count began.
    pub started: Timestamp,
    /// How long it took.
    pub took: Duration,
}

/// Counts all tasks of `plan`, which is that of the job.
///
/// # Errors
/// [`RunError`] if `watch` stopped the count, the backend failed, or the sum exceeds a `u64`.
pub fn count(
    job: Job,
    plan: Plan,
    backend: &dyn Backend,
    watch: Watch<'_>,
) -> Result<Counted, RunError> {
    let started = Timestamp::now();
    let clock = Instant::now();
    let mut tasks =
        run(backend.order(&plan), |orders| backend.start(Arc::new(plan), orders), watch)?;
    let took = clock.elapsed();
    tasks.sort_unstable_by_key(|done| done.task);
    let sum = tasks.iter().try_fold(Tally::default(), |sum, done| sum.checked_add(done.result));
    Ok(Counted {
        job,
        // Only now does it say which devices have failed on the way.
        backend: backend.record(),
        form: backend.form(),
        threads: backend.threads(),
        tally: sum.ok_or(RunError::TooMany)?,
        tasks,
        started,
        took,
    })
}
