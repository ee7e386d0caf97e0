//! From a finished count to its result document.

use queens_core::{
    Plan,
    document::{
        Backend, BackendKind, Check, Document, Format, Host, PlanRef, Program, Seconds, TaskTotal,
    },
};

use super::{Counted, Settled, Wrong, settle};
use crate::host;

/// Checks a count and writes it down.
///
/// # Errors
/// [`Wrong`] if the numbers contradict each other, Burnside's formula or the published values.
pub fn document(counted: &Counted) -> Result<(Document, Settled), Wrong> {
    let job = counted.job;
    let mut settled = settle(job.size, job.method, &counted.tally)?;
    let tasks = counted.tasks.iter().map(|done| {
        let total = done.result.total()?;
        Some(TaskTotal::new(u32::try_from(done.task).ok()?, total, done.took))
    });
    let tasks: Vec<TaskTotal> = tasks.collect::<Option<_>>().ok_or(Wrong::Overflow)?;
    let threads = u32::try_from(job.threads).unwrap_or(u32::MAX);
    let host = host::Host::ask();
    let detail = if threads == 1 { "1 thread".to_owned() } else { format!("{threads} threads") };
    let mut document = Document {
        format: Format::default(),
        n: job.size,
        total: settled.counts.total,
        unique: Some(settled.counts.unique),
        classes: settled.counts.classes,
        method: job.method,
        form: job.form,
        plan: PlanRef::new(Plan::VERSION, u32::try_from(tasks.len()).unwrap_or(u32::MAX)),
        backend: Backend::new(BackendKind::Cpu, host.cpu.clone(), detail),
        program: Program::new(
            env!("CARGO_PKG_NAME"),
            env!("CARGO_PKG_VERSION"),
            option_env!("QUEENS_COMMIT").unwrap_or(""),
        ),
        host: Host::new(host.os, host.cpu, threads),
        started: format!("{:.3}", counted.started),
        seconds: Seconds::from(counted.took),
        shard: None,
        tasks,
        checks: vec![],
        extra: Default::default(),
    };
    for check in document.check().map_err(Wrong::Contradictions)? {
        if !settled.checks.contains(&check) {
            settled.checks.push(check);
        }
    }
    settled.checks = Check::ALL.into_iter().filter(|c| settled.checks.contains(c)).collect();
    document.checks = settled.checks.iter().map(|check| check.id().to_owned()).collect();
    Ok((document, settled))
}
