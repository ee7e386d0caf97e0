//! GPUs through wgpu, with the kernels of `queens.wgsl` and `halves.wgsl`.
//!
//! The kernels are written so that a browser takes them too: no feature is asked for, and no limit
//! beyond those that every device has. For the same reason all that takes a device its time is a
//! future. Outside of a browser only polling brings a device on, so there a future blocks the
//! thread that polls it; let it be one of your own.

mod adapter;
mod buffers;
mod commands;
mod connection;
mod numbers;
mod pairs;
mod queue;
mod sizes;
#[cfg(test)]
mod source;

pub use adapter::{Adapter, adapters};
pub use connection::Connection;
pub use pairs::PairsDevice;
pub use queue::Queue;
