//! State of an open device.

use std::sync::{Arc, Mutex};

use queens_gpu::DeviceError;

use super::{
    context::Context,
    driver::DriverError,
    kernels::{Kernels, PairKernels},
    tables::Tables,
};
use crate::lock::lock;

/// An open device: its context, and the state that its queues share.
#[derive(Debug)]
pub(super) struct SharedDeviceState {
    pub(super) context: Arc<Context>,
    pub(super) number: usize,
    pub(super) multiprocessors: u32,
    /// Maximum shared memory per block, in bytes.
    pub(super) shared: u32,
    search: Mutex<Option<Kernels>>,
    pairs: Mutex<Option<PairKernels>>,
    /// The half-board matching tables of the last board.
    pub(super) tables: Mutex<Option<Arc<Tables>>>,
}

impl SharedDeviceState {
    pub(super) fn new(
        context: Arc<Context>,
        number: usize,
        multiprocessors: u32,
        shared: u32,
    ) -> SharedDeviceState {
        SharedDeviceState {
            context,
            number,
            multiprocessors,
            shared,
            search: Mutex::default(),
            pairs: Mutex::default(),
            tables: Mutex::default(),
        }
    }

    /// Returns the kernels of the tree search, and loads them at the first call. The context must be
    /// current on this thread.
    pub(super) fn search(&self) -> Result<Kernels, DriverError> {
        get_or_load(&self.search, || Kernels::load(&self.context, self.shared))
    }

    /// Returns the kernels of half-board matching, and loads them at the first call. The context must be
    /// current on this thread.
    pub(super) fn pairs(&self) -> Result<PairKernels, DriverError> {
        get_or_load(&self.pairs, || PairKernels::load(&self.context))
    }

    /// Adds the number of this device to an error.
    pub(super) fn device_error(&self, error: DriverError) -> DeviceError {
        device_error(self.number, error)
    }
}

/// Returns a clone of the value in `slot`. If the slot is empty, first fills it with `load`.
fn get_or_load<T: Clone>(
    slot: &Mutex<Option<T>>,
    load: impl FnOnce() -> Result<T, DriverError>,
) -> Result<T, DriverError> {
    let mut slot = lock(slot);
    if let Some(loaded) = &*slot {
        return Ok(loaded.clone());
    }
    Ok(slot.insert(load()?).clone())
}

/// Adds the device number to an error, because several devices may have the same name.
pub(super) fn device_error(number: usize, error: DriverError) -> DeviceError {
    let DeviceError { reason, hint } = error.into();
    DeviceError { reason: format!("device {number}: {reason}"), hint }
}
