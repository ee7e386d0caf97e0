//! A count with its progress, its checks and its document, as several commands need it.

use std::sync::Arc;

use queens::{
    count::{self, Backend},
    post::Client,
};
use queens_core::{
    Numbers, Part, Plan, Turns,
    document::{Circumstances, Document, Shard},
    settle,
};

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
    let (part, circumstances) = counted_part(plan, None, backend, quiet, server, interrupt)?;
    let settled = settle(&part, Turns::of(size)).map_err(|source| Failure::WrongCount {
        size,
        method,
        source,
    })?;
    Ok((Document::of(&settled, circumstances), settled.numbers()))
}

/// The same for a shard.
///
/// # Errors
/// As for [`counted`].
pub fn counted_shard(
    plan: Plan,
    shard: &Shard,
    backend: &dyn Backend,
    quiet: bool,
    server: Option<&Client>,
    interrupt: &Interrupt,
) -> anyhow::Result<Document> {
    let (size, method) = (plan.size(), plan.method());
    let of = Some(shard);
    let (part, circumstances) = counted_part(plan, of, backend, quiet, server, interrupt)?;
    let document = Document::of_shard(&part, shard.clone(), circumstances);
    Ok(document.map_err(|found| Failure::WrongShard { size, method, found })?)
}

fn counted_part(
    plan: Plan,
    shard: Option<&Shard>,
    backend: &dyn Backend,
    quiet: bool,
    server: Option<&Client>,
    interrupt: &Interrupt,
) -> anyhow::Result<(Part, Circumstances)> {
    let mut part = Part::new(&plan);
    let tasks = (0..plan.len()).filter(|&task| shard.is_none_or(|shard| shard.has(task))).count();
    let mut name = format!("N = {}, {}", plan.size(), plan.method());
    if let Some(shard) = shard {
        name += &format!(", shard {}/{}", shard.index, shard.of);
    }
    let mut progress = Progress::new(quiet, name, tasks, interrupt);
    let mut reporter = server.map(|client| Reporter::new(client.clone(), &plan, tasks, quiet));
    let circumstances = count::count(Arc::new(plan), shard, &mut part, backend, &mut |done| {
        if let Some(reporter) = &mut reporter {
            reporter.at(done);
        }
        progress.at(done)
    });
    progress.clear();
    if let Some(reporter) = reporter {
        reporter.end(circumstances.is_ok());
    }
    Ok((part, circumstances.map_err(Failure::of_run)?))
}
