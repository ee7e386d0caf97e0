//! GPU memory, and page-locked host memory for transfers.

#![expect(unsafe_code, reason = "the functions of the driver are C functions")]

use std::{
    marker::PhantomData,
    ops::{Deref, DerefMut},
    ptr::{self, NonNull},
    slice,
    sync::Arc,
};

use super::{
    context::{Argument, Context, Stream},
    driver::DriverError,
};

/// An integer type that can be copied to and from GPU memory.
///
/// # Safety
/// All bit patterns must be valid values of the type.
pub(super) unsafe trait Word: Copy + Default + 'static {}

// SAFETY: any 32 bits are a valid `u32`.
unsafe impl Word for u32 {}
// SAFETY: any 64 bits are a valid `u64`.
unsafe impl Word for u64 {}

/// An array of words in GPU memory.
#[derive(Debug)]
pub(super) struct DeviceMemory<T> {
    context: Arc<Context>,
    address: u64,
    len: usize,
    word: PhantomData<T>,
}

impl<T: Word> DeviceMemory<T> {
    /// Allocates `len` uninitialized words; `len` must not be 0. The context must be current on this
    /// thread.
    pub(super) fn new(context: &Arc<Context>, len: usize) -> Result<DeviceMemory<T>, DriverError> {
        let mut address = 0;
        let bytes = len * size_of::<T>();
        // SAFETY: the address is written to a variable of its type.
        let status = unsafe { (context.driver.functions.memory_alloc)(&mut address, bytes) };
        context.driver.check(status, "allocating GPU memory")?;
        Ok(DeviceMemory { context: Arc::clone(context), address, len, word: PhantomData })
    }

    /// Returns the address in the GPU's address space.
    pub(super) fn address(&self) -> u64 {
        self.address
    }

    /// Returns the address as a kernel argument.
    pub(super) fn argument(&self) -> Argument {
        Argument::Address(self.address)
    }

    /// Returns the size in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.len * size_of::<T>()
    }

    /// Returns the size in words.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Copies the first `words` words of `from` to the start of this memory, after the earlier commands
    /// on the stream, and waits for the copy.
    pub(super) fn copy_from(
        &mut self,
        from: &HostMemory<T>,
        words: usize,
        stream: &Stream,
    ) -> Result<(), DriverError> {
        let bytes = words.min(from.len()).min(self.len) * size_of::<T>();
        let driver = self.context.driver;
        // SAFETY: both sides have at least this size, and the call below waits for the copy.
        let status = unsafe {
            let from = from.as_ptr().cast();
            (driver.functions.copy_to_device)(self.address, from, bytes, stream.raw)
        };
        let copied = driver.check(status, "copying to the GPU");
        copied.and(stream.synchronize("copying to the GPU"))
    }

    /// Copies the first `words` words to the start of `to`, after the earlier commands on the stream, and
    /// waits for the copy. `doing` describes these commands in errors.
    pub(super) fn copy_to(
        &self,
        to: &mut HostMemory<T>,
        words: usize,
        stream: &Stream,
        doing: &'static str,
    ) -> Result<(), DriverError> {
        let bytes = words.min(to.len()).min(self.len) * size_of::<T>();
        let driver = self.context.driver;
        // SAFETY: both sides have at least this size, and the call below waits for the copy.
        let status = unsafe {
            let to = to.as_mut_ptr().cast();
            (driver.functions.copy_to_host)(to, self.address, bytes, stream.raw)
        };
        let copied = driver.check(status, doing);
        copied.and(stream.synchronize(doing))
    }

    /// Enqueues the zeroing of the first `words` words.
    pub(super) fn clear(&mut self, words: usize, stream: &Stream) -> Result<(), DriverError> {
        self.fill(0, words.min(self.len) * size_of::<T>() / size_of::<u32>(), stream)
    }

    /// Enqueues filling the first `words` 32-bit words with `value`. The memory must be at least this
    /// large.
    fn fill(&mut self, value: u32, words: usize, stream: &Stream) -> Result<(), DriverError> {
        let driver = self.context.driver;
        // SAFETY: the memory has at least this many 32-bit words.
        let status =
            unsafe { (driver.functions.fill_words)(self.address, value, words, stream.raw) };
        driver.check(status, "clearing GPU memory")
    }
}

impl DeviceMemory<u32> {
    /// Enqueues setting the first word to `value`.
    pub(super) fn set_first_word(
        &mut self,
        value: u32,
        stream: &Stream,
    ) -> Result<(), DriverError> {
        self.fill(value, self.len.min(1), stream)
    }
}

impl<T> Drop for DeviceMemory<T> {
    fn drop(&mut self) {
        // SAFETY: this value owns the memory, and the driver waits for launches that use it.
        let _ = unsafe { (self.context.driver.functions.memory_free)(self.address) };
    }
}

/// An array of words in page-locked host memory, which the GPU reads and writes directly (DMA).
#[derive(Debug)]
pub(super) struct HostMemory<T> {
    context: Arc<Context>,
    start: NonNull<T>,
    len: usize,
}

impl<T: Word> HostMemory<T> {
    /// Allocates `len` words, all zero; `len` must not be 0. The context must be current on this
    /// thread.
    pub(super) fn new(context: &Arc<Context>, len: usize) -> Result<HostMemory<T>, DriverError> {
        let mut start = ptr::null_mut();
        let bytes = len * size_of::<T>();
        // SAFETY: the address is written to a variable of its type.
        let status = unsafe { (context.driver.functions.host_alloc)(&mut start, bytes) };
        context.driver.check(status, "allocating host memory")?;
        let Some(start) = NonNull::new(start.cast::<T>()) else {
            return Err(context.driver.out_of_memory("allocating host memory"));
        };
        // SAFETY: the memory belongs to this function, is page-aligned and has this size.
        unsafe { ptr::write_bytes(start.as_ptr(), 0, len) };
        Ok(HostMemory { context: Arc::clone(context), start, len })
    }
}

impl<T: Word> Deref for HostMemory<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        // SAFETY: the words were initialized after the allocation, and the memory lives as long as
        // `self`.
        unsafe { slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

impl<T: Word> DerefMut for HostMemory<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: the words were initialized after the allocation, the memory lives as long as `self`,
        // and the reference is exclusive.
        unsafe { slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
    }
}

impl<T> Drop for HostMemory<T> {
    fn drop(&mut self) {
        // SAFETY: this value owns the memory, and every copy ends before the call that starts it returns.
        let _ = unsafe { (self.context.driver.functions.host_free)(self.start.as_ptr().cast()) };
    }
}
