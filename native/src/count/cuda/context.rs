//! Context of a device, kernels loaded into it, and streams to launch them on.

#![expect(unsafe_code, reason = "the functions of the driver are C functions")]

use std::{
    ffi::{CStr, CString, c_void},
    ptr,
    sync::Arc,
};

use cudarc::driver::sys::{
    CUcontext, CUctx_flags, CUdevice, CUfunction, CUfunction_attribute, CUmodule, CUstream,
    CUstream_flags,
};

use super::driver::{Driver, DriverError};

/// The device's primary context, shared by all users of the device in this process.
#[derive(Debug)]
pub(super) struct Context {
    pub(super) driver: &'static Driver,
    device: CUdevice,
    raw: CUcontext,
}

// SAFETY: a context is not bound to the thread that created it.
unsafe impl Send for Context {}
// SAFETY: the driver synchronizes concurrent uses of a context.
unsafe impl Sync for Context {}

impl Context {
    /// Retains the primary context of a device, which the driver creates if necessary. Threads that wait
    /// for the GPU sleep instead of spinning.
    pub(super) fn new(driver: &'static Driver, device: CUdevice) -> Result<Context, DriverError> {
        let blocking = CUctx_flags::CU_CTX_SCHED_BLOCKING_SYNC as u32;
        // SAFETY: the driver returned the device. The flag is only a request: it has no effect if the
        // context already exists.
        let _ = unsafe { (driver.functions.context_set_flags)(device, blocking) };
        let mut raw = ptr::null_mut();
        // SAFETY: the driver returned the device, and the context is written to a variable of its type.
        let status = unsafe { (driver.functions.context_retain)(&mut raw, device) };
        driver.check(status, "opening the GPU")?;
        Ok(Context { driver, device, raw })
    }

    /// Makes the context current for this thread. Each thread must call this once.
    pub(super) fn enter(&self) -> Result<(), DriverError> {
        // SAFETY: the context lives as long as `self`.
        let status = unsafe { (self.driver.functions.context_set_current)(self.raw) };
        self.driver.check(status, "opening the GPU")
    }

    /// Returns the number of free bytes of the GPU's memory. The context must be current on this thread.
    pub(super) fn free_memory(&self) -> Result<usize, DriverError> {
        let (mut free, mut total) = (0, 0);
        // SAFETY: the driver writes both sizes to variables of their type.
        let status = unsafe { (self.driver.functions.memory_info)(&mut free, &mut total) };
        self.driver.check(status, "querying the free memory")?;
        Ok(free)
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // Errors are ignored: no caller can handle them, and after a GPU failure even this call fails.
        // SAFETY: everything created in the context holds a clone of its `Arc`, so this is the last use.
        let _ = unsafe { (self.driver.functions.context_release)(self.device) };
    }
}

/// A module: the kernels of one PTX file, loaded into a context.
#[derive(Debug)]
pub(super) struct Module {
    context: Arc<Context>,
    raw: CUmodule,
}

// SAFETY: a module belongs to its context, which any thread may use.
unsafe impl Send for Module {}
// SAFETY: a loaded module does not change; threads only look up its functions.
unsafe impl Sync for Module {}

impl Module {
    /// Compiles `ptx` with the driver. The context must be current on this thread.
    pub(super) fn load(context: &Arc<Context>, ptx: &str) -> Result<Module, DriverError> {
        // PTX contains no zero byte. If it did, the driver would report an error for the empty text.
        let text = CString::new(ptx).unwrap_or_default();
        let mut raw = ptr::null_mut();
        let driver = context.driver;
        // SAFETY: the text ends in a zero byte and is only read during the call.
        let status = unsafe { (driver.functions.module_load)(&mut raw, text.as_ptr().cast()) };
        driver.check(status, "loading the kernels")?;
        Ok(Module { context: Arc::clone(context), raw })
    }

    /// Returns the kernel with this name.
    pub(super) fn kernel(self: &Arc<Module>, name: &CStr) -> Result<CudaFunction, DriverError> {
        let mut raw = ptr::null_mut();
        let driver = self.context.driver;
        // SAFETY: module and name are valid, and the function is written to a variable of its type.
        let status =
            unsafe { (driver.functions.module_function)(&mut raw, self.raw, name.as_ptr()) };
        driver.check(status, "loading the kernels")?;
        Ok(CudaFunction { module: Arc::clone(self), raw })
    }
}

impl Drop for Module {
    fn drop(&mut self) {
        let _ = self.context.enter();
        // SAFETY: every `CudaFunction` of the module holds a clone of its `Arc`, and a queue waits for its
        // launches before it drops them, so this is the last use.
        let _ = unsafe { (self.context.driver.functions.module_unload)(self.raw) };
    }
}

/// Launch configuration: the number of blocks, threads per block, and bytes of shared memory per block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub(super) blocks: u32,
    pub(super) threads: u32,
    pub(super) shared: u32,
}

/// An argument of a kernel.
#[derive(Clone, Copy, Debug)]
pub(super) enum Argument {
    /// Address of GPU memory.
    Address(u64),
    /// A 32-bit integer.
    Word(u32),
}

/// A kernel that can be launched.
#[derive(Clone, Debug)]
pub(super) struct CudaFunction {
    module: Arc<Module>,
    raw: CUfunction,
}

// SAFETY: a function belongs to its module, which any thread may use.
unsafe impl Send for CudaFunction {}
// SAFETY: launches only read a function, and the driver locks its attributes.
unsafe impl Sync for CudaFunction {}

impl CudaFunction {
    /// Allows up to `bytes` of shared memory per block, and requests the largest possible shared memory
    /// per multiprocessor.
    pub(super) fn allow_shared(&self, bytes: u32) -> Result<(), DriverError> {
        use CUfunction_attribute as Attribute;
        let bytes = i32::try_from(bytes).unwrap_or(i32::MAX);
        self.set(Attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, bytes)?;
        self.set(Attribute::CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 100)
    }

    fn set(&self, attribute: CUfunction_attribute, value: i32) -> Result<(), DriverError> {
        let driver = self.module.context.driver;
        // SAFETY: the function is valid; the driver rejects values that the GPU does not support.
        let status = unsafe { (driver.functions.function_set)(self.raw, attribute, value) };
        driver.check(status, "allocating shared memory")
    }

    /// Returns the number of blocks that a multiprocessor runs at the same time, if each block has `threads`
    /// threads and `shared` bytes of shared memory.
    pub(super) fn blocks_at_once(&self, threads: u32, shared: u32) -> Result<u32, DriverError> {
        let mut blocks = 0;
        let driver = self.module.context.driver;
        let threads = i32::try_from(threads).unwrap_or(i32::MAX);
        // SAFETY: the function is valid and the number is written to a variable of its type.
        let status = unsafe {
            (driver.functions.max_blocks_per_multiprocessor)(
                &mut blocks,
                self.raw,
                threads,
                shared as usize,
            )
        };
        driver.check(status, "querying the occupancy")?;
        Ok(blocks.try_into().unwrap_or(0))
    }

    /// Enqueues a launch on a stream. It starts after the earlier commands of the stream.
    ///
    /// # Safety
    /// The arguments must match those of the kernel in number, type and order. The memory that they refer
    /// to must be as large as the kernel expects, and live until the stream is synchronized. The stream must
    /// belong to the kernel's context.
    pub(super) unsafe fn launch(
        &self,
        stream: &Stream,
        shape: Shape,
        arguments: &[Argument],
    ) -> Result<(), DriverError> {
        let address_of = |argument: &Argument| -> *mut c_void {
            match argument {
                Argument::Address(address) => ptr::from_ref(address).cast_mut().cast(),
                Argument::Word(word) => ptr::from_ref(word).cast_mut().cast(),
            }
        };
        let mut addresses: Vec<*mut c_void> = arguments.iter().map(address_of).collect();
        let driver = self.module.context.driver;
        // SAFETY: the argument values are read during the call; the caller guarantees the rest.
        let status = unsafe {
            (driver.functions.launch)(
                self.raw,
                shape.blocks,
                1,
                1,
                shape.threads,
                1,
                1,
                shape.shared,
                stream.raw,
                addresses.as_mut_ptr(),
                ptr::null_mut(),
            )
        };
        driver.check(status, "launching a kernel")
    }
}

/// A queue of commands that the GPU executes in order.
#[derive(Debug)]
pub(super) struct Stream {
    context: Arc<Context>,
    pub(super) raw: CUstream,
}

impl Stream {
    /// Creates a stream that does not wait for other streams. The context must be current on this thread.
    pub(super) fn new(context: &Arc<Context>) -> Result<Stream, DriverError> {
        let mut raw = ptr::null_mut();
        let flags = CUstream_flags::CU_STREAM_NON_BLOCKING as u32;
        // SAFETY: the stream is written to a variable of its type.
        let status = unsafe { (context.driver.functions.stream_create)(&mut raw, flags) };
        context.driver.check(status, "creating a stream")?;
        Ok(Stream { context: Arc::clone(context), raw })
    }

    /// Waits until all commands of the stream are done, and returns any error that occurred on the GPU.
    /// `doing` is a gerund for the message.
    pub(super) fn synchronize(&self, doing: &'static str) -> Result<(), DriverError> {
        // SAFETY: the stream is valid.
        let status = unsafe { (self.context.driver.functions.stream_synchronize)(self.raw) };
        self.context.driver.check(status, doing)
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        // SAFETY: the stream is valid and has no other owner.
        let _ = unsafe { (self.context.driver.functions.stream_destroy)(self.raw) };
    }
}
