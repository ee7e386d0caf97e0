//! CUDA devices: their properties, and the queues opened on them.

#![expect(unsafe_code, reason = "the functions of the driver are C functions")]

use std::{
    ffi::{CStr, c_char, c_int},
    sync::{Arc, Mutex},
};

use cudarc::driver::sys::{CUdevice, CUdevice_attribute as Attribute};
use queens_gpu::{DeviceError, cuda::PTX};

use super::{
    context::Context,
    driver::{Driver, DriverError},
    join::CudaJoinQueue,
    kernels::{Kernels, Version, least_capability, least_cuda},
    queue::CudaTreeQueue,
    shared_device_state::{SharedDeviceState, device_error},
};
use crate::{
    count::gpu::{Device, Gpu, JoinDevice},
    lock::lock,
};

/// Properties of a device that are known before it is opened.
#[derive(Clone, Debug)]
pub(super) struct Properties {
    device: CUdevice,
    number: usize,
    pub(super) name: String,
    /// Memory size in bytes.
    pub(super) memory: u64,
    capability: Version,
    /// The newest CUDA version that the driver supports.
    cuda: Version,
    multiprocessors: u32,
    /// Maximum shared memory per block, in bytes.
    shared: u32,
}

/// Returns the number of devices that the driver lists.
pub(super) fn count(driver: &Driver) -> Result<usize, DriverError> {
    let mut count = 0;
    // SAFETY: the number is written to a variable of its type.
    let status = unsafe { (driver.functions.device_count)(&mut count) };
    driver.check(status, "looking for GPUs")?;
    Ok(count.try_into().unwrap_or(0))
}

impl Properties {
    /// Queries the properties of the device with this number.
    pub(super) fn query(driver: &Driver, number: usize) -> Result<Properties, DriverError> {
        let doing = "querying the GPU";
        let functions = &driver.functions;
        let ordinal = c_int::try_from(number).unwrap_or(c_int::MAX);
        let (mut device, mut cuda, mut memory) = (0, 0, 0);
        // SAFETY: the device is written to a variable of its type; the driver rejects an invalid number.
        driver.check(unsafe { (functions.device)(&mut device, ordinal) }, doing)?;
        // SAFETY: the version is written to a variable of its type.
        driver.check(unsafe { (functions.driver_version)(&mut cuda) }, doing)?;
        // SAFETY: the size is written to a variable of its type, and the driver returned the device.
        driver.check(unsafe { (functions.device_memory)(&mut memory, device) }, doing)?;
        let mut name = [0_u8; 128];
        // SAFETY: the driver writes at most the given number of bytes, and the byte after them stays
        // zero.
        let status = unsafe {
            let buffer = name.as_mut_ptr().cast::<c_char>();
            (functions.device_name)(buffer, name.len() as c_int - 1, device)
        };
        driver.check(status, doing)?;
        let name = CStr::from_bytes_until_nul(&name).unwrap_or_default();
        let attribute = |attribute| {
            let mut value = 0;
            // SAFETY: the value is written to a variable of its type, and the driver returned the device;
            // the driver rejects an attribute that it does not know.
            let status = unsafe { (functions.device_attribute)(&mut value, attribute, device) };
            driver.check(status, doing).map(|()| u32::try_from(value).unwrap_or(0))
        };
        let cuda = u32::try_from(cuda).unwrap_or(0);
        Ok(Properties {
            device,
            number,
            name: name.to_string_lossy().into_owned(),
            memory: memory as u64,
            capability: (
                attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?,
                attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?,
            ),
            cuda: (cuda / 1000, cuda % 1000 / 10),
            multiprocessors: attribute(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?,
            // Old GPUs have no opt-in maximum above the default one.
            shared: attribute(Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)?
                .max(attribute(Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK)?),
        })
    }

    /// Describes the kind of device and the driver.
    pub(super) fn kind(&self) -> String {
        let ((major, minor), (first, second)) = (self.capability, self.cuda);
        format!("compute capability {major}.{minor}, driver {first}.{second}")
    }

    /// Returns the reason why the device cannot be used, or `None` if it can.
    pub(super) fn trouble(&self) -> Option<DeviceError> {
        let (capability, cuda) = (least_capability(PTX)?, least_cuda(PTX)?);
        if self.cuda < cuda {
            let reason = format!(
                "its driver is too old: the kernels need CUDA {}.{} or newer",
                cuda.0, cuda.1
            );
            Some(DeviceError::new(reason).with_hint("install a newer driver"))
        } else if self.capability < capability {
            Some(DeviceError::new(format!(
                "it is too old: the kernels need compute capability {}.{} or higher",
                capability.0, capability.1
            )))
        } else {
            None
        }
    }
}

/// A usable device.
#[derive(Debug)]
pub(super) struct CudaDevice {
    driver: &'static Driver,
    properties: Properties,
    thread_limit: Option<u32>,
    /// State that the queues of the device share, created with the first queue.
    state: Mutex<Option<Arc<SharedDeviceState>>>,
}

impl CudaDevice {
    pub(super) fn new(
        driver: &'static Driver,
        properties: Properties,
        thread_limit: Option<u32>,
    ) -> CudaDevice {
        CudaDevice { driver, properties, thread_limit, state: Mutex::default() }
    }

    fn load(&self) -> Result<Arc<SharedDeviceState>, DriverError> {
        let mut state = lock(&self.state);
        if let Some(state) = &*state {
            return Ok(Arc::clone(state));
        }
        let Properties { device, number, multiprocessors, shared, .. } = self.properties;
        let context = Arc::new(Context::new(self.driver, device)?);
        context.enter()?;
        let kernels = Kernels::load(&context, shared)?;
        let new = SharedDeviceState { context, number, multiprocessors, shared, kernels };
        Ok(Arc::clone(state.insert(Arc::new(new))))
    }
}

impl Gpu for CudaDevice {
    fn name(&self) -> String {
        self.properties.name.clone()
    }

    fn detail(&self) -> String {
        self.properties.kind()
    }

    fn thread_limit(&self) -> Option<u32> {
        self.thread_limit
    }

    fn open(&self) -> Result<Box<dyn Device>, DeviceError> {
        let opened = self.load().and_then(|state| CudaTreeQueue::open(state, self.thread_limit));
        let opened = opened.map(|queue| Box::new(queue) as Box<dyn Device>);
        opened.map_err(|error| device_error(self.properties.number, error))
    }

    fn open_join(&self) -> Result<Box<dyn JoinDevice>, DeviceError> {
        let opened = self.load().and_then(|state| CudaJoinQueue::open(state, self.thread_limit));
        let opened = opened.map(|queue| Box::new(queue) as Box<dyn JoinDevice>);
        opened.map_err(|error| device_error(self.properties.number, error))
    }
}
