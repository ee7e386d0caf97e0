//! NVIDIA GPUs, through the CUDA driver.
//!
//! Building does not need the CUDA toolkit, and the program needs only the NVIDIA driver: cudarc loads
//! the driver at run time, and the kernels are embedded as PTX, which the driver compiles for the GPU.

mod device;
mod driver;
mod queue;

use queens_core::document::BackendKind;
use queens_gpu::DeviceError;

use super::{BackendError, gpu::FoundGpu};
use driver::Driver;

/// Lists the devices in the driver's order. `thread_limit` is explained at
/// [`GpuBackend::find`](super::GpuBackend::find).
///
/// # Errors
/// [`BackendError::Unavailable`] if the driver is missing, is too old, fails or lists no device.
pub fn list_gpus(thread_limit: Option<u32>) -> Result<Vec<FoundGpu>, BackendError> {
    let list = |driver: &'static Driver| {
        let found = |number| device::found_gpu(driver, number, thread_limit);
        Ok((0..driver.device_count()?).map(found).collect())
    };
    let unavailable = |DeviceError { reason, hint, .. }| BackendError::Unavailable {
        kind: BackendKind::Cuda,
        reason,
        hint,
    };
    Driver::get().and_then(list).map_err(unavailable)
}
