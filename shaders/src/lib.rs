//! The host's side of the kernels: what a GPU is told, and how one is reached through [wgpu], by
//! Vulkan, Metal, Direct3D, or by the WebGPU of a browser.
//!
//! Nothing here starts a thread or waits by itself: what takes a GPU its time is a future. A
//! program waits for it in a thread of its own, a page in its worker.
//!
//! - [`Root`]: where the search of a task begins, as the kernels read it
//! - [`Descent`]: which nodes are expanded and searched next, for any kind of device
//! - [`halves`]: half-board matching, for any kind of device
//! - [`Pace`]: how much to do at once
//! - [`recount`]: tasks of a GPU, counted again on the processor
//! - [`cuda`]: the numbers of `queens.cu`, and what it compiles to
//! - [`wgpu`]: adapters, buffers, launches and reading back for `queens.wgsl` and
//!   `halves.wgsl`
//!
//! `README.md` beside the kernels explains how they work.

#![warn(missing_docs)]

pub mod cuda;
mod descent;
mod error;
pub mod halves;
mod pace;
pub mod recount;
mod root;
pub mod wgpu;

pub use descent::{Descent, MAX_CHILDREN, Step, children};
pub use error::DeviceError;
pub use pace::Pace;
pub use root::Root;
