//! NVIDIA driver, loaded at run time, and its error codes.
//!
//! cudarc finds and loads the library and defines its types. This module looks up the functions itself
//! instead of calling them through cudarc, for two reasons. cudarc panics if an old driver lacks a
//! function. And its functions return an enum, which would be invalid for an error code of a newer
//! driver.

#![expect(unsafe_code, reason = "the functions of the driver are C functions")]

use std::{
    env,
    ffi::{CStr, c_char, c_int, c_uint, c_void},
    fmt, ptr,
    sync::OnceLock,
};

use cudarc::driver::sys::{
    self, CUcontext, CUdevice, CUdevice_attribute, CUdeviceptr, CUfunction, CUfunction_attribute,
    CUmodule, CUstream,
};
use queens_gpu::DeviceError;

use super::super::gpu::STATIC_BUILD_HINT;

macro_rules! functions {
    ($($field:ident = $symbol:literal ($($argument:ty),*);)*) => {
        /// The driver functions that this program uses. Each returns 0 or an error code.
        #[derive(Debug)]
        pub(super) struct Functions {
            $(pub(super) $field: unsafe extern "C" fn($($argument),*) -> c_int,)*
        }

        impl Functions {
            /// Looks up the functions, or returns the name of the first one that the driver lacks.
            fn load() -> Result<Functions, &'static str> {
                // SAFETY: loading a driver runs only its own initialization. It cannot panic here,
                // because the caller has checked that the driver can be loaded.
                let library = unsafe { sys::culib() };
                $(
                    // SAFETY: this is the type of the function in the driver's cuda.h. The type behind a
                    // symbol never changes: a changed function gets a new symbol, such as one with `_v2`.
                    let symbol = unsafe {
                        library.get::<unsafe extern "C" fn($($argument),*) -> c_int>(
                            concat!($symbol, "\0").as_bytes(),
                        )
                    };
                    let $field = *symbol.map_err(|_| $symbol)?;
                )*
                Ok(Functions { $($field),* })
            }
        }
    };
}

functions! {
    init = "cuInit"(c_uint);
    driver_version = "cuDriverGetVersion"(*mut c_int);
    error_name = "cuGetErrorName"(c_int, *mut *const c_char);
    error_string = "cuGetErrorString"(c_int, *mut *const c_char);
    device_count = "cuDeviceGetCount"(*mut c_int);
    device = "cuDeviceGet"(*mut CUdevice, c_int);
    device_name = "cuDeviceGetName"(*mut c_char, c_int, CUdevice);
    device_memory = "cuDeviceTotalMem_v2"(*mut usize, CUdevice);
    device_attribute = "cuDeviceGetAttribute"(*mut c_int, CUdevice_attribute, CUdevice);
    context_set_flags = "cuDevicePrimaryCtxSetFlags_v2"(CUdevice, c_uint);
    context_retain = "cuDevicePrimaryCtxRetain"(*mut CUcontext, CUdevice);
    context_release = "cuDevicePrimaryCtxRelease_v2"(CUdevice);
    context_set_current = "cuCtxSetCurrent"(CUcontext);
    module_load = "cuModuleLoadData"(*mut CUmodule, *const c_void);
    module_unload = "cuModuleUnload"(CUmodule);
    module_function = "cuModuleGetFunction"(*mut CUfunction, CUmodule, *const c_char);
    function_set = "cuFuncSetAttribute"(CUfunction, CUfunction_attribute, c_int);
    max_blocks_per_multiprocessor = "cuOccupancyMaxActiveBlocksPerMultiprocessor"(*mut c_int, CUfunction, c_int, usize);
    launch = "cuLaunchKernel"(
        CUfunction, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, CUstream,
        *mut *mut c_void, *mut *mut c_void
    );
    stream_create = "cuStreamCreate"(*mut CUstream, c_uint);
    stream_destroy = "cuStreamDestroy_v2"(CUstream);
    stream_synchronize = "cuStreamSynchronize"(CUstream);
    memory_info = "cuMemGetInfo_v2"(*mut usize, *mut usize);
    memory_alloc = "cuMemAlloc_v2"(*mut CUdeviceptr, usize);
    memory_free = "cuMemFree_v2"(CUdeviceptr);
    host_alloc = "cuMemAllocHost_v2"(*mut *mut c_void, usize);
    host_free = "cuMemFreeHost"(*mut c_void);
    copy_to_device = "cuMemcpyHtoDAsync_v2"(CUdeviceptr, *const c_void, usize, CUstream);
    copy_to_host = "cuMemcpyDtoHAsync_v2"(*mut c_void, CUdeviceptr, usize, CUstream);
    fill_words = "cuMemsetD32Async"(CUdeviceptr, c_uint, usize, CUstream);
}

/// The loaded and initialized driver.
#[derive(Debug)]
pub(super) struct Driver {
    pub(super) functions: Functions,
}

impl Driver {
    /// Loads and initializes the driver, once per process.
    pub(super) fn get() -> Result<&'static Driver, DeviceError> {
        static DRIVER: OnceLock<Result<Driver, DeviceError>> = OnceLock::new();
        DRIVER.get_or_init(Driver::load).as_ref().map_err(DeviceError::clone)
    }

    fn load() -> Result<Driver, DeviceError> {
        // SAFETY: this only loads libraries with the name of the driver, and loading a driver runs only
        // its own initialization.
        if !unsafe { sys::is_culib_present() } {
            let library = if cfg!(windows) { "nvcuda.dll" } else { "libcuda.so.1" };
            let reason = format!("cannot load the NVIDIA driver ({library})");
            return Err(DeviceError::new(reason).with_hint(
                STATIC_BUILD_HINT
                    .unwrap_or("install the NVIDIA driver; the CUDA toolkit is not needed"),
            ));
        }
        let functions = Functions::load().map_err(|symbol| {
            DeviceError::new(format!("the NVIDIA driver is too old: {symbol} is missing"))
                .with_hint("install a newer driver")
        })?;
        let driver = Driver { functions };
        // SAFETY: 0 is the only valid flag.
        let status = unsafe { (driver.functions.init)(0) };
        driver.check(status, "starting the NVIDIA driver")?;
        Ok(driver)
    }

    /// Converts a status to a result. `doing` names the step as a gerund.
    pub(super) fn check(&self, status: c_int, doing: &'static str) -> Result<(), DriverError> {
        match status {
            0 => Ok(()),
            code => Err(self.error(code, doing)),
        }
    }

    /// Creates the error for a failed allocation.
    pub(super) fn out_of_memory(&self, doing: &'static str) -> DriverError {
        self.error(DriverError::OUT_OF_MEMORY, doing)
    }

    /// Creates the error for a driver without devices.
    pub(super) fn no_device(&self) -> DriverError {
        self.error(DriverError::NO_DEVICE, "looking for GPUs")
    }

    fn error(&self, code: c_int, doing: &'static str) -> DriverError {
        DriverError { code, doing, description: self.describe(code) }
    }

    /// Returns the driver's description of an error code.
    fn describe(&self, code: c_int) -> String {
        let functions = &self.functions;
        let text = |function: unsafe extern "C" fn(c_int, *mut *const c_char) -> c_int| {
            let mut text = ptr::null();
            // SAFETY: the function writes an address, or null for a code that it does not know.
            let status = unsafe { function(code, &mut text) };
            // SAFETY: the address is that of a constant string of the driver, which ends with a zero
            // byte.
            let description = || unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned();
            (status == 0 && !text.is_null()).then(description)
        };
        match (text(functions.error_string), text(functions.error_name)) {
            (Some(description), Some(name)) => format!("{description} ({name})"),
            _ => format!("driver error {code}"),
        }
    }
}

/// An error returned by a driver call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DriverError {
    /// The code, a value of the driver's `CUresult`. It may be one that this program does not know.
    pub(super) code: c_int,
    /// The failed step, as a gerund.
    doing: &'static str,
    /// The driver's description of the code.
    description: String,
}

/// Codes of `CUresult` that have their own message or hint.
impl DriverError {
    pub(super) const OUT_OF_MEMORY: c_int = 2;
    const DEVICE_UNAVAILABLE: c_int = 46;
    pub(super) const NO_DEVICE: c_int = 100;
    const NO_BINARY_FOR_GPU: c_int = 209;
    const ECC_UNCORRECTABLE: c_int = 214;
    const INVALID_PTX: c_int = 218;
    const UNSUPPORTED_PTX_VERSION: c_int = 222;
    const JIT_COMPILER_NOT_FOUND: c_int = 221;
    const ILLEGAL_ADDRESS: c_int = 700;
    const LAUNCH_TIMEOUT: c_int = 702;
    const LAUNCH_FAILED: c_int = 719;
    const SYSTEM_NOT_READY: c_int = 802;
    const SYSTEM_DRIVER_MISMATCH: c_int = 803;
    const UNKNOWN: c_int = 999;

    /// Returns what the user can do about the error.
    pub(super) fn hint(&self) -> Option<&'static str> {
        Some(match self.code {
            DriverError::OUT_OF_MEMORY => {
                "other programs use the GPU's memory; end them or use another device"
            }
            DriverError::DEVICE_UNAVAILABLE => {
                "another program has exclusive use of the GPU; end it or use another device"
            }
            DriverError::NO_DEVICE => {
                if env::var_os("CUDA_VISIBLE_DEVICES").is_some() {
                    "CUDA_VISIBLE_DEVICES is set and may hide the device"
                } else {
                    "run `nvidia-smi` to see which devices the driver finds"
                }
            }
            DriverError::NO_BINARY_FOR_GPU
            | DriverError::INVALID_PTX
            | DriverError::UNSUPPORTED_PTX_VERSION
            | DriverError::JIT_COMPILER_NOT_FOUND => {
                "the driver cannot compile the kernels; install a newer driver"
            }
            DriverError::ECC_UNCORRECTABLE => "the GPU reports memory errors; have it checked",
            DriverError::LAUNCH_TIMEOUT => {
                "the system stops kernels that block the display for too long; use a GPU without a \
                 display"
            }
            DriverError::ILLEGAL_ADDRESS | DriverError::LAUNCH_FAILED | DriverError::UNKNOWN => {
                "try again; if it fails again, check the GPU and its driver, or use `--backend cpu`"
            }
            DriverError::SYSTEM_NOT_READY => {
                "the GPUs are still being initialized; wait, or start nvidia-fabricmanager"
            }
            DriverError::SYSTEM_DRIVER_MISMATCH => {
                "the driver was updated while in use; restart the machine"
            }
            _ => return None,
        })
    }
}

impl fmt::Display for DriverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.code {
            DriverError::NO_DEVICE => f.write_str("the NVIDIA driver finds no GPU"),
            _ => write!(f, "{}: {}", self.doing, self.description),
        }
    }
}

impl From<DriverError> for DeviceError {
    fn from(error: DriverError) -> DeviceError {
        DeviceError { reason: error.to_string(), hint: error.hint().map(str::to_owned) }
    }
}

impl std::error::Error for DriverError {}
