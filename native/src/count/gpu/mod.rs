//! Counting on GPUs: the common part of CUDA and wgpu.
//!
//! - `found`: the GPUs of a machine
//! - `worker_pool`: the threads that count on GPUs
//! - `gpus`: the backend of one or more GPUs
//!
//! [`queens_gpu`] counts tasks on a device, and selects tasks for spot checks.

mod found;
mod gpus;
mod worker_pool;

pub use found::{FoundGpu, GpuQueue, OpenGpu, queue};
pub use gpus::Gpus;

/// The hint if no driver can be loaded because this is a statically linked program for Linux; otherwise
/// `None`.
pub(super) const STATIC_BUILD_HINT: Option<&str> =
    if cfg!(all(target_os = "linux", target_feature = "crt-static")) {
        Some("this static program cannot load drivers; use the program for glibc (…-linux-gnu)")
    } else {
        None
    };
