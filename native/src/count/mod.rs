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
pub use cpu::{Cpu, on_threads};
pub use devices::{GPUS, GpuBackend};
pub use error::BackendError;
pub use queens_core::Done;
pub use runner::{RunError, Sink, TaskQueue, Watch, run, run_into};

use std::time::Duration;

use jiff::Timestamp;
use queens_core::{
    Method,
    document::{self, Circumstances},
};

use crate::host::Host;

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
