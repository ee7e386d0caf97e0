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
    Part, Plan,
    document::{self, Circumstances, Shard},
};

use crate::host::Host;

/// Counts the tasks of `plan`, or of one shard of it, that `part`, which is of that plan, does not
/// have. Each is there as soon as it is done, so that whatever ends the count, nothing that was
/// finished is lost.
///
/// # Errors
/// [`RunError`] if `watch` stopped the count, the backend failed or a task cannot be counted.
pub fn count(
    plan: Arc<Plan>,
    shard: Option<&Shard>,
    part: &mut Part,
    backend: &dyn Backend,
    watch: Watch<'_>,
) -> Result<Circumstances, RunError> {
    let started = Timestamp::now();
    let clock = Instant::now();
    let mut tasks = backend.order(&plan);
    tasks.retain(|&task| !part.has(task) && shard.is_none_or(|shard| shard.has(task)));
    let start = |orders| backend.start(plan, orders);
    run_into(tasks, start, &mut |done| Ok(part.add(done)?), watch)?;
    Ok(circumstances(backend, started, clock.elapsed()))
}

/// What the document of a count says beside its numbers. The backend is asked only now, since it
/// also tells which devices have failed on the way.
fn circumstances(backend: &dyn Backend, started: Timestamp, took: Duration) -> Circumstances {
    let host = Host::ask();
    let threads = u32::try_from(backend.threads()).unwrap_or(u32::MAX);
    Circumstances {
        form: backend.form(),
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
    use queens_core::{Form, Method, Settled, Size, Turns, document::Document, settle};
    use std::ops::ControlFlow;

    fn plan(n: u32, method: Method) -> Arc<Plan> {
        Arc::new(Plan::new(Size::new(n).unwrap(), method))
    }

    #[test]
    fn a_count_goes_on_where_another_one_was_stopped() {
        let plan = plan(9, Method::Symmetry);
        let mut part = Part::new(&plan);
        let tally = plan.count(3, Form::Recursive).unwrap();
        part.add(Done { task: 3, result: tally, took: Duration::ZERO }).unwrap();
        let cpu = Cpu::new(2, Form::Recursive, Method::Symmetry);
        let mut go_on = |_| ControlFlow::Continue(());
        let circumstances = count(Arc::clone(&plan), None, &mut part, &cpu, &mut go_on).unwrap();
        let settled: Settled<'_> = settle(&part, Turns::of(plan.size())).unwrap();
        let document = Document::of(&settled, circumstances);
        assert_eq!((document.header.total, document.header.unique), (352, Some(46)));
        assert_eq!(document.contradictions(), []);
        assert_eq!(document.header.checks, ["sums", "burnside", "known"]);
        assert_eq!(document.header.backend.detail, "2 threads");
    }
}
