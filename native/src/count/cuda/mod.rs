//! NVIDIA GPUs, through the CUDA driver.
//!
//! Building does not need the CUDA toolkit, and the program needs only the NVIDIA driver: cudarc loads
//! the driver at run time, and the kernels are embedded as PTX, which the driver compiles for the GPU.

mod context;
mod device;
mod driver;
mod join;
mod kernels;
mod memory;
mod queue;
mod shared_device_state;

use std::sync::Arc;

use queens_core::document::BackendKind;
use queens_gpu::DeviceError;

use super::{
    BackendError,
    gpu::{FoundGpu, Gpu},
};
use device::{CudaDevice, Properties};
use driver::{Driver, DriverError};

/// Lists the devices in the driver's order. `thread_limit` is explained at
/// [`GpuBackend::find`](super::GpuBackend::find).
///
/// # Errors
/// [`BackendError::Unavailable`] if the driver is missing, is too old, fails or lists no device.
pub fn list_gpus(thread_limit: Option<u32>) -> Result<Vec<FoundGpu>, BackendError> {
    let unavailable = |DeviceError { reason, hint }| BackendError::Unavailable {
        kind: BackendKind::Cuda,
        reason,
        hint,
    };
    let driver = Driver::get().map_err(unavailable)?;
    let count = device::count(driver).map_err(|error| unavailable(error.into()))?;
    if count == 0 {
        return Err(unavailable(driver.no_device().into()));
    }
    Ok((0..count).map(|number| found_gpu(driver, number, thread_limit)).collect())
}

fn found_gpu(driver: &'static Driver, number: usize, thread_limit: Option<u32>) -> FoundGpu {
    match Properties::query(driver, number) {
        Ok(properties) => {
            let trouble = properties.trouble();
            FoundGpu {
                name: properties.name.clone(),
                kind: properties.kind(),
                memory: Some(properties.memory),
                is_software: false,
                hint: trouble.as_ref().and_then(|trouble| trouble.hint.clone()),
                gpu: match trouble {
                    Some(trouble) => Err(trouble.reason),
                    None => {
                        Ok(Arc::new(CudaDevice::new(driver, properties, thread_limit))
                            as Arc<dyn Gpu>)
                    }
                },
            }
        }
        Err(error) => unknown_gpu(&error),
    }
}

/// Creates the entry for a device whose properties the driver does not return.
fn unknown_gpu(error: &DriverError) -> FoundGpu {
    FoundGpu {
        name: "unknown device".to_owned(),
        kind: "CUDA".to_owned(),
        memory: None,
        is_software: false,
        gpu: Err(error.to_string()),
        hint: error.hint().map(str::to_owned),
    }
}
