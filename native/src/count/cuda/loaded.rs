//! A card that is in use.

use std::sync::{Arc, Mutex};

use queens_gpu::DeviceError;

use super::{
    context::Context,
    driver::DriverError,
    kernels::{Kernels, PairKernels},
    tables::Tables,
};
use crate::lock::lock;

/// A card in use: its context, and what the queues of it share.
#[derive(Debug)]
pub(super) struct Loaded {
    pub(super) context: Arc<Context>,
    pub(super) number: usize,
    pub(super) multiprocessors: u32,
    /// The largest number of bytes of shared memory for a block.
    pub(super) shared: u32,
    search: Mutex<Option<Kernels>>,
    pairs: Mutex<Option<PairKernels>>,
    /// The tables of the board that was counted last.
    pub(super) tables: Mutex<Option<Arc<Tables>>>,
}

impl Loaded {
    pub(super) fn new(
        context: Arc<Context>,
        number: usize,
        multiprocessors: u32,
        shared: u32,
    ) -> Loaded {
        Loaded {
            context,
            number,
            multiprocessors,
            shared,
            search: Mutex::default(),
            pairs: Mutex::default(),
            tables: Mutex::default(),
        }
    }

    /// The kernels that search, loaded by the first who asks. This thread must have entered the
    /// context.
    pub(super) fn search(&self) -> Result<Kernels, DriverError> {
        once(&self.search, || Kernels::load(&self.context, self.shared))
    }

    /// The kernels that match halves, loaded likewise.
    pub(super) fn pairs(&self) -> Result<PairKernels, DriverError> {
        once(&self.pairs, || PairKernels::load(&self.context))
    }

    /// The error with the number of this device.
    pub(super) fn told(&self, error: DriverError) -> DeviceError {
        told(self.number, error)
    }
}

/// What is there, or is made now.
fn once<T: Clone>(
    slot: &Mutex<Option<T>>,
    make: impl FnOnce() -> Result<T, DriverError>,
) -> Result<T, DriverError> {
    let mut slot = lock(slot);
    if let Some(there) = &*slot {
        return Ok(there.clone());
    }
    Ok(slot.insert(make()?).clone())
}

/// The error with the number of its device, because several devices may have the same name.
pub(super) fn told(number: usize, error: DriverError) -> DeviceError {
    let DeviceError { reason, hint } = error.into();
    DeviceError { reason: format!("device {number}: {reason}"), hint }
}
