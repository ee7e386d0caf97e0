//! The host side of the GPU kernels: the records that they read, and access to GPUs through [wgpu],
//! over Vulkan, Metal, Direct3D or the WebGPU of a browser.
//!
//! Nothing here starts a thread. Operations that wait for a GPU are futures. A program awaits them on
//! a dedicated thread, a page in its worker.
//!
//! - [`Counter`]: counts tasks on any [`Device`]
//! - [`Root`]: the start of a task's search, as the kernels read it
//! - [`TreeQueue`]: the tree search
//! - [`JoinQueue`] and [`Triples`]: the colour join, and the triples of some tasks, as the kernel reads them
//! - [`Pace`]: controls the size of launches and batches
//! - [`SpotChecker`]: spot checks of GPU results on the CPU
//! - [`cuda`]: the constants of the CUDA kernels, and the compiled kernels
//! - [`wgpu`]: adapters, and a [`Device`] that launches the WGSL kernels
//!
//! `README.md` in the folder of the kernels explains how they work.

#![warn(missing_docs)]

mod counter;
pub mod cuda;
mod descent;
mod device;
mod error;
mod join;
mod launches;
mod recount;
mod root;
mod tree;
mod triples;
pub mod wgpu;

pub use counter::Counter;
pub use descent::MAX_CHILDREN;
pub use device::Device;
pub use error::DeviceError;
pub use join::JoinQueue;
pub use launches::{Launches, Pace};
pub use recount::{Mismatch, SpotChecker};
pub use root::Root;
pub use tree::TreeQueue;
pub use triples::{NUMBERS, PAIR_WORDS, SUMS, Triples};
