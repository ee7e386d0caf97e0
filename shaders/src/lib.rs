//! The host side of the GPU kernels: the records that they read, and access to GPUs through [wgpu],
//! over Vulkan, Metal, Direct3D or the WebGPU of a browser.
//!
//! Nothing here starts a thread. Operations that wait for a GPU are futures. A program awaits them on
//! a dedicated thread, a page in its worker.
//!
//! - [`Root`]: the start of a task's search, as the kernels read it
//! - [`Descent`]: schedules which nodes are expanded and searched next, for any kind of device
//! - [`Triples`]: the colour join of some tasks, as the kernels read it
//! - [`Pace`]: controls the size of launches and batches
//! - [`recount`]: spot checks of GPU results on the CPU
//! - [`cuda`]: the constants of `queens.cu`, and the compiled kernels
//! - [`wgpu`]: adapters, buffers, launches and reading back for `queens.wgsl`
//!
//! `README.md` in the folder of the kernels explains how they work.

#![warn(missing_docs)]

pub mod cuda;
mod descent;
mod error;
mod pace;
pub mod recount;
mod root;
mod triples;
pub mod wgpu;

pub use descent::{Descent, DeviceStep, MAX_CHILDREN, children};
pub use error::DeviceError;
pub use pace::Pace;
pub use root::Root;
pub use triples::{NUMBERS, PAIR_WORDS, SUMS, Triples};
