//! Counting on GPUs: what CUDA and wgpu have in common.
//!
//! - `crew`: the threads that feed cards with tasks, whatever the work is
//! - `tree`: the tree search of the method symmetry as such a work
//! - `halves`: half-board matching as such a work
//! - `found`, `gpus`: the GPUs of a machine, and a backend of them
//!
//! What a GPU is told, how tasks are cut up for it, and which of them are counted again on the
//! processor, is [`queens_gpu`]'s.

mod crew;
mod found;
mod gpus;
mod halves;
mod tree;

pub use crew::{Crew, Failures, Work};
pub use found::{FoundGpu, Gpu};
pub use gpus::Gpus;
pub use halves::{Matching, count_halves};
pub use queens_gpu::DeviceError;
pub use tree::{Device, TreeSearch};
