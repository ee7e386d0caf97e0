//! The GPUs of a machine.

use std::sync::Arc;

use queens_gpu::{DeviceError, halves};

use super::Device;

/// A GPU that can be used. It overrides [`tree`](Gpu::tree), [`halves`](Gpu::halves) or both,
/// according to the kernels that its driver has.
pub trait Gpu: Send + Sync {
    /// Its name, as its maker gives it.
    fn name(&self) -> String;

    /// How it is used, such as the driver and the kind of device, for the result document.
    fn detail(&self) -> String;

    /// The number of lanes that search, where that was limited to look for faults.
    fn lanes(&self) -> Option<u32>;

    /// Opens a queue of commands for the tree search, with buffers of its own. It stays in the
    /// thread that opened it. `None` if the GPU does not support the tree search.
    ///
    /// # Errors
    /// [`DeviceError`] if the driver refuses, as for want of memory.
    fn tree(&self) -> Option<Result<Box<dyn Device>, DeviceError>> {
        None
    }

    /// The same for half-board matching.
    fn halves(&self) -> Option<Result<Box<dyn halves::Device>, DeviceError>> {
        None
    }
}

/// A GPU of this machine, usable or not.
pub struct FoundGpu {
    /// The name that its driver gives.
    pub name: String,
    /// What kind of device it is and through what it is reached, such as "discrete GPU, Vulkan".
    pub kind: String,
    /// Its memory in bytes, where the driver tells.
    pub memory: Option<u64>,
    /// Whether it is a software renderer, which is slower than threads on the CPU.
    pub is_software: bool,
    /// The device, or the reason why it cannot be used.
    pub card: Result<Arc<dyn Gpu>, String>,
    /// What the user can do about a device that cannot be used.
    pub hint: Option<String>,
}
