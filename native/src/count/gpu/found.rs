//! The GPUs of a machine.

use std::sync::Arc;

use super::{MatchCard, TreeCard};

/// A card that counts by every method of GPUs.
pub trait GpuCard: TreeCard + MatchCard {}

impl<C: TreeCard + MatchCard> GpuCard for C {}

/// A GPU that this machine has, whether or not it can be counted on.
pub struct FoundGpu {
    /// The name that its driver gives.
    pub name: String,
    /// What kind of device it is and through what it is reached, such as "discrete GPU, Vulkan".
    pub kind: String,
    /// Its memory in bytes, where the driver tells.
    pub memory: Option<u64>,
    /// Whether it is no GPU but a program that behaves like one, slower than the processor's own
    /// threads.
    pub is_software: bool,
    /// The card itself, or why it cannot be used.
    pub card: Result<Arc<dyn GpuCard>, String>,
}
