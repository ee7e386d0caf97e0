//! A card's context with the kernels loaded into it, and streams to launch them on.

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

use queens_gpu::halves::Launch;

use super::driver::{Driver, DriverError};

/// The context that all users of a card in this process share.
#[derive(Debug)]
pub(super) struct Context {
    pub(super) driver: &'static Driver,
    device: CUdevice,
    raw: CUcontext,
}

// SAFETY: the driver locks contexts itself; any thread may use one, at any time.
unsafe impl Send for Context {}
// SAFETY: what threads do with a context at the same time the driver puts in order.
unsafe impl Sync for Context {}

impl Context {
    /// The context of a card, made if nobody has it yet. Waiting in it leaves the processor to
    /// others.
    pub(super) fn new(driver: &'static Driver, device: CUdevice) -> Result<Context, DriverError> {
        let blocking = CUctx_flags::CU_CTX_SCHED_BLOCKING_SYNC as u32;
        // SAFETY: the device is one that the driver has named. This is a wish: where somebody has
        // the context already, it stays as it is.
        let _ = unsafe { (driver.functions.context_set_flags)(device, blocking) };
        let mut raw = ptr::null_mut();
        // SAFETY: the driver has named the device, and the context is written to a variable of its
        // type.
        let status = unsafe { (driver.functions.context_retain)(&mut raw, device) };
        driver.check(status, "opening the GPU")?;
        Ok(Context { driver, device, raw })
    }

    /// Lets this thread use the context, which every thread has to ask for once.
    pub(super) fn enter(&self) -> Result<(), DriverError> {
        // SAFETY: the context lives as long as `self`.
        let status = unsafe { (self.driver.functions.context_set_current)(self.raw) };
        self.driver.check(status, "opening the GPU")
    }

    /// The bytes of the card's memory that nobody has taken. This thread must have entered.
    pub(super) fn free_memory(&self) -> Result<usize, DriverError> {
        let (mut free, mut total) = (0, 0);
        // SAFETY: both are written to variables of their type.
        let status = unsafe { (self.driver.functions.memory_info)(&mut free, &mut total) };
        self.driver.check(status, "querying the free memory")?;
        Ok(free)
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // Nobody can be told; a card that has failed refuses even this.
        // SAFETY: whatever was made in the context holds a clone of its `Arc`, so this is the end.
        let _ = unsafe { (self.driver.functions.context_release)(self.device) };
    }
}

/// The kernels, loaded into a context.
#[derive(Debug)]
pub(super) struct Module {
    context: Arc<Context>,
    raw: CUmodule,
}

// SAFETY: a module belongs to its context, which any thread may use.
unsafe impl Send for Module {}
// SAFETY: nothing changes a module that is loaded; threads only look up its functions.
unsafe impl Sync for Module {}

impl Module {
    /// Has the driver translate `ptx`. This thread must have entered the context.
    pub(super) fn load(context: &Arc<Context>, ptx: &str) -> Result<Module, DriverError> {
        // A zero byte would end it early, which the driver would notice.
        let text = CString::new(ptx).unwrap_or_default();
        let mut raw = ptr::null_mut();
        let driver = context.driver;
        // SAFETY: the text ends in a zero byte and is only read during the call.
        let status = unsafe { (driver.functions.module_load)(&mut raw, text.as_ptr().cast()) };
        driver.check(status, "loading the kernels")?;
        Ok(Module { context: Arc::clone(context), raw })
    }

    /// A kernel by its name.
    pub(super) fn kernel(self: &Arc<Module>, name: &CStr) -> Result<Kernel, DriverError> {
        let mut raw = ptr::null_mut();
        let driver = self.context.driver;
        // SAFETY: module and name are valid, and the function is written to a variable of its
        // type.
        let status =
            unsafe { (driver.functions.module_function)(&mut raw, self.raw, name.as_ptr()) };
        driver.check(status, "loading the kernels")?;
        Ok(Kernel { module: Arc::clone(self), raw })
    }
}

impl Drop for Module {
    fn drop(&mut self) {
        let _ = self.context.enter();
        // SAFETY: whoever launches its kernels holds a clone of its `Arc`, so this is the end.
        let _ = unsafe { (self.context.driver.functions.module_unload)(self.raw) };
    }
}

/// How a kernel is launched: the number of blocks, of threads in each, and the bytes of shared
/// memory that each block gets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub(super) blocks: u32,
    pub(super) threads: u32,
    pub(super) shared: u32,
}

/// What a kernel is called with.
#[derive(Clone, Copy, Debug)]
pub(super) enum Argument {
    /// The address of device memory.
    Address(u64),
    /// A number.
    Word(u32),
    /// What a launch of half-board matching is told.
    Launch([u32; Launch::WORDS]),
}

/// A function that runs on the card.
#[derive(Clone, Debug)]
pub(super) struct Kernel {
    module: Arc<Module>,
    raw: CUfunction,
}

// SAFETY: a function belongs to its module, which any thread may use.
unsafe impl Send for Kernel {}
// SAFETY: launches read a function, and the driver locks what its attributes change.
unsafe impl Sync for Kernel {}

impl Kernel {
    /// Allows launches with up to `bytes` of shared memory in each block, and asks for as much
    /// shared memory on each multiprocessor as there is.
    pub(super) fn allow_shared(&self, bytes: u32) -> Result<(), DriverError> {
        use CUfunction_attribute as Attribute;
        let bytes = i32::try_from(bytes).unwrap_or(i32::MAX);
        self.set(Attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, bytes)?;
        self.set(Attribute::CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 100)
    }

    fn set(&self, attribute: CUfunction_attribute, value: i32) -> Result<(), DriverError> {
        let driver = self.module.context.driver;
        // SAFETY: the function is valid; the driver refuses what the card does not have.
        let status = unsafe { (driver.functions.function_set)(self.raw, attribute, value) };
        driver.check(status, "allocating shared memory")
    }

    /// How many blocks with this many threads and bytes of shared memory a multiprocessor runs at
    /// once.
    pub(super) fn blocks_at_once(&self, threads: u32, shared: u32) -> Result<u32, DriverError> {
        let mut blocks = 0;
        let driver = self.module.context.driver;
        let threads = i32::try_from(threads).unwrap_or(i32::MAX);
        // SAFETY: the function is valid and the number is written to a variable of its type.
        let status = unsafe {
            (driver.functions.function_blocks)(&mut blocks, self.raw, threads, shared as usize)
        };
        driver.check(status, "querying the occupancy")?;
        Ok(blocks.try_into().unwrap_or(0))
    }

    /// Puts a launch on a stream; it runs when what was put there before is done.
    ///
    /// # Safety
    /// The arguments must be those of the kernel, in number, kind and order, and the memory that
    /// they name must live until the stream is synchronized and be as large as the kernel takes
    /// it to be.
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
                Argument::Launch(words) => words.as_ptr().cast_mut().cast(),
            }
        };
        let mut addresses: Vec<*mut c_void> = arguments.iter().map(address_of).collect();
        let driver = self.module.context.driver;
        // SAFETY: function and stream are of one context; the values behind the addresses are
        // read during the call; the rest is the caller's promise.
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

/// Commands that the card carries out one after another.
#[derive(Debug)]
pub(super) struct Stream {
    context: Arc<Context>,
    pub(super) raw: CUstream,
}

impl Stream {
    /// A stream that waits for no other. This thread must have entered the context.
    pub(super) fn new(context: &Arc<Context>) -> Result<Stream, DriverError> {
        let mut raw = ptr::null_mut();
        let flags = CUstream_flags::CU_STREAM_NON_BLOCKING as u32;
        // SAFETY: the stream is written to a variable of its type.
        let status = unsafe { (context.driver.functions.stream_create)(&mut raw, flags) };
        context.driver.check(status, "creating a stream")?;
        Ok(Stream { context: Arc::clone(context), raw })
    }

    /// Waits until everything is done. `doing` is what that was, as a gerund: what failed on the
    /// card itself is told here.
    pub(super) fn synchronize(&self, doing: &'static str) -> Result<(), DriverError> {
        // SAFETY: the stream is valid.
        let status = unsafe { (self.context.driver.functions.stream_synchronize)(self.raw) };
        self.context.driver.check(status, doing)
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        // SAFETY: the stream is valid, and nobody else has it.
        let _ = unsafe { (self.context.driver.functions.stream_destroy)(self.raw) };
    }
}
