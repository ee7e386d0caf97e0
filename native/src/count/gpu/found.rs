//! Interface of a GPU, and the entry for a GPU that a backend has found.

use std::sync::Arc;

use queens_gpu::DeviceError;

use super::device::{Device, JoinDevice};

/// A usable GPU.
pub trait Gpu: Send + Sync {
    /// Returns the vendor's name of the GPU.
    fn name(&self) -> String;

    /// Returns the driver, the kind of device or similar, for the result document.
    fn detail(&self) -> String;

    /// Returns the limit on GPU threads, if one was set for debugging.
    fn thread_limit(&self) -> Option<u32>;

    /// Opens a command queue with its own buffers for the tree search. Use the queue only on the thread
    /// that opened it.
    ///
    /// # Errors
    /// [`DeviceError`] if the driver fails, for example because memory is short.
    fn open(&self) -> Result<Box<dyn Device>, DeviceError>;

    /// Opens a command queue for the colour join, as [`open`](Gpu::open) does.
    ///
    /// # Errors
    /// As for [`open`](Gpu::open).
    fn open_join(&self) -> Result<Box<dyn JoinDevice>, DeviceError>;
}

/// A GPU of this machine, usable or not.
pub struct FoundGpu {
    /// Name reported by the driver.
    pub name: String,
    /// Kind of device and interface, such as "discrete GPU, Vulkan".
    pub kind: String,
    /// Memory in bytes, if the driver reports it.
    pub memory: Option<u64>,
    /// Whether the GPU is a software renderer, which is slower than threads on the CPU.
    pub is_software: bool,
    /// The device, or the reason why it cannot be used.
    pub gpu: Result<Arc<dyn Gpu>, String>,
    /// What the user can do about an unusable device.
    pub hint: Option<String>,
}
