//! Memory of the card, and memory of the host that the card reads and writes by itself.

#![expect(unsafe_code, reason = "the functions of the driver are C functions")]

use std::{
    marker::PhantomData,
    ops::{Deref, DerefMut, Range},
    ptr::{self, NonNull},
    slice,
    sync::Arc,
};

use super::{
    context::{Argument, Context, Stream},
    driver::DriverError,
};

/// A type all of whose bit patterns are values.
///
/// # Safety
/// That must be so.
pub(super) unsafe trait Word: Copy + Default + 'static {}

// SAFETY: any 32 bits are an integer.
unsafe impl Word for u32 {}
// SAFETY: any 64 bits are one, too.
unsafe impl Word for u64 {}

/// A row of words in the memory of the card.
#[derive(Debug)]
pub(super) struct DeviceMemory<T> {
    context: Arc<Context>,
    address: u64,
    words: usize,
    of: PhantomData<T>,
}

impl<T: Word> DeviceMemory<T> {
    /// Memory for so many words, at least one, of any content. This thread must have entered the
    /// context.
    pub(super) fn new(
        context: &Arc<Context>,
        words: usize,
    ) -> Result<DeviceMemory<T>, DriverError> {
        let mut address = 0;
        let bytes = words * size_of::<T>();
        // SAFETY: the address is written to a variable of its type.
        let status = unsafe { (context.driver.functions.memory_alloc)(&mut address, bytes) };
        context.driver.check(status, "allocating GPU memory")?;
        Ok(DeviceMemory { context: Arc::clone(context), address, words, of: PhantomData })
    }

    /// Where it begins, in the card's own numbers.
    pub(super) fn address(&self) -> u64 {
        self.address
    }

    /// Its address, for a kernel.
    pub(super) fn argument(&self) -> Argument {
        Argument::Address(self.address)
    }

    /// Its size.
    pub(super) fn bytes(&self) -> usize {
        self.words * size_of::<T>()
    }

    /// How many words it holds.
    pub(super) fn len(&self) -> usize {
        self.words
    }

    /// Copies the first `words` words of `from` to its start, once everything on the stream is
    /// done.
    pub(super) fn copy_from(
        &mut self,
        from: &HostMemory<T>,
        words: usize,
        stream: &Stream,
    ) -> Result<(), DriverError> {
        let bytes = words.min(from.len()).min(self.words) * size_of::<T>();
        let driver = self.context.driver;
        // SAFETY: both sides hold that many bytes, and the call below waits for the copy.
        let status = unsafe {
            let from = from.as_ptr().cast();
            (driver.functions.copy_to_device)(self.address, from, bytes, stream.raw)
        };
        let copied = driver.check(status, "copying to the GPU");
        copied.and(stream.synchronize("copying to the GPU"))
    }

    /// Copies its first `words` words to the start of `to`, once everything on the stream is
    /// done. `doing` is what the stream does.
    pub(super) fn copy_to(
        &self,
        to: &mut HostMemory<T>,
        words: usize,
        stream: &Stream,
        doing: &'static str,
    ) -> Result<(), DriverError> {
        let bytes = words.min(to.len()).min(self.words) * size_of::<T>();
        let driver = self.context.driver;
        // SAFETY: both sides hold that many bytes, and the call below waits for the copy.
        let status = unsafe {
            let to = to.as_mut_ptr().cast();
            (driver.functions.copy_to_host)(to, self.address, bytes, stream.raw)
        };
        let copied = driver.check(status, doing);
        copied.and(stream.synchronize(doing))
    }

    /// Writes words from a place on, by way of `staging`, once everything on the stream is done.
    pub(super) fn write(
        &mut self,
        from: usize,
        words: &[T],
        staging: &mut HostMemory<T>,
        stream: &Stream,
    ) -> Result<(), DriverError> {
        let driver = self.context.driver;
        let fitting = words.len().min(self.words.saturating_sub(from));
        let pieces = words.get(..fitting).unwrap_or_default().chunks(staging.len().max(1));
        let mut to = self.address + (from * size_of::<T>()) as u64;
        for piece in pieces {
            for (staged, &word) in staging.iter_mut().zip(piece) {
                *staged = word;
            }
            let bytes = size_of_val(piece);
            // SAFETY: both sides hold that many bytes, and the call below waits for the copy.
            let status = unsafe {
                (driver.functions.copy_to_device)(to, staging.as_ptr().cast(), bytes, stream.raw)
            };
            let copied = driver.check(status, "copying to the GPU");
            copied.and(stream.synchronize("copying to the GPU"))?;
            to += bytes as u64;
        }
        Ok(())
    }

    /// Reads as many words as `staging` has, or fewer, from a place on, once everything on the
    /// stream is done. `doing` is what the stream does.
    pub(super) fn read(
        &self,
        words: Range<usize>,
        staging: &mut HostMemory<T>,
        stream: &Stream,
        doing: &'static str,
    ) -> Result<Vec<T>, DriverError> {
        let end = words.end.min(self.words);
        let length = end.saturating_sub(words.start).min(staging.len());
        let from = self.address + (words.start * size_of::<T>()) as u64;
        let driver = self.context.driver;
        // SAFETY: both sides hold that many bytes, and the call below waits for the copy.
        let status = unsafe {
            let to = staging.as_mut_ptr().cast();
            (driver.functions.copy_to_host)(to, from, length * size_of::<T>(), stream.raw)
        };
        let copied = driver.check(status, doing);
        copied.and(stream.synchronize(doing))?;
        Ok(staging.iter().take(length).copied().collect())
    }

    /// Puts the clearing of its first `words` words on a stream.
    pub(super) fn clear(&mut self, words: usize, stream: &Stream) -> Result<(), DriverError> {
        self.fill(0, words.min(self.words) * size_of::<T>() / size_of::<u32>(), stream)
    }

    /// Puts the filling of its first `words` 32-bit words, of which it has as many, on a stream.
    fn fill(&mut self, value: u32, words: usize, stream: &Stream) -> Result<(), DriverError> {
        let driver = self.context.driver;
        // SAFETY: the memory holds that many 32-bit words.
        let status =
            unsafe { (driver.functions.fill_words)(self.address, value, words, stream.raw) };
        driver.check(status, "clearing GPU memory")
    }
}

impl DeviceMemory<u32> {
    /// Puts the setting of its first word on a stream.
    pub(super) fn set(&mut self, value: u32, stream: &Stream) -> Result<(), DriverError> {
        self.fill(value, self.words.min(1), stream)
    }
}

impl<T> Drop for DeviceMemory<T> {
    fn drop(&mut self) {
        // SAFETY: the memory is ours, and the driver waits for launches that use it.
        let _ = unsafe { (self.context.driver.functions.memory_free)(self.address) };
    }
}

/// A row of words in memory of the host that stays where it is, so that the card copies it without
/// the processor's help.
#[derive(Debug)]
pub(super) struct HostMemory<T> {
    context: Arc<Context>,
    start: NonNull<T>,
    words: usize,
}

impl<T: Word> HostMemory<T> {
    /// Memory for so many words, at least one, all zero. This thread must have entered the
    /// context.
    pub(super) fn new(context: &Arc<Context>, words: usize) -> Result<HostMemory<T>, DriverError> {
        let mut start = ptr::null_mut();
        let bytes = words * size_of::<T>();
        // SAFETY: the address is written to a variable of its type.
        let status = unsafe { (context.driver.functions.host_alloc)(&mut start, bytes) };
        context.driver.check(status, "allocating host memory")?;
        let Some(start) = NonNull::new(start.cast::<T>()) else {
            return Err(context.driver.out_of_memory("allocating host memory"));
        };
        // SAFETY: the memory is ours, aligned to pages, and that large.
        unsafe { ptr::write_bytes(start.as_ptr(), 0, words) };
        Ok(HostMemory { context: Arc::clone(context), start, words })
    }
}

impl<T: Word> Deref for HostMemory<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        // SAFETY: the words were written when the memory was reserved, and it lives as long as
        // `self`.
        unsafe { slice::from_raw_parts(self.start.as_ptr(), self.words) }
    }
}

impl<T: Word> DerefMut for HostMemory<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: the words were written when the memory was reserved, it lives as long as `self`, and
        // nobody else refers to it.
        unsafe { slice::from_raw_parts_mut(self.start.as_ptr(), self.words) }
    }
}

impl<T> Drop for HostMemory<T> {
    fn drop(&mut self) {
        // SAFETY: the memory is ours, and no copy outlives the call that asks for it.
        let _ = unsafe { (self.context.driver.functions.host_free)(self.start.as_ptr().cast()) };
    }
}
