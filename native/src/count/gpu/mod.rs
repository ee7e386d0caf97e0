//! Counting on GPUs: the common part of CUDA and wgpu.
//!
//! - `worker_pool`: the worker pool that runs any kind of work on GPUs
//! - `tree`: the work of the method `symmetry`, a tree search
//! - `join`: the work of the method `colours`
//! - `device`: the operations of a GPU that each method uses
//! - `found`, `gpus`: the GPUs of a machine, and the backend that uses them
//!
//! [`queens_gpu`] defines the data of the kernels, divides tasks for GPUs and selects tasks for spot
//! checks.

mod device;
mod found;
mod gpus;
mod join;
mod tree;
mod worker_pool;

pub use device::{Device, JoinDevice};
pub use found::{FoundGpu, Gpu};
pub use gpus::Gpus;
pub use join::Join;
pub use queens_gpu::DeviceError;
pub use tree::TreeSearch;
pub use worker_pool::{Failures, GpuWork, GpuWorkerPool};

/// The hint if no driver can be loaded because this is a statically linked program for Linux; otherwise
/// `None`.
pub(super) const STATIC_BUILD_HINT: Option<&str> =
    if cfg!(all(target_os = "linux", target_feature = "crt-static")) {
        Some("this static program cannot load drivers; use the program for glibc (…-linux-gnu)")
    } else {
        None
    };
