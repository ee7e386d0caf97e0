//! A count with its progress, its checks and its document, as several commands need it.

use queens_core::{Plan, document::Document};

use super::{failure::Failure, interrupt::Interrupt, progress::Progress};
use crate::count::{self, Job, Settled};

/// Counts and checks.
///
/// # Errors
/// [`Failure`] if the count was interrupted or its numbers cannot be right.
pub fn counted(
    job: Job,
    quiet: bool,
    interrupt: &Interrupt,
) -> anyhow::Result<(Document, Settled)> {
    let Job { size, method, .. } = job;
    let plan = Plan::new(size, method);
    let mut progress = Progress::new(quiet, format!("N = {size}"), plan.len(), interrupt);
    let counted =
        count::count(job, plan, &mut |done| progress.at(done)).map_err(Failure::of_run)?;
    progress.clear();
    let wrong = |source| Failure::WrongCount { size, method, source };
    Ok(count::document(&counted).map_err(wrong)?)
}
