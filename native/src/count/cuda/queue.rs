//! Command queue of the tree search on a CUDA device: a stream with its buffers.

#![expect(unsafe_code, reason = "launching a kernel is unsafe")]

use std::{ops::Range, sync::Arc};

use queens_core::Tally;
use queens_gpu::{
    DeviceError, MAX_CHILDREN, Root, children,
    cuda::{BLOCK, CLASSES, LEAF_QUEENS, NODE_WORDS, SEARCH_WORDS, levels},
};

use super::{
    context::{Argument, CudaFunction, Shape, Stream},
    driver::DriverError,
    kernels::Kernels,
    memory::{DeviceMemory, HostMemory},
    shared_device_state::SharedDeviceState,
};
use crate::count::gpu::Device;

/// Maximum memory for nodes, in words: 2 GiB, which is enough for launches of the target duration.
const MAX_WORDS: usize = (2 << 30) / size_of::<u32>();

/// Minimum memory for nodes, in words: space for the children of four nodes on each of 32 levels, which are
/// more levels than any board has.
const MIN_WORDS: usize = 32 * NODE_WORDS * 4 * MAX_CHILDREN as usize;

/// A queue uses the free memory divided by this number for nodes, within [`MIN_WORDS`] and [`MAX_WORDS`],
/// because other queues and other programs need memory, too.
const FREE_MEMORY_DIVISOR: usize = 4;

/// Queue for the tree search; see [`Device`].
#[derive(Debug)]
pub(super) struct CudaTreeQueue {
    state: Arc<SharedDeviceState>,
    stream: Stream,
    /// Limit on the GPU threads of the search, if one was set.
    thread_limit: Option<u32>,
    batch: BatchBuffers,
    /// Nodes of all levels except level 0, one level after another. The nodes of level 0 are in `batch`.
    nodes: DeviceMemory<u32>,
    /// For `expand`, the number of nodes on the level that it appends to; for `search`, the number of nodes
    /// taken from the range.
    counter: DeviceMemory<u32>,
    /// Copy of `counter` for the host.
    counter_copy: HostMemory<u32>,
}

/// Sizes and buffers of a batch. Buffers that are too small for a batch are replaced.
#[derive(Debug)]
struct BatchBuffers {
    /// Number of queens that remain to be placed below each root.
    open_rows: u32,
    /// Number of levels below the roots.
    levels: usize,
    /// Number of tasks in the batch. Each has its own tally.
    slots: usize,
    /// Copy of `roots` on the host.
    upload: HostMemory<u32>,
    roots: DeviceMemory<u32>,
    /// Nodes of level 0.
    nodes: DeviceMemory<u32>,
    tallies: DeviceMemory<u64>,
    /// Copy of `tallies` on the host.
    download: HostMemory<u64>,
}

impl BatchBuffers {
    fn new(
        state: &SharedDeviceState,
        roots: usize,
        slots: usize,
    ) -> Result<BatchBuffers, DriverError> {
        let context = &state.context;
        Ok(BatchBuffers {
            open_rows: 0,
            levels: 0,
            slots: 0,
            upload: HostMemory::new(context, roots * Root::WORDS)?,
            roots: DeviceMemory::new(context, roots * Root::WORDS)?,
            nodes: DeviceMemory::new(context, roots * NODE_WORDS)?,
            tallies: DeviceMemory::new(context, slots * CLASSES)?,
            download: HostMemory::new(context, slots * CLASSES)?,
        })
    }
}

impl CudaTreeQueue {
    /// Opens a queue with the desired amount of memory, or less if memory is short.
    pub(super) fn open(
        state: Arc<SharedDeviceState>,
        thread_limit: Option<u32>,
    ) -> Result<CudaTreeQueue, DriverError> {
        let context = &state.context;
        context.enter()?;
        let stream = Stream::new(context)?;
        let batch = BatchBuffers::new(&state, 1, 1)?;
        let counter = DeviceMemory::new(context, 1)?;
        let counter_copy = HostMemory::new(context, 1)?;
        let free = context.free_memory()? / size_of::<u32>();
        let mut words = (free / FREE_MEMORY_DIVISOR).clamp(MIN_WORDS, MAX_WORDS);
        let nodes = loop {
            match DeviceMemory::new(context, words) {
                Err(error) if error.code == DriverError::OUT_OF_MEMORY && words > MIN_WORDS => {
                    words = (words / 2).max(MIN_WORDS);
                }
                other => break other?,
            }
        };
        Ok(CudaTreeQueue { stream, thread_limit, batch, nodes, counter, counter_copy, state })
    }

    /// Sets the counter to `counter` and launches a kernel. (`seed` does not use the counter.)
    ///
    /// # Safety
    /// As for [`CudaFunction::launch`].
    unsafe fn launch(
        &mut self,
        kernel: fn(&Kernels) -> &CudaFunction,
        counter: u32,
        shape: Shape,
        arguments: &[Argument],
    ) -> Result<(), DriverError> {
        self.counter.set_first_word(counter, &self.stream)?;
        // SAFETY: the caller guarantees the arguments. All memory belongs to this queue, whose drop waits
        // for the stream. When a batch replaces its buffers, the driver frees the old ones only after the
        // launches that use them. The kernels and the stream belong to the device's context.
        unsafe { kernel(&self.state.kernels).launch(&self.stream, shape, arguments) }
    }

    /// Returns the address of a level's nodes.
    fn nodes_of(&self, level: usize) -> Argument {
        match level {
            0 => self.batch.nodes.argument(),
            _ => {
                let before = (level - 1) * self.capacity() as usize * NODE_WORDS;
                Argument::Address(self.nodes.address() + (before * size_of::<u32>()) as u64)
            }
        }
    }

    /// Returns the capacity of a level, in nodes.
    fn level_capacity(&self, level: usize) -> u32 {
        match level {
            0 => (self.batch.nodes.len() / NODE_WORDS) as u32,
            _ if level <= self.batch.levels => self.capacity(),
            _ => 0,
        }
    }

    fn begin_batch(&mut self, roots: &[Root], slots: usize) -> Result<(), DriverError> {
        if roots.len() * Root::WORDS > self.batch.upload.len()
            || slots * CLASSES > self.batch.download.len()
        {
            let (roots, slots) = (roots.len().next_power_of_two(), slots.next_power_of_two());
            self.batch = BatchBuffers::new(&self.state, roots, slots)?;
        }
        let batch = &mut self.batch;
        batch.slots = slots;
        batch.open_rows = roots.first().map_or(0, Root::open);
        batch.levels = levels(batch.open_rows, LEAF_QUEENS);
        for (words, root) in batch.upload.chunks_exact_mut(Root::WORDS).zip(roots) {
            words.copy_from_slice(root.words());
        }
        batch.roots.copy_from(&batch.upload, roots.len() * Root::WORDS, &self.stream)?;
        batch.tallies.clear(slots * CLASSES, &self.stream)?;
        let count = roots.len() as u32;
        let arguments = [batch.roots.argument(), Argument::Word(count), batch.nodes.argument()];
        // SAFETY: the arguments match `seed(roots, count, nodes)`, and the buffers have room for `count`
        // roots and nodes.
        unsafe { self.launch(|kernels| &kernels.seed, 0, one_thread_per_node(count), &arguments) }
    }

    fn expand_range(
        &mut self,
        level: usize,
        nodes: Range<u32>,
        existing: u32,
    ) -> Result<u32, DriverError> {
        let arguments = [
            self.batch.roots.argument(),
            self.nodes_of(level),
            Argument::Word(nodes.start),
            Argument::Word(nodes.end),
            self.nodes_of(level + 1),
            self.counter.argument(),
        ];
        let shape = one_thread_per_node(nodes.end - nodes.start);
        // SAFETY: the arguments match `expand(roots, from, begin, end, to, counter)`. The caller has checked
        // that the range lies within the level, and that the next level has room for all children after its
        // existing nodes.
        unsafe { self.launch(|kernels| &kernels.expand, existing, shape, &arguments)? };
        self.counter.copy_to(&mut self.counter_copy, 1, &self.stream, "expanding nodes")?;
        Ok(self.counter_copy.first().copied().unwrap_or(0))
    }

    fn search_range(&mut self, level: usize, nodes: Range<u32>) -> Result<(), DriverError> {
        let queens_left = self.batch.open_rows.saturating_sub(level as u32);
        let shape = self.search_shape(queens_left, nodes.end - nodes.start)?;
        let arguments = [
            self.batch.roots.argument(),
            self.nodes_of(level),
            Argument::Word(nodes.start),
            Argument::Word(nodes.end),
            Argument::Word(queens_left),
            self.counter.argument(),
            self.batch.tallies.argument(),
        ];
        // SAFETY: the arguments match `search(roots, nodes, begin, end, left, next, tallies)`. The caller has
        // checked that the range lies within the level, and `begin` that the slots of all roots have tallies.
        // The shape has enough shared memory for `queens_left` queens per thread.
        unsafe { self.launch(|kernels| &kernels.search, 0, shape, &arguments)? };
        self.stream.synchronize("searching")
    }

    /// Returns the shape with as many threads as the GPU runs at once, limited by the number of nodes and
    /// by `thread_limit`.
    fn search_shape(&self, queens_left: u32, nodes: u32) -> Result<Shape, DriverError> {
        let shared_of_thread = SEARCH_WORDS * queens_left * size_of::<u32>() as u32;
        let fitting_threads = self.state.shared / shared_of_thread.max(1);
        // Use whole warps of 32 threads if at least one fits.
        let threads = match fitting_threads {
            0..32 => fitting_threads.max(1),
            _ => (fitting_threads / 32 * 32).min(BLOCK),
        };
        let threads = threads.min(self.thread_limit.unwrap_or(BLOCK).max(1));
        let shared = shared_of_thread * threads;
        let blocks = self.state.kernels.search.blocks_at_once(threads, shared)?;
        let blocks = (blocks.max(1) * self.state.multiprocessors).min(nodes.div_ceil(threads));
        let blocks =
            self.thread_limit.map_or(blocks, |thread_limit| blocks.min(thread_limit / threads));
        Ok(Shape { blocks: blocks.max(1), threads, shared })
    }

    fn read_tallies(&mut self) -> Result<Vec<Tally>, DriverError> {
        let BatchBuffers { tallies, download, slots, .. } = &mut self.batch;
        tallies.copy_to(download, *slots * CLASSES, &self.stream, "reading the counts")?;
        let tally = |classes: &[u64; CLASSES]| Tally { classes: *classes, ..Tally::default() };
        Ok(download.as_chunks().0.iter().take(*slots).map(tally).collect())
    }

    /// Returns an error unless `is_within`, which states that the nodes and tallies of a request lie within
    /// the buffers.
    fn ensure_within(&self, is_within: bool) -> Result<(), DeviceError> {
        if is_within {
            return Ok(());
        }
        let number = self.state.number;
        Err(DeviceError::new(format!("device {number}: a request is beyond its buffers")))
    }

    fn with_device_number<T>(&self, result: Result<T, DriverError>) -> Result<T, DeviceError> {
        result.map_err(|error| self.state.device_error(error))
    }
}

impl Device for CudaTreeQueue {
    fn memory(&self) -> usize {
        let BatchBuffers { roots, nodes, tallies, .. } = &self.batch;
        let of_batch = roots.bytes() + nodes.bytes() + tallies.bytes();
        of_batch + self.nodes.bytes() + self.counter.bytes()
    }

    fn capacity(&self) -> u32 {
        let levels = self.batch.levels.max(1);
        u32::try_from(self.nodes.len() / NODE_WORDS / levels).unwrap_or(u32::MAX)
    }

    fn levels(&self, n: u32, rows: u32) -> usize {
        levels(n.saturating_sub(rows), LEAF_QUEENS)
    }

    fn begin(&mut self, roots: &[Root], slots: usize) -> Result<(), DeviceError> {
        let has_slot = |root: &Root| (root.slot() as usize) < slots;
        self.ensure_within(u32::try_from(roots.len()).is_ok() && roots.iter().all(has_slot))?;
        let begun = self.begin_batch(roots, slots);
        self.with_device_number(begun)
    }

    fn expand(
        &mut self,
        level: usize,
        nodes: Range<u32>,
        existing: u32,
    ) -> Result<u32, DeviceError> {
        let children = children(self.batch.open_rows.saturating_sub(level as u32));
        let max_nodes = u64::from(existing) + nodes.len() as u64 * u64::from(children);
        self.ensure_within(
            nodes.end <= self.level_capacity(level)
                && max_nodes <= self.level_capacity(level + 1).into(),
        )?;
        if nodes.is_empty() {
            return Ok(existing);
        }
        let expanded = self.expand_range(level, nodes, existing);
        self.with_device_number(expanded)
    }

    fn search(&mut self, level: usize, nodes: Range<u32>) -> Result<(), DeviceError> {
        self.ensure_within(nodes.end <= self.level_capacity(level))?;
        if nodes.is_empty() {
            return Ok(());
        }
        let searched = self.search_range(level, nodes);
        self.with_device_number(searched)
    }

    fn tallies(&mut self) -> Result<Vec<Tally>, DeviceError> {
        let tallies = self.read_tallies();
        self.with_device_number(tallies)
    }
}

impl Drop for CudaTreeQueue {
    fn drop(&mut self) {
        // An unfinished launch may still use the buffers.
        let _ = self.stream.synchronize("ending");
    }
}

/// Returns the shape with one thread per node.
fn one_thread_per_node(nodes: u32) -> Shape {
    Shape { blocks: nodes.div_ceil(BLOCK).max(1), threads: BLOCK, shared: 0 }
}
