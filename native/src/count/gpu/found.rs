//! The GPUs of a machine.

use std::sync::Arc;

use super::{MatchCard, TreeCard};

/// A card that counts by every method of GPUs.
pub trait GpuCard: TreeCard + MatchCard {}

impl<C: TreeCard + MatchCard> GpuCard for C {}

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
    pub card: Result<Arc<dyn GpuCard>, String>,
    /// What the user can do about a device that cannot be used.
    pub hint: Option<String>,
}
