//! Counting: the tasks of a plan done by a backend, and collected.

mod backend;
mod choose;
mod cpu;
mod cuda;
mod devices;
mod error;
mod fastest;
pub mod gpu;
mod runner;
mod wgpu;

pub use backend::Backend;
pub use choose::Wish;
pub use cpu::{Cpu, on_threads, workers_on_threads};
pub use devices::{GPUS, GpuBackend};
pub use error::BackendError;
pub use fastest::{Chosen, fastest};
pub use queens_core::Done;
pub use runner::{Orders, RunError, Sink, Watch, run, run_into};

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use jiff::Timestamp;
use queens_core::{
    Method, Part, Tally,
    document::{self, Circumstances},
};

use crate::{host::Host, journal::Run};

/// Counts the tasks of `run` that `part`, which is of its plan, does not have. Each is there, and is
/// given to `keep`, as soon as it is done, so that whatever ends the count, nothing that was
/// finished is lost.
///
/// # Errors
/// [`RunError`] if `watch` stopped the count, the backend failed, a task cannot be counted or
/// `keep` fails.
pub fn count(
    run: &Run,
    part: &mut Part,
    backend: &dyn Backend,
    keep: Sink<'_, Tally>,
    watch: Watch<'_>,
) -> Result<Circumstances, RunError> {
    let started = Timestamp::now();
    let clock = Instant::now();
    let mut tasks = backend.order(&run.plan);
    tasks.retain(|&task| run.has(task) && !part.has(task));
    let start = |orders| backend.start(Arc::clone(&run.plan), orders);
    let mut sink = |done: Done<Tally>| {
        part.add(done)?;
        keep(done)
    };
    run_into(tasks, start, &mut sink, watch)?;
    Ok(circumstances(backend, run.plan.method(), started, clock.elapsed()))
}

/// What the document of a count says beside its numbers. The backend is asked at the end, since it
/// also tells which devices have failed on the way; a journal asks at the beginning, too.
pub fn circumstances(
    backend: &dyn Backend,
    method: Method,
    started: Timestamp,
    took: Duration,
) -> Circumstances {
    let host = Host::ask();
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

/// This program, as documents name it.
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
    use queens_core::{Form, Plan, Settled, Size, Turns, document::Document, settle};
    use std::ops::ControlFlow;

    #[test]
    fn a_count_goes_on_where_another_one_was_stopped() {
        let run = Run::whole(Plan::new(Size::new(9).unwrap(), Method::Symmetry));
        let mut part = Part::new(&run.plan);
        let tally = run.plan.count(3, Form::Recursive).unwrap();
        part.add(Done { task: 3, result: tally, took: Duration::ZERO }).unwrap();
        let cpu = Cpu::new(2, Form::Recursive, Method::Symmetry);
        let mut go_on = |_| ControlFlow::Continue(());
        let mut kept = vec![];
        let mut keep = |done: Done<Tally>| {
            kept.push(done.task);
            Ok(())
        };
        let circumstances = count(&run, &mut part, &cpu, &mut keep, &mut go_on).unwrap();
        kept.sort_unstable();
        assert!(kept.into_iter().eq((0..run.plan.len()).filter(|&task| task != 3)));
        let settled: Settled<'_> = settle(&part, Turns::of(run.plan.size())).unwrap();
        let document = Document::of(&settled, circumstances);
        assert_eq!((document.header.total, document.header.unique), (352, Some(46)));
        assert_eq!(document.contradictions(), []);
        assert_eq!(document.header.checks, ["sums", "burnside", "known"]);
        assert_eq!(document.header.backend.detail, "2 threads");
    }
}
