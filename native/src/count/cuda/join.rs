//! Command queue of the colour join on a CUDA device.

#![expect(unsafe_code, reason = "launching a kernel is unsafe")]

use std::{ops::Range, sync::Arc};

use queens_gpu::{
    DeviceError, SUMS, Triples,
    cuda::{JOIN_BLOCK, join_shared},
};

use super::{
    context::{Argument, Shape, Stream},
    driver::DriverError,
    memory::{DeviceMemory, HostMemory},
    shared_device_state::SharedDeviceState,
};
use crate::count::gpu::JoinDevice;

/// Queue for the colour join; see [`JoinDevice`].
#[derive(Debug)]
pub(super) struct CudaJoinQueue {
    state: Arc<SharedDeviceState>,
    stream: Stream,
    /// Limit on the GPU threads, if one was set.
    thread_limit: Option<u32>,
    batch: Option<Batch>,
}

/// The buffers of a batch, and its arguments for a launch.
#[derive(Debug)]
struct Batch {
    /// The records of the pairs, then the tables.
    words: DeviceMemory<u32>,
    sums: DeviceMemory<u64>,
    /// Copy of `sums` on the host.
    download: HostMemory<u64>,
    /// The arguments from `pairs` to `cells`.
    arguments: [Argument; 6],
    /// The shared memory of a block in bytes.
    shared: u32,
    triples: u32,
}

impl CudaJoinQueue {
    /// Opens a queue. Its memory is allocated with each batch.
    pub(super) fn open(
        state: Arc<SharedDeviceState>,
        thread_limit: Option<u32>,
    ) -> Result<CudaJoinQueue, DriverError> {
        state.context.enter()?;
        let stream = Stream::new(&state.context)?;
        Ok(CudaJoinQueue { state, stream, thread_limit, batch: None })
    }

    fn new_batch(&self, triples: &Triples) -> Result<Batch, DriverError> {
        let context = &self.state.context;
        let number = triples.pairs.len() + triples.tables.len();
        let mut upload = HostMemory::new(context, number)?;
        let all = triples.pairs.iter().chain(&triples.tables);
        upload.iter_mut().zip(all).for_each(|(to, &word)| *to = word);
        let mut words = DeviceMemory::new(context, number)?;
        words.copy_from(&upload, number, &self.stream)?;
        let number = triples.tasks() * SUMS;
        let mut sums = DeviceMemory::new(context, number)?;
        sums.clear(number, &self.stream)?;
        let tables = words.address() + size_of_val(triples.pairs.as_slice()) as u64;
        let arguments = [
            words.argument(),
            Argument::Address(tables),
            Argument::Word(triples.sets),
            Argument::Word(triples.even),
            Argument::Word(triples.odd),
            Argument::Word(triples.cells),
        ];
        let download = HostMemory::new(context, number)?;
        let shared = join_shared(triples);
        Ok(Batch { words, sums, download, arguments, shared, triples: triples.len() })
    }

    fn launch(&self, batch: &Batch, range: Range<u32>) -> Result<(), DriverError> {
        let [pairs, tables, sets, even, odd, cells] = batch.arguments;
        let first = Argument::Word(range.start);
        let arguments = [pairs, tables, sets, even, odd, cells, first, batch.sums.argument()];
        let threads = self.thread_limit.unwrap_or(JOIN_BLOCK).clamp(1, JOIN_BLOCK);
        let shape = Shape { blocks: range.end - range.start, threads, shared: batch.shared };
        // SAFETY: the arguments match `colours(pairs, tables, sets, even, odd, cells, first, sums)`. The caller
        // has checked that the triples exist, and the records of their pairs refer to slots and tables of this
        // batch. `join_shared` is the shared memory that the kernel needs. Drop waits for the stream.
        unsafe { self.state.kernels.colours.launch(&self.stream, shape, &arguments)? };
        self.stream.synchronize("counting")
    }

    fn read_sums(&mut self) -> Result<Vec<[u64; SUMS]>, DriverError> {
        let Some(Batch { sums, download, .. }) = &mut self.batch else { return Ok(Vec::new()) };
        let number = download.len();
        sums.copy_to(download, number, &self.stream, "reading the counts")?;
        Ok(download.as_chunks().0.to_vec())
    }
}

impl JoinDevice for CudaJoinQueue {
    fn memory(&self) -> usize {
        self.batch.as_ref().map_or(0, |batch| batch.words.bytes() + batch.sums.bytes())
    }

    fn largest_launch(&self) -> usize {
        // A grid has at most 2³¹ − 1 blocks.
        self.thread_limit.map_or(i32::MAX as usize, |limit| (limit / JOIN_BLOCK).max(1) as usize)
    }

    fn begin(&mut self, triples: &Triples) -> Result<(), DeviceError> {
        // The old buffers are freed first.
        self.batch = None;
        let batch = self.new_batch(triples);
        self.batch = Some(batch.map_err(|error| self.state.device_error(error))?);
        Ok(())
    }

    fn count(&mut self, range: Range<u32>) -> Result<(), DeviceError> {
        match &self.batch {
            Some(batch) if !range.is_empty() && range.end <= batch.triples => {
                self.launch(batch, range).map_err(|error| self.state.device_error(error))
            }
            _ => Err(DeviceError::new(format!("there are no triples {range:?}"))),
        }
    }

    fn sums(&mut self) -> Result<Vec<[u64; SUMS]>, DeviceError> {
        self.read_sums().map_err(|error| self.state.device_error(error))
    }
}

impl Drop for CudaJoinQueue {
    fn drop(&mut self) {
        // An unfinished launch may still use the buffers.
        let _ = self.stream.synchronize("ending");
    }
}
