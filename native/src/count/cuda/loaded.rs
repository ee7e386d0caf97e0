//! A card that is in use.

use std::sync::Arc;

use queens_gpu::DeviceError;

use super::{context::Context, driver::DriverError, kernels::Kernels};

/// A card in use: its context and the kernels in it.
#[derive(Debug)]
pub(super) struct Loaded {
    // The kernels go before their context.
    pub(super) kernels: Kernels,
    pub(super) context: Arc<Context>,
    pub(super) number: usize,
    pub(super) multiprocessors: u32,
    /// The largest number of bytes of shared memory for a block.
    pub(super) shared: u32,
}

impl Loaded {
    /// An error as others are told.
    pub(super) fn told(&self, error: &DriverError) -> DeviceError {
        told(self.number, error)
    }
}

/// An error with the number of the card that it came from: several may have one name.
pub(super) fn told(number: usize, error: &DriverError) -> DeviceError {
    DeviceError(format!("device {number}: {error}"))
}
