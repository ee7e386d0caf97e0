//! From a finished count to its result document.

use queens_core::{
    Plan,
    document::{Document, Format, Host, PlanRef, Program, Seconds, TaskTotal},
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
    let threads = u32::try_from(counted.threads).unwrap_or(u32::MAX);
    let host = host::Host::ask();
    let mut document = Document {
        format: Format::default(),
        n: job.size,
        total: settled.numbers.total(),
        unique: Some(settled.numbers.unique()),
        classes: settled.numbers.classes(),
        method: job.method,
        form: counted.form,
        plan: PlanRef::new(Plan::VERSION, u32::try_from(tasks.len()).unwrap_or(u32::MAX)),
        backend: counted.backend.clone(),
        program: Program::new(
            env!("CARGO_PKG_NAME"),
            env!("CARGO_PKG_VERSION"),
            option_env!("QUEENS_COMMIT").unwrap_or(""),
        ),
        host: Host::new(host.os, host.cpu.as_str(), threads),
        started: format!("{:.3}", counted.started),
        seconds: Seconds::from(counted.took),
        shard: None,
        tasks,
        checks: vec![],
        extra: Default::default(),
    };
    settled.checks.extend(document.check().map_err(Wrong::Contradictions)?.iter());
    document.checks = settled.checks.iter().map(|check| check.id().to_owned()).collect();
    Ok((document, settled))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::{Backend, Cpu, Done, Job};
    use jiff::Timestamp;
    use queens_core::{Check, Form, Method, Size, Tally};
    use std::time::Duration;

    fn counted(classes: [u64; 4]) -> Counted {
        let job = Job { size: Size::new(4).unwrap(), method: Method::Symmetry };
        let backend = Cpu::new(1, Form::Recursive, Method::Symmetry);
        let tally = Tally { classes, ..Tally::default() };
        let took = Duration::from_millis(1);
        let tasks = vec![Done { task: 0, result: tally, took }];
        Counted {
            job,
            backend: backend.record(),
            form: backend.form(),
            threads: backend.threads(),
            tasks,
            tally,
            started: Timestamp::UNIX_EPOCH,
            took,
        }
    }

    #[test]
    fn a_right_count_becomes_a_document() {
        let (document, _) = document(&counted([0, 1, 0, 0])).unwrap();
        assert_eq!(document.contradictions(), []);
        assert_eq!(document.checks, ["sums", "burnside", "known"]);
        assert_eq!(document.started, "1970-01-01T00:00:00.000Z");
        assert_eq!(document.backend.detail, "1 thread");
    }

    #[test]
    fn a_count_that_only_the_known_value_contradicts_is_refused() {
        // Eight solutions too many go with every formula.
        let error = document(&counted([0, 1, 0, 1])).unwrap_err();
        let Wrong::Contradictions(found) = error else { panic!("{error}") };
        assert!(found.iter().all(|contradiction| contradiction.check() == Check::Known));
        assert_eq!(found[0].to_string(), "total: 10 contradicts the known value for N = 4, 2");
    }
}
