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
    ptr,
    sync::OnceLock,
};

use cudarc::driver::sys::{
    self, CUcontext, CUdevice, CUdevice_attribute, CUdeviceptr, CUfunction, CUfunction_attribute,
    CUmodule, CUresult as Code, CUstream,
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
    pub(super) fn check(&self, status: c_int, doing: &str) -> Result<(), DeviceError> {
        match status {
            0 => Ok(()),
            code => Err(self.error(code, doing)),
        }
    }

    /// Returns the number of devices, at least 1.
    pub(super) fn device_count(&self) -> Result<usize, DeviceError> {
        let (mut count, doing) = (0, "looking for GPUs");
        // SAFETY: the number is written to a variable of its type.
        self.check(unsafe { (self.functions.device_count)(&mut count) }, doing)?;
        let count = usize::try_from(count).ok().filter(|&count| count > 0);
        count.ok_or_else(|| self.error(NO_DEVICE, doing))
    }

    /// Creates the error for a code, a value of the driver's `CUresult`. It may be one that this program does
    /// not know.
    fn error(&self, code: c_int, doing: &str) -> DeviceError {
        let reason = match code {
            NO_DEVICE => "the NVIDIA driver finds no GPU".to_owned(),
            _ => format!("{doing}: {}", self.describe(code)),
        };
        let hint = hint(code).map(str::to_owned);
        DeviceError { reason, hint, is_out_of_memory: code == OUT_OF_MEMORY }
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

const OUT_OF_MEMORY: c_int = Code::CUDA_ERROR_OUT_OF_MEMORY as c_int;
const NO_DEVICE: c_int = Code::CUDA_ERROR_NO_DEVICE as c_int;

/// Error codes with what the user can do about them.
const HINTS: [(&[Code], &str); 8] = [
    (
        &[Code::CUDA_ERROR_OUT_OF_MEMORY],
        "other programs use the GPU's memory; end them or use another device",
    ),
    (
        &[Code::CUDA_ERROR_DEVICE_UNAVAILABLE],
        "another program has exclusive use of the GPU; end it or use another device",
    ),
    (
        &[
            Code::CUDA_ERROR_NO_BINARY_FOR_GPU,
            Code::CUDA_ERROR_INVALID_PTX,
            Code::CUDA_ERROR_UNSUPPORTED_PTX_VERSION,
            Code::CUDA_ERROR_JIT_COMPILER_NOT_FOUND,
        ],
        "the driver cannot compile the kernels; install a newer driver",
    ),
    (&[Code::CUDA_ERROR_ECC_UNCORRECTABLE], "the GPU reports memory errors; have it checked"),
    (
        &[Code::CUDA_ERROR_LAUNCH_TIMEOUT],
        "the system stops kernels that block the display for too long; use a GPU without a display",
    ),
    (
        &[
            Code::CUDA_ERROR_ILLEGAL_ADDRESS,
            Code::CUDA_ERROR_LAUNCH_FAILED,
            Code::CUDA_ERROR_UNKNOWN,
        ],
        "try again; if it fails again, check the GPU and its driver, or use `--backend cpu`",
    ),
    (
        &[Code::CUDA_ERROR_SYSTEM_NOT_READY],
        "the GPUs are still being initialized; wait, or start nvidia-fabricmanager",
    ),
    (
        &[Code::CUDA_ERROR_SYSTEM_DRIVER_MISMATCH],
        "the driver was updated while in use; restart the machine",
    ),
];

/// Returns what the user can do about an error.
fn hint(code: c_int) -> Option<&'static str> {
    if code == NO_DEVICE {
        return Some(match env::var_os("CUDA_VISIBLE_DEVICES") {
            Some(_) => "CUDA_VISIBLE_DEVICES is set and may hide the device",
            None => "run `nvidia-smi` to see which devices the driver finds",
        });
    }
    let is_of = |codes: &[Code]| codes.iter().any(|&known| known as c_int == code);
    HINTS.iter().find(|(codes, _)| is_of(codes)).map(|&(_, hint)| hint)
}
