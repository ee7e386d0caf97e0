//! CUDA devices: their properties, and the state that the queues of a device share.

#![expect(unsafe_code, reason = "the functions of the driver are C functions")]

use std::{
    ffi::{CStr, CString, c_char, c_int},
    ptr,
    sync::{Arc, Mutex},
};

use cudarc::driver::sys::{
    CUcontext, CUctx_flags, CUdevice, CUdevice_attribute as Attribute, CUfunction,
    CUfunction_attribute as FunctionAttribute,
};
use queens_gpu::{
    DeviceError,
    cuda::{CAPABILITY, COLOURS_PTX, CUDA, MAX_JOIN_SHARED, PTX},
};

use super::{driver::Driver, queue::CudaQueue};
use crate::{
    count::gpu::{FoundGpu, OpenGpu, queue},
    lock::lock,
};

/// What a queue has to know of a device.
#[derive(Clone, Copy, Debug)]
pub(super) struct Properties {
    device: CUdevice,
    number: usize,
    pub(super) multiprocessors: u32,
    /// Maximum shared memory per block, in bytes.
    pub(super) shared: u32,
}

/// Returns the device with this number, whose properties the driver may not return.
pub(super) fn found_gpu(
    driver: &'static Driver,
    number: usize,
    thread_limit: Option<u32>,
) -> FoundGpu {
    query(driver, number, thread_limit).unwrap_or_else(|error| FoundGpu {
        name: "unknown device".to_owned(),
        kind: "CUDA".to_owned(),
        memory: None,
        is_software: false,
        open: Err(error),
    })
}

fn query(
    driver: &'static Driver,
    number: usize,
    thread_limit: Option<u32>,
) -> Result<FoundGpu, DeviceError> {
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
    let cuda = (cuda / 1000, cuda % 1000 / 10);
    let capability = (
        attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?,
        attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?,
    );
    let properties = Properties {
        device,
        number,
        multiprocessors: attribute(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?,
        // Old GPUs have no opt-in maximum above the default one.
        shared: attribute(Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)?
            .max(attribute(Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK)?),
    };
    let ((major, minor), (version, release)) = (capability, cuda);
    Ok(FoundGpu {
        name: name.to_string_lossy().into_owned(),
        kind: format!("compute capability {major}.{minor}, driver {version}.{release}"),
        memory: Some(memory as u64),
        is_software: false,
        open: match trouble(capability, cuda) {
            Some(trouble) => Err(trouble),
            None => Ok(opener(driver, properties, thread_limit)),
        },
    })
}

/// Returns the reason why a device cannot be used, or `None` if it can.
fn trouble(capability: (u32, u32), cuda: (u32, u32)) -> Option<DeviceError> {
    if cuda < CUDA {
        let (version, release) = CUDA;
        let reason =
            format!("its driver is too old: the kernels need CUDA {version}.{release} or newer");
        return Some(DeviceError::new(reason).with_hint("install a newer driver"));
    }
    let (major, minor) = CAPABILITY;
    (capability < CAPABILITY).then(|| {
        DeviceError::new(format!(
            "it is too old: the kernels need compute capability {major}.{minor} or higher"
        ))
    })
}

/// Returns the function that opens queues of a device.
fn opener(
    driver: &'static Driver,
    properties: Properties,
    thread_limit: Option<u32>,
) -> Box<OpenGpu> {
    let device = Mutex::new(None);
    Box::new(move |plan| {
        let mut device = lock(&device);
        let device = match &*device {
            Some(device) => Arc::clone(device),
            None => Arc::clone(device.insert(Arc::new(CudaDevice::open(driver, properties)?))),
        };
        queue(plan, CudaQueue::open(device, thread_limit)?)
    })
}

/// A device with its primary context and the kernels, shared by all its queues in this process.
#[derive(Debug)]
pub(super) struct CudaDevice {
    pub(super) driver: &'static Driver,
    pub(super) properties: Properties,
    context: CUcontext,
    pub(super) seed: CUfunction,
    pub(super) expand: CUfunction,
    pub(super) search: CUfunction,
    pub(super) colours: CUfunction,
}

// SAFETY: context and kernels are not bound to the thread that created them.
unsafe impl Send for CudaDevice {}
// SAFETY: the driver synchronizes concurrent uses of a context. Launches only read a kernel.
unsafe impl Sync for CudaDevice {}

impl CudaDevice {
    /// Retains the primary context of a device, which the driver creates if necessary, and compiles the
    /// kernels. Threads that wait for the GPU sleep instead of spinning.
    fn open(driver: &'static Driver, properties: Properties) -> Result<CudaDevice, DeviceError> {
        let blocking = CUctx_flags::CU_CTX_SCHED_BLOCKING_SYNC as u32;
        // SAFETY: the driver returned the device. The flag is only a request: it has no effect if the
        // context already exists.
        let _ = unsafe { (driver.functions.context_set_flags)(properties.device, blocking) };
        let none = ptr::null_mut();
        let mut context = none;
        // SAFETY: the driver returned the device, and the context is written to a variable of its type.
        let status = unsafe { (driver.functions.context_retain)(&mut context, properties.device) };
        numbered(driver.check(status, "opening the GPU"), properties.number)?;
        // From now on, dropping the device releases the context.
        let mut device = CudaDevice {
            driver,
            properties,
            context,
            seed: ptr::null_mut(),
            expand: ptr::null_mut(),
            search: ptr::null_mut(),
            colours: ptr::null_mut(),
        };
        device.enter()?;
        [device.seed, device.expand, device.search] =
            device.load(PTX, [c"seed", c"expand", c"search"])?;
        [device.colours] = device.load(COLOURS_PTX, [c"colours"])?;
        device.allow_shared(device.search, properties.shared)?;
        device.allow_shared(device.colours, properties.shared.min(MAX_JOIN_SHARED))?;
        Ok(device)
    }

    /// Converts the status of a driver's function to a result. Errors have the number of the device, because
    /// several devices may have the same name.
    pub(super) fn check(&self, status: c_int, doing: &str) -> Result<(), DeviceError> {
        numbered(self.driver.check(status, doing), self.properties.number)
    }

    /// Makes the context current for this thread. Each thread must call this once.
    pub(super) fn enter(&self) -> Result<(), DeviceError> {
        // SAFETY: the context lives as long as `self`.
        let status = unsafe { (self.driver.functions.context_set_current)(self.context) };
        self.check(status, "opening the GPU")
    }

    /// Compiles `ptx` with the driver and returns some of its kernels, which live as long as the context.
    fn load<const N: usize>(
        &self,
        ptx: &str,
        names: [&CStr; N],
    ) -> Result<[CUfunction; N], DeviceError> {
        let (functions, doing) = (&self.driver.functions, "loading the kernels");
        // PTX contains no zero byte. If it did, the driver would report an error for the empty text.
        let text = CString::new(ptx).unwrap_or_default();
        let mut module = ptr::null_mut();
        // SAFETY: the text ends in a zero byte and is only read during the call.
        let status = unsafe { (functions.module_load)(&mut module, text.as_ptr().cast()) };
        self.check(status, doing)?;
        let mut kernels = [ptr::null_mut(); N];
        for (kernel, name) in kernels.iter_mut().zip(names) {
            // SAFETY: module and name are valid, and the function is written to a variable of its type.
            let status = unsafe { (functions.module_function)(kernel, module, name.as_ptr()) };
            self.check(status, doing)?;
        }
        Ok(kernels)
    }

    /// Allows a kernel up to `bytes` of shared memory per block, and requests the largest possible shared
    /// memory per multiprocessor.
    fn allow_shared(&self, kernel: CUfunction, bytes: u32) -> Result<(), DeviceError> {
        use FunctionAttribute::{
            CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES as SIZE,
            CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT as CARVEOUT,
        };
        for (attribute, value) in
            [(SIZE, i32::try_from(bytes).unwrap_or(i32::MAX)), (CARVEOUT, 100)]
        {
            // SAFETY: the kernel is valid; the driver rejects values that the GPU does not support.
            let status = unsafe { (self.driver.functions.function_set)(kernel, attribute, value) };
            self.check(status, "allocating shared memory")?;
        }
        Ok(())
    }
}

impl Drop for CudaDevice {
    fn drop(&mut self) {
        // Errors are ignored: no caller can handle them, and after a GPU failure even this call fails.
        // SAFETY: each queue and its memory hold a clone of the device's `Arc`, so this is the last use. The
        // driver unloads the kernels.
        let _ = unsafe { (self.driver.functions.context_release)(self.properties.device) };
    }
}

fn numbered<T>(result: Result<T, DeviceError>, number: usize) -> Result<T, DeviceError> {
    result.map_err(|error| DeviceError {
        reason: format!("device {number}: {}", error.reason),
        ..error
    })
}
