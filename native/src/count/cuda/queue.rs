//! Launches of the CUDA kernels.

#![expect(unsafe_code, reason = "the functions of the driver are C functions")]

use std::{
    ffi::c_void,
    ops::{Range, RangeInclusive},
    ptr,
    sync::Arc,
};

use cudarc::driver::sys::{CUfunction, CUstream, CUstream_flags};
use queens_core::GpuSearch;
use queens_gpu::{
    Device, DeviceError, Triples,
    cuda::{BLOCK, JOIN_BLOCK, LEAF_QUEENS, NODE_WORDS, SEARCH_WORDS, join_shared, levels},
};

use super::device::CudaDevice;

/// Maximum memory for nodes, in bytes, which is enough for launches of the target duration.
const MAX_BYTES: usize = 2 << 30;

/// A queue uses the free memory divided by this number for nodes, because other queues and other programs
/// need memory, too.
const FREE_MEMORY_DIVISOR: usize = 4;

/// A stream of commands that the GPU executes in order.
#[derive(Debug)]
pub(super) struct CudaQueue {
    device: Arc<CudaDevice>,
    stream: CUstream,
    /// Limit on the GPU threads, if one was set.
    thread_limit: Option<u32>,
    /// For `expand`, the number of nodes on the level that it appends to; for `search`, the number of nodes
    /// taken from the range.
    counter: Memory,
}

/// Words in GPU memory.
#[derive(Debug)]
pub(super) struct Memory {
    device: Arc<CudaDevice>,
    address: u64,
    /// The number of words.
    words: usize,
}

impl Memory {
    fn new(device: &Arc<CudaDevice>, words: usize) -> Result<Memory, DeviceError> {
        let (mut address, bytes) = (0, words * size_of::<u32>());
        // SAFETY: the address is written to a variable of its type.
        let status = unsafe { (device.driver.functions.memory_alloc)(&mut address, bytes) };
        device.check(status, "allocating GPU memory")?;
        Ok(Memory { device: Arc::clone(device), address, words })
    }

    /// Fails if the memory has fewer words.
    fn check(&self, words: usize) -> Result<(), DeviceError> {
        let error = || DeviceError::new(format!("{words} words in memory for {}", self.words));
        (words <= self.words).then_some(()).ok_or_else(error)
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: this value owns the memory, and the driver waits for launches that use it.
        let _ = unsafe { (self.device.driver.functions.memory_free)(self.address) };
    }
}

/// Launch configuration: the number of blocks, threads per block, and bytes of shared memory per block.
#[derive(Clone, Copy, Debug)]
struct Shape {
    blocks: u32,
    threads: u32,
    shared: u32,
}

impl Shape {
    /// Returns the shape with one thread per node.
    fn of_nodes(nodes: u32) -> Shape {
        Shape { blocks: nodes.div_ceil(BLOCK), threads: BLOCK, shared: 0 }
    }
}

impl CudaQueue {
    /// Opens a queue, whose stream does not wait for other streams.
    pub(super) fn open(
        device: Arc<CudaDevice>,
        thread_limit: Option<u32>,
    ) -> Result<CudaQueue, DeviceError> {
        device.enter()?;
        let counter = Memory::new(&device, 1)?;
        let mut stream = ptr::null_mut();
        let flags = CUstream_flags::CU_STREAM_NON_BLOCKING as u32;
        // SAFETY: the stream is written to a variable of its type.
        let status = unsafe { (device.driver.functions.stream_create)(&mut stream, flags) };
        device.check(status, "creating a stream")?;
        Ok(CudaQueue { device, stream, thread_limit, counter })
    }

    /// Waits until all commands are done, and returns any error that occurred on the GPU. `doing` is a gerund
    /// for the message.
    fn synchronize(&self, doing: &str) -> Result<(), DeviceError> {
        // SAFETY: the stream is valid.
        let status = unsafe { (self.device.driver.functions.stream_synchronize)(self.stream) };
        self.device.check(status, doing)
    }

    /// Copies words from GPU memory. `doing` describes the commands before.
    fn copy_to_host(
        &self,
        from: &Memory,
        words: usize,
        doing: &str,
    ) -> Result<Vec<u32>, DeviceError> {
        // The thread sleeps here. In a copy to memory that is not page-locked, it would spin.
        self.synchronize(doing)?;
        from.check(words)?;
        let mut copy = vec![0; words];
        let bytes = size_of_val(copy.as_slice());
        // SAFETY: both sides have at least this size, and the call below waits for the copy.
        let status = unsafe {
            let to = copy.as_mut_ptr().cast();
            (self.device.driver.functions.copy_to_host)(to, from.address, bytes, self.stream)
        };
        self.device.check(status, doing).and(self.synchronize(doing))?;
        Ok(copy)
    }

    /// Enqueues setting the counter.
    fn set_counter(&self, value: u32) -> Result<(), DeviceError> {
        // SAFETY: the counter has one word.
        let status = unsafe {
            (self.device.driver.functions.fill_words)(self.counter.address, value, 1, self.stream)
        };
        self.device.check(status, "clearing GPU memory")
    }

    /// Enqueues a launch.
    ///
    /// # Safety
    /// The arguments must match those of the kernel in number and order. The memory that they refer
    /// to must be as large as the kernel expects, and the shared memory, too.
    unsafe fn launch(
        &self,
        kernel: CUfunction,
        shape: Shape,
        arguments: &[u64],
    ) -> Result<(), DeviceError> {
        // An argument of 32 bits is the first half of its number, as CUDA devices are little-endian.
        let address = |argument| ptr::from_ref::<u64>(argument).cast_mut().cast();
        let mut addresses: Vec<*mut c_void> = arguments.iter().map(address).collect();
        let Shape { blocks, threads, shared } = shape;
        // SAFETY: the arguments are read during the call. All memory belongs to this queue's caller, and is freed
        // after the launches that use it. The kernels and the stream belong to the device's context. The caller
        // guarantees the rest.
        let status = unsafe {
            (self.device.driver.functions.launch)(
                kernel,
                blocks,
                1,
                1,
                threads,
                1,
                1,
                shared,
                self.stream,
                addresses.as_mut_ptr(),
                ptr::null_mut(),
            )
        };
        self.device.check(status, "launching a kernel")
    }

    /// Returns the shape with as many threads as the GPU runs at once, limited by the number of nodes and
    /// by `thread_limit`.
    fn search_shape(&self, open: u32, nodes: u32) -> Result<Shape, DeviceError> {
        let shared_of_thread = SEARCH_WORDS * open * size_of::<u32>() as u32;
        let fitting_threads = self.device.properties.shared / shared_of_thread.max(1);
        // Use whole warps of 32 threads if at least one fits.
        let threads = match fitting_threads {
            0..32 => fitting_threads.max(1),
            _ => (fitting_threads / 32 * 32).min(BLOCK),
        };
        let threads = threads.min(self.thread_limit.unwrap_or(BLOCK).max(1));
        let shared = shared_of_thread * threads;
        let blocks = self.blocks_at_once(threads, shared)?.min(nodes.div_ceil(threads));
        let blocks =
            self.thread_limit.map_or(blocks, |thread_limit| blocks.min(thread_limit / threads));
        Ok(Shape { blocks: blocks.max(1), threads, shared })
    }

    /// Returns the number of blocks of `search` that the GPU runs at the same time.
    fn blocks_at_once(&self, threads: u32, shared: u32) -> Result<u32, DeviceError> {
        let CudaDevice { driver, properties, search, .. } = &*self.device;
        let mut blocks = 0;
        // SAFETY: the kernel is valid and the number is written to a variable of its type.
        let status = unsafe {
            let function = driver.functions.max_blocks_per_multiprocessor;
            function(&mut blocks, *search, threads.cast_signed(), shared as usize)
        };
        self.device.check(status, "querying the occupancy")?;
        Ok(blocks.max(1).cast_unsigned() * properties.multiprocessors)
    }
}

impl Device for CudaQueue {
    type Buffer = Memory;

    const NODE_WORDS: usize = NODE_WORDS;

    fn launch_sizes(&self, search: GpuSearch) -> RangeInclusive<usize> {
        match (search, self.thread_limit) {
            (GpuSearch::Tree, _) => 1 << 8..=u32::MAX as usize,
            // A grid has at most 2³¹ − 1 blocks.
            (GpuSearch::Join, None) => 1 << 7..=i32::MAX as usize,
            (GpuSearch::Join, Some(limit)) => 1..=(limit / JOIN_BLOCK).max(1) as usize,
        }
    }

    fn levels(&self, n: u32, rows: u32) -> usize {
        levels(n.saturating_sub(rows), LEAF_QUEENS)
    }

    fn capacity(&self, levels: usize) -> Result<u32, DeviceError> {
        let (mut free, mut total) = (0, 0);
        // SAFETY: the driver writes both sizes to variables of their type.
        let status = unsafe { (self.device.driver.functions.memory_info)(&mut free, &mut total) };
        self.device.check(status, "querying the free memory")?;
        let bytes = (free / FREE_MEMORY_DIVISOR).min(MAX_BYTES);
        Ok((bytes / levels.max(1) / NODE_WORDS / size_of::<u32>()) as u32)
    }

    async fn allocate(&self, words: usize) -> Result<Memory, DeviceError> {
        Memory::new(&self.device, words)
    }

    fn write(&mut self, buffer: &Memory, words: &[u32]) -> Result<(), DeviceError> {
        let doing = "copying to the GPU";
        buffer.check(words.len())?;
        // SAFETY: both sides have at least this size, and the call below waits for the copy.
        let status = unsafe {
            let (from, bytes) = (words.as_ptr().cast(), size_of_val(words));
            (self.device.driver.functions.copy_to_device)(buffer.address, from, bytes, self.stream)
        };
        self.device.check(status, doing).and(self.synchronize(doing))
    }

    async fn read(&mut self, buffer: &Memory, words: usize) -> Result<Vec<u32>, DeviceError> {
        self.copy_to_host(buffer, words, "reading the counts")
    }

    async fn seed(
        &mut self,
        roots: &Memory,
        count: u32,
        nodes: &Memory,
    ) -> Result<(), DeviceError> {
        let arguments = [roots.address, count.into(), nodes.address];
        // SAFETY: the arguments match `seed(roots, count, nodes)`, and the caller has allocated the memory for
        // `count` roots and nodes.
        unsafe { self.launch(self.device.seed, Shape::of_nodes(count), &arguments) }
    }

    async fn expand(
        &mut self,
        roots: &Memory,
        from: &Memory,
        nodes: Range<u32>,
        to: &Memory,
        existing: u32,
    ) -> Result<u32, DeviceError> {
        self.set_counter(existing)?;
        let (begin, end) = (nodes.start.into(), nodes.end.into());
        let arguments = [roots.address, from.address, begin, end, to.address, self.counter.address];
        let shape = Shape::of_nodes(nodes.end - nodes.start);
        // SAFETY: the arguments match `expand(roots, from, begin, end, to, counter)`. The caller has checked
        // that the nodes exist, and that there is room for all children after the existing nodes.
        unsafe { self.launch(self.device.expand, shape, &arguments)? };
        let made = self.copy_to_host(&self.counter, 1, "expanding nodes")?;
        Ok(made.first().copied().unwrap_or(0))
    }

    async fn search(
        &mut self,
        roots: &Memory,
        from: &Memory,
        nodes: Range<u32>,
        open: u32,
        tallies: &Memory,
    ) -> Result<(), DeviceError> {
        self.set_counter(0)?;
        let shape = self.search_shape(open, nodes.end - nodes.start)?;
        let arguments = [
            roots.address,
            from.address,
            nodes.start.into(),
            nodes.end.into(),
            open.into(),
            self.counter.address,
            tallies.address,
        ];
        // SAFETY: the arguments match `search(roots, nodes, begin, end, left, next, tallies)`. The caller has
        // checked that the nodes exist, and that the slots of all roots have tallies. The shape has enough shared
        // memory for `open` queens per thread.
        unsafe { self.launch(self.device.search, shape, &arguments)? };
        self.synchronize("searching")
    }

    async fn join(
        &mut self,
        triples: &Triples,
        [pairs, tables, sums]: [&Memory; 3],
        range: Range<u32>,
    ) -> Result<(), DeviceError> {
        let numbers = [triples.sets, triples.even, triples.odd, triples.cells, range.start];
        let [sets, even, odd, cells, first] = numbers.map(u64::from);
        let arguments =
            [pairs.address, tables.address, sets, even, odd, cells, first, sums.address];
        let threads = self.thread_limit.unwrap_or(JOIN_BLOCK).clamp(1, JOIN_BLOCK);
        let shape =
            Shape { blocks: range.end - range.start, threads, shared: join_shared(triples) };
        // SAFETY: the arguments match `colours(pairs, tables, sets, even, odd, cells, first, sums)`. The caller
        // has checked that the triples exist, and the records of their pairs refer to slots and tables of this
        // batch. `join_shared` is the shared memory that the kernel needs.
        unsafe { self.launch(self.device.colours, shape, &arguments)? };
        self.synchronize("counting")
    }
}

impl Drop for CudaQueue {
    fn drop(&mut self) {
        // An unfinished launch may still use the memory.
        let _ = self.synchronize("ending");
        // SAFETY: the stream is valid and has no other owner.
        let _ = unsafe { (self.device.driver.functions.stream_destroy)(self.stream) };
    }
}
