//! State of an open device.

use std::sync::Arc;

use queens_gpu::DeviceError;

use super::{context::Context, driver::DriverError, kernels::Kernels};

/// An open device: its context, and the state that its queues share.
#[derive(Debug)]
pub(super) struct SharedDeviceState {
    pub(super) context: Arc<Context>,
    pub(super) number: usize,
    pub(super) multiprocessors: u32,
    /// Maximum shared memory per block, in bytes.
    pub(super) shared: u32,
    pub(super) kernels: Kernels,
}

impl SharedDeviceState {
    /// Adds the number of this device to an error.
    pub(super) fn device_error(&self, error: DriverError) -> DeviceError {
        device_error(self.number, error)
    }
}

/// Adds the device number to an error, because several devices may have the same name.
pub(super) fn device_error(number: usize, error: DriverError) -> DeviceError {
    let DeviceError { reason, hint } = error.into();
    DeviceError { reason: format!("device {number}: {reason}"), hint }
}
