//! A count with its progress, its checks and its document, as several commands need it.

use queens::{
    count::{self, Backend, Job, Settled},
    post::Client,
};
use queens_core::{Plan, document::Document};

use super::{failure::Failure, interrupt::Interrupt, progress::Progress, reporter::Reporter};

/// Counts and checks. Progress goes to stderr unless `quiet`, and to `server` if there is one.
///
/// # Errors
/// [`Failure`] if the count was interrupted or its numbers cannot be right.
pub fn counted(
    job: Job,
    backend: &dyn Backend,
    quiet: bool,
    server: Option<&Client>,
    interrupt: &Interrupt,
) -> anyhow::Result<(Document, Settled)> {
    let Job { size, method } = job;
    let plan = Plan::new(size, method);
    let tasks = plan.len();
    let mut progress = Progress::new(quiet, format!("N = {size}, {method}"), tasks, interrupt);
    let mut reporter = server.map(|client| Reporter::new(client.clone(), job, tasks, quiet));
    let counted = count::count(job, plan, backend, &mut |done| {
        if let Some(reporter) = &mut reporter {
            reporter.at(done);
        }
        progress.at(done)
    });
    progress.clear();
    if let Some(reporter) = reporter {
        reporter.end(counted.is_ok());
    }
    let wrong = |source| Failure::WrongCount { size, method, source };
    Ok(count::document(&counted.map_err(Failure::of_run)?).map_err(wrong)?)
}
