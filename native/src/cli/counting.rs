//! A count with its progress, its checks and its document, as several commands need it.

use std::sync::Arc;

use queens::{
    count::{self, Backend},
    post::Client,
};
use queens_core::{Numbers, Part, Plan, Turns, document::Document, settle};

use super::{failure::Failure, interrupt::Interrupt, progress::Progress, reporter::Reporter};

/// Counts all tasks of a plan and checks. Progress goes to stderr unless `quiet`, and to `server` if there is one.
///
/// # Errors
/// [`Failure`] if the count was interrupted or its numbers cannot be right.
pub fn counted(
    plan: Plan,
    backend: &dyn Backend,
    quiet: bool,
    server: Option<&Client>,
    interrupt: &Interrupt,
) -> anyhow::Result<(Document, Numbers)> {
    let (size, method) = (plan.size(), plan.method());
    let mut part = Part::new(&plan);
    let mut progress = Progress::new(quiet, format!("N = {size}, {method}"), plan.len(), interrupt);
    let mut reporter = server.map(|client| Reporter::new(client.clone(), &plan, quiet));
    let circumstances = count::count(Arc::new(plan), &mut part, backend, &mut |done| {
        if let Some(reporter) = &mut reporter {
            reporter.at(done);
        }
        progress.at(done)
    });
    progress.clear();
    if let Some(reporter) = reporter {
        reporter.end(circumstances.is_ok());
    }
    let circumstances = circumstances.map_err(Failure::of_run)?;
    let settled = settle(&part, Turns::of(size)).map_err(|source| Failure::WrongCount {
        size,
        method,
        source,
    })?;
    Ok((Document::of(&settled, circumstances), settled.numbers()))
}
