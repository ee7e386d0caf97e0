//! Counting: backends that count the tasks of a plan, and collection of the results.

mod backend;
mod benchmark;
mod choose_backend;
mod cpu;
mod cuda;
mod default_method;
mod devices;
mod error;
pub mod gpu;
mod runner;
mod wgpu;

pub use backend::{Backend, SampleResult};
pub use benchmark::{Chosen, fastest};
pub use choose_backend::Reason;
pub use cpu::{Cpu, on_threads, workers_on_threads};
pub use default_method::CountRequest;
pub use devices::{GPUS, GpuBackend};
pub use error::BackendError;
pub use queens_core::Done;
pub use runner::{RunError, Sink, TaskQueue, Watch, run, run_into};

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use jiff::Timestamp;
use queens_core::{
    Method, PartialCount, Tally,
    document::{self, Circumstances},
};

use crate::{
    host::{self, Host},
    journal::{PartialTasks, Run},
};

/// Counts the tasks of `run` that are missing in `part`, which must belong to the same plan. Starts with
/// the tasks that have a partial result in `partials`.
///
/// Each result is added to `part` and passed to `save` within about 100 ms. `save` receives all finished tasks
/// even if the count is stopped or fails, unless the process itself is killed.
pub fn count(
    run: &Run,
    part: &mut PartialCount,
    partials: &PartialTasks,
    backend: &dyn Backend,
    save: Sink<'_, Tally>,
    watch: Watch<'_>,
) -> Result<Circumstances, RunError> {
    let started = host::now();
    let clock = Instant::now();
    let mut tasks = backend.order(&run.plan);
    tasks.retain(|&task| run.has(task) && !part.has(task));
    let before = partials.snapshot();
    tasks.sort_by_key(|task| !before.contains_key(task));
    let start = |task_queue| backend.start(Arc::clone(&run.plan), task_queue, partials.clone());
    let mut sink = |mut done: Done<Tally>| {
        let before = before.get(&done.task).map_or(Duration::ZERO, |before| before.took);
        done.took = done.took.saturating_add(before);
        part.add(done)?;
        save(done)
    };
    run_into(tasks, start, &mut sink, watch)?;
    Ok(circumstances(backend, run.plan.method(), started, clock.elapsed()))
}

/// Returns the description of a count for its result document.
///
/// Call this after the count, because the backend's record also names the devices that failed during the
/// count. A journal stores a preliminary description at the beginning of a session.
pub fn circumstances(
    backend: &dyn Backend,
    method: Method,
    started: Timestamp,
    took: Duration,
) -> Circumstances {
    let host = Host::get();
    let threads = u32::try_from(backend.threads()).unwrap_or(u32::MAX);
    Circumstances {
        form: backend.form(method),
        backend: backend.record(),
        program: program(),
        host: document::Host::new(host.os, host.cpu.as_str(), threads),
        started: format!("{started:.3}"),
        seconds: took.into(),
    }
}

/// Returns the name, version and commit of this program, as stored in documents.
pub fn program() -> document::Program {
    document::Program::new(
        env!("CARGO_PKG_NAME"),
        env!("CARGO_PKG_VERSION"),
        option_env!("QUEENS_COMMIT").unwrap_or(""),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        isa,
        journal::{Journal, Locking},
    };
    use queens_core::{
        CheckedCount, Form, Isa, Plan, Size, Turns,
        document::{Document, Shard},
        finalize,
    };
    use std::{cell::RefCell, ops::ControlFlow};

    #[test]
    fn a_count_resumes_from_a_partial_count() {
        let run = Run::whole(Plan::new(Size::new(9).unwrap(), Method::Symmetry));
        let mut part = PartialCount::new(&run.plan);
        let tally = run.plan.count(3, Form::Recursive).unwrap();
        part.add(Done { task: 3, result: tally, took: Duration::ZERO }).unwrap();
        let cpu = Cpu::new(2, Form::Recursive, Method::Symmetry);
        let mut never_stop = |_| ControlFlow::Continue(());
        let mut passed = vec![];
        let mut save = |done: Done<Tally>| {
            passed.push(done.task);
            Ok(())
        };
        let none = PartialTasks::default();
        let circumstances =
            count(&run, &mut part, &none, &cpu, &mut save, &mut never_stop).unwrap();
        passed.sort_unstable();
        assert!(passed.into_iter().eq((0..run.plan.len()).filter(|&task| task != 3)));
        let checked: CheckedCount<'_> = finalize(&part, Turns::of(run.plan.size())).unwrap();
        let document = Document::of(&checked, circumstances);
        assert_eq!((document.header.total, document.header.unique), (352, Some(46)));
        assert_eq!(document.contradictions(), []);
        assert_eq!(document.header.checks, ["sums", "burnside", "known"]);
        assert_eq!(document.header.backend.detail, "2 threads");
    }

    #[test]
    fn a_count_interrupted_within_tasks_gives_the_same_total() {
        let plan = Arc::new(Plan::new(Size::new(20).unwrap(), Method::Colours));
        // Enough tasks that no single session finishes all of them.
        let run = Run { plan, shard: Shard::new(5, 33) };
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("part.journal");
        let (mut sessions, mut resumed) = (0, 0);
        let part = loop {
            let mut journal = Journal::open_or_create(&file, &run, Locking::On).unwrap();
            assert_eq!(journal.try_lock().unwrap(), None);
            let mut part = journal.contents().finished_tasks.clone();
            if run.is_complete(&part) {
                break part;
            }
            resumed += journal.contents().partials.len();
            // Alternate the number of threads and the instruction set.
            let (threads, isa) = [(1, Isa::PORTABLE), (3, isa::best())][sessions % 2];
            let cpu = Cpu { threads, form: Form::Recursive, isa: Some(isa) };
            let partials = PartialTasks::with_interval(Duration::ZERO);
            let at_start = circumstances(&cpu, Method::Colours, host::now(), Duration::ZERO);
            journal.begin(at_start, Instant::now(), vec![], partials.clone()).unwrap();
            let journal = RefCell::new(journal);
            let mut save = |done| {
                journal.borrow_mut().add_task(done).unwrap();
                Ok(())
            };
            // The session ends once it has got further. Results that its threads still produce are discarded.
            let mut before = None;
            let mut stop = |_| {
                let now = partials.snapshot();
                if before.get_or_insert_with(|| now.clone()) == &now {
                    ControlFlow::Continue(())
                } else {
                    ControlFlow::Break(())
                }
            };
            let _ = count(&run, &mut part, &partials, &cpu, &mut save, &mut stop);
            sessions += 1;
            assert!(sessions < 500, "the journal keeps no results");
            // Every third session ends without releasing the journal, as after `kill -9`.
            if sessions % 3 > 0 {
                journal.into_inner().end(None).unwrap();
            }
        };
        println!("{sessions} sessions, {resumed} tasks resumed");
        assert!(sessions > 1 && resumed > 0);
        let cpu = Cpu::new(2, Form::Recursive, Method::Colours);
        let (mut whole, none) = (PartialCount::new(&run.plan), PartialTasks::default());
        let mut never_stop = |_| ControlFlow::Continue(());
        count(&run, &mut whole, &none, &cpu, &mut |_| Ok(()), &mut never_stop).unwrap();
        let tallies = |part: &PartialCount| -> Vec<_> {
            part.done().map(|done| (done.task, done.result)).collect()
        };
        assert_eq!(tallies(&part), tallies(&whole));
        let covered =
            |done: &Done<Tally>| done.result.covered == run.plan.expected_coverage(done.task);
        assert!(part.done().all(covered));
    }
}
