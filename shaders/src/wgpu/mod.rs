//! GPUs through wgpu, with the kernels of `queens.wgsl` and `colours.wgsl`.
//!
//! The kernels also run in browsers: they need no optional feature, and no limits beyond those that
//! every device has. For the same reason, operations that wait for the device are futures. Outside of
//! a browser a device makes progress only while it is polled, so there the futures block the thread
//! that polls them. Use a dedicated thread.

mod adapter;
mod commands;
mod connection;
mod numbers;
mod queue;
mod sizes;

pub use adapter::{Adapter, adapters};
pub use connection::Connection;
pub use queue::WgpuQueue;
