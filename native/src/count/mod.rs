//! Counting on the processor's threads.

mod checks;
mod recount;
mod report;
mod runner;

pub use checks::{Settled, Turns, Wrong, settle};
pub use recount::recount;
pub use report::document;
pub use runner::{Done, RunError, Watch, run};

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use jiff::Timestamp;
use queens_core::{Form, Method, Plan, Size, Tally};

/// What to count, and how.
#[derive(Clone, Copy, Debug)]
pub struct Job {
    /// The board.
    pub size: Size,
    /// The method.
    pub method: Method,
    /// The writing of the method.
    pub form: Form,
    /// The number of threads, at least 1.
    pub threads: usize,
}

/// A finished count, not yet checked.
#[derive(Debug)]
pub struct Counted {
    /// What was counted.
    pub job: Job,
    /// Every task of the plan, in the plan's order.
    pub tasks: Vec<Done<Tally>>,
    /// The sum over all tasks.
    pub tally: Tally,
    /// When the count began.
    pub started: Timestamp,
    /// How long it took.
    pub took: Duration,
}

/// Counts all tasks of `plan`.
///
/// # Errors
/// [`RunError`] if `watch` stopped the count, the threads cannot be started, or the sum exceeds a
/// `u64`.
pub fn count(job: Job, plan: Plan, watch: Watch<'_>) -> Result<Counted, RunError> {
    let started = Timestamp::now();
    let clock = Instant::now();
    let plan = Arc::new(plan);
    let ids = (0..plan.len()).collect();
    let work = move |task| plan.count(task, job.form);
    let done = run(job.threads, ids, work, watch)?;
    let mut tally = Tally::default();
    let mut tasks = Vec::with_capacity(done.len());
    for Done { task, result, took } in done {
        let result = result.ok_or(RunError::NoSuchTask(task))?;
        tally = tally.checked_add(result).ok_or(RunError::TooMany)?;
        tasks.push(Done { task, result, took });
    }
    Ok(Counted { job, tasks, tally, started, took: clock.elapsed() })
}
