//! Counting: backends that count the tasks of a plan, and collection of the results.

mod backend;
mod cpu;
mod cuda;
mod devices;
mod error;
pub mod gpu;
mod runner;
mod wgpu;

pub use backend::{Backend, SampleResult};
pub use cpu::{Cpu, on_threads, workers_on_threads};
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
