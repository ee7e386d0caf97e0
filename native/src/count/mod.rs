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

use queens_core::document;

/// Returns the name, version and commit of this program, as stored in documents.
pub fn program() -> document::Program {
    document::Program::new(
        env!("CARGO_PKG_NAME"),
        env!("CARGO_PKG_VERSION"),
        option_env!("QUEENS_COMMIT").unwrap_or(""),
    )
}
