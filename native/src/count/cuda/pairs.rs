//! Command queue of half-board matching on a CUDA device: a stream with its buffers, and the tables that
//! the queues of the device share.

#![expect(unsafe_code, reason = "launching a kernel is unsafe")]

use std::{ops::Range, sync::Arc};

use queens_gpu::{
    DeviceError,
    cuda::{LANES, SPLIT_THREADS, TABLE_BYTES, pairs},
    halves::{self, Device, HalfRecord, Halves, Launch, Limits, Pending, Tile},
};

use super::{
    context::{Argument, CudaFunction, Shape, Stream},
    driver::DriverError,
    kernels::PairKernels,
    memory::{DeviceMemory, HostMemory, Word},
    shared_device_state::SharedDeviceState,
    tables::Tables,
};
use crate::lock::lock;

/// A queue uses at most the free memory divided by this number for lists, because other queues and other
/// programs need memory, too.
const FREE_MEMORY_DIVISOR: usize = 4;

/// Maximum number of placements of the shorter list in a tile ([`Limits::others`]). Smaller tiles would
/// spend too much of their time on building tables for the longer list.
const MAX_TILE_OTHERS: u32 = 1 << 13;

/// Maximum number of tiles per launch. A GPU has little to do at the end of a launch, so launches are large.
const MAX_TILES: usize = 1 << 17;

/// Maximum number of parts in a round, for the same reason.
const PARTS: usize = 1 << 10;

/// Size of the staging buffer, in words. Larger copies are made in pieces.
const STAGING_WORDS: usize = 1 << 18;

/// Queue for half-board matching; see [`Device`].
#[derive(Debug)]
pub(super) struct CudaHalvesQueue {
    state: Arc<SharedDeviceState>,
    kernels: PairKernels,
    stream: Stream,
    threads_per_block: u32,
    split_threads_per_block: u32,
    board: Option<BoardResources>,
    /// Host buffer for copies of words in both directions.
    staging: HostMemory<u32>,
    /// Host buffer for the sums that are read back.
    sums_copy: HostMemory<u64>,
}

/// Buffers and kernel for the current board.
#[derive(Debug)]
struct BoardResources {
    tables: Arc<Tables>,
    /// The kernel that counts pairs.
    pairs: CudaFunction,
    /// Bytes of shared memory per block that `pairs` uses.
    shared: u32,
    /// Maximum length to which `elements` may grow.
    max_elements: u64,
    /// Records of the halves of a round.
    halves: DeviceMemory<u32>,
    /// Lengths of the lists, then their starts.
    bins: DeviceMemory<u32>,
    /// Elements of all lists.
    elements: DeviceMemory<u64>,
    /// Records of the tiles of a launch.
    tiles: DeviceMemory<u32>,
    /// Counts of pairs: [`Halves::SUMS`] for each part of a round.
    sums: DeviceMemory<u64>,
}

impl CudaHalvesQueue {
    /// Opens a queue. [`prepare`](Device::prepare) allocates most of its memory.
    pub(super) fn open(
        state: Arc<SharedDeviceState>,
        thread_limit: Option<u32>,
    ) -> Result<CudaHalvesQueue, DriverError> {
        let context = &state.context;
        context.enter()?;
        let kernels = state.pairs()?;
        let stream = Stream::new(context)?;
        let staging = HostMemory::new(context, STAGING_WORDS)?;
        let sums_copy = HostMemory::new(context, Halves::SUMS * PARTS)?;
        let threads = |largest: u32| thread_limit.unwrap_or(largest).clamp(1, largest);
        Ok(CudaHalvesQueue {
            kernels,
            stream,
            threads_per_block: threads(LANES),
            split_threads_per_block: threads(SPLIT_THREADS),
            board: None,
            staging,
            sums_copy,
            state,
        })
    }

    fn with_device_number<T>(&self, result: Result<T, DriverError>) -> Result<T, DeviceError> {
        result.map_err(|error| self.state.device_error(error))
    }

    /// Creates an error that names this device by its number.
    fn error(&self, reason: &str) -> DeviceError {
        DeviceError::new(format!("device {}: {reason}", self.state.number))
    }

    /// Returns the tables of a board. The first queue copies them to the GPU for all queues.
    fn tables(&mut self, halves: &Halves) -> Result<Arc<Tables>, DeviceError> {
        let Halves { tables: host_tables, splits, .. } = halves;
        let state = Arc::clone(&self.state);
        let mut slot = lock(&state.tables);
        let is_same = |loaded_tables: &&Arc<Tables>| loaded_tables.size == host_tables.size;
        if let Some(tables) = slot.as_ref().filter(is_same) {
            return Ok(Arc::clone(tables));
        }
        // Free the tables of the previous board before the new ones are allocated.
        *slot = None;
        let index = halves::Shape::index(host_tables, splits);
        let placements = host_tables.placements.as_flattened();
        let bytes = 4 * (index.len() + placements.len());
        let free = self.with_device_number(self.state.context.free_memory())?;
        if bytes > free {
            let reason = format!(
                "not enough GPU memory: the tables of N = {} need {bytes} bytes, and {free} are free",
                host_tables.size
            );
            return Err(self
                .error(&reason)
                .with_hint("use `--method symmetry`, which needs less, or `--backend cpu`"));
        }
        let tables = Tables {
            context: Arc::clone(&state.context),
            size: host_tables.size,
            index: self.upload(&index)?,
            placements: self.upload(placements)?,
        };
        Ok(Arc::clone(slot.insert(Arc::new(tables))))
    }

    fn upload(&mut self, words: &[u32]) -> Result<DeviceMemory<u32>, DeviceError> {
        let CudaHalvesQueue { state, staging, stream, .. } = self;
        let memory = DeviceMemory::new(&state.context, words.len()).and_then(|mut memory| {
            memory.write(0, words, staging, stream)?;
            Ok(memory)
        });
        self.with_device_number(memory)
    }

    fn memory<T: Word>(&self, words: usize) -> Result<DeviceMemory<T>, DeviceError> {
        self.with_device_number(DeviceMemory::new(&self.state.context, words))
    }

    /// Borrows the buffers of the current board, the staging buffer and the stream at the same time.
    fn parts(
        &mut self,
    ) -> Result<(&mut BoardResources, &mut HostMemory<u32>, &Stream), DeviceError> {
        let CudaHalvesQueue { board, staging, stream, .. } = self;
        let missing = || DeviceError::new("no board was set");
        Ok((board.as_mut().ok_or_else(missing)?, staging, stream))
    }

    /// Launches a kernel on the buffers of the current board, and waits until it has ended. Does nothing
    /// without a board.
    fn launch(&mut self, kernel: halves::HalvesKernel, launch: Launch) -> Result<(), DeviceError> {
        let threads_per_block = self.threads_per_block;
        let CudaHalvesQueue { board, kernels, stream, .. } = &*self;
        let Some(board) = board else { return Ok(()) };
        let shape = Shape { blocks: launch.workgroups(), threads: threads_per_block, shared: 0 };
        let launch = Argument::Launch(launch.words());
        let (bins, elements) = (board.bins.argument(), board.elements.argument());
        let (kernel, shape, arguments, doing) = match kernel {
            halves::HalvesKernel::Join => {
                let Tables { index, placements, .. } = &*board.tables;
                let (halves, index) = (board.halves.argument(), index.argument());
                let tables = placements.argument();
                let arguments = vec![launch, halves, index, tables, bins, elements];
                (&kernels.join, shape, arguments, "joining strips")
            }
            halves::HalvesKernel::AddUp => {
                (&kernels.add_up, shape, vec![launch, bins], "adding up lists")
            }
            halves::HalvesKernel::Split => {
                let (index, tiles) = (board.tables.index.argument(), board.tiles.argument());
                let arguments = vec![launch, index, tiles, bins, elements];
                // A block of more than one warp keeps more warps on a multiprocessor, because the number
                // of its blocks is limited.
                let shape = Shape { threads: self.split_threads_per_block, ..shape };
                (&kernels.split, shape, arguments, "splitting lists")
            }
            halves::HalvesKernel::Pairs => {
                let shape = Shape { shared: board.shared, ..shape };
                let arguments =
                    vec![launch, elements, board.tiles.argument(), board.sums.argument()];
                (&board.pairs, shape, arguments, "counting pairs")
            }
        };
        // SAFETY: the arguments match the parameters of the kernel, which the top of halves.cu lists. By the
        // contract of `Device`, the halves, tiles and bins that the launch refers to lie within their
        // buffers, and its lists fit into `elements`. The buffers stay allocated while the kernel runs,
        // because this queue owns them or shares the tables, and the call below waits until the kernel has
        // ended. The kernels and the stream belong to the same context.
        let launched = unsafe { kernel.launch(stream, shape, &arguments) };
        self.with_device_number(launched.and_then(|()| self.stream.synchronize(doing)))
    }
}

impl Device for CudaHalvesQueue {
    fn prepare<'a>(&'a mut self, halves: &'a Halves, shape: halves::Shape) -> Pending<'a, ()> {
        Box::pin(async move {
            // Free the memory of the previous board before memory for this one is allocated.
            self.board = None;
            let Some((name, groups)) = pairs(shape.diagonals) else {
                return Err(self.error("the board has too many diagonals for the kernels"));
            };
            let (shared, available) = (groups * TABLE_BYTES, self.state.shared);
            if shared > available {
                let reason = format!(
                    "the method halves needs {shared} bytes of shared memory per block, and this GPU \
                     has {available}"
                );
                return Err(self.error(&reason).with_hint("use `--method symmetry`"));
            }
            let kernel = self.with_device_number(self.kernels.pairs(name, shared))?;
            let tables = self.tables(halves)?;
            let halves = 2 * PARTS;
            let free = self.with_device_number(self.state.context.free_memory())?;
            self.board = Some(BoardResources {
                tables,
                pairs: kernel,
                shared,
                max_elements: (free / FREE_MEMORY_DIVISOR / size_of::<u64>()) as u64,
                halves: self.memory(HalfRecord::WORDS * halves)?,
                bins: self.memory(shape.bins(halves))?,
                elements: self.memory(1)?,
                tiles: self.memory(Tile::WORDS * MAX_TILES)?,
                sums: self.memory(Halves::SUMS * PARTS)?,
            });
            Ok(())
        })
    }

    fn limits(&self) -> Limits {
        let elements = self.board.as_ref().map_or(0, |board| board.max_elements);
        Limits {
            lanes: self.threads_per_block,
            others: MAX_TILE_OTHERS,
            workgroups: MAX_TILES,
            elements,
            parts: PARTS,
        }
    }

    fn clear(&mut self) -> Result<(), DeviceError> {
        let (board, _, stream) = self.parts()?;
        let BoardResources { bins, sums, .. } = board;
        let cleared = bins.clear(bins.len(), stream).and(sums.clear(sums.len(), stream));
        self.with_device_number(cleared)
    }

    fn write_halves(&mut self, halves: &[[HalfRecord; 2]]) -> Result<(), DeviceError> {
        let (board, staging, stream) = self.parts()?;
        let words: Vec<u32> =
            halves.as_flattened().iter().flat_map(HalfRecord::words).copied().collect();
        let written = board.halves.write(0, &words, staging, stream);
        self.with_device_number(written)
    }

    fn write_tiles(&mut self, tiles: &[Tile]) -> Result<(), DeviceError> {
        let (board, staging, stream) = self.parts()?;
        let words: Vec<_> = tiles.iter().map(Tile::words).collect();
        let written = board.tiles.write(0, words.as_flattened(), staging, stream);
        self.with_device_number(written)
    }

    fn run(&mut self, kernel: halves::HalvesKernel, launch: Launch) -> Pending<'_, ()> {
        Box::pin(async move { self.launch(kernel, launch) })
    }

    fn bins(&mut self, words: Range<usize>) -> Pending<'_, Vec<u32>> {
        Box::pin(async move {
            let (board, staging, stream) = self.parts()?;
            let mut read = Vec::with_capacity(words.len());
            for from in words.clone().step_by(STAGING_WORDS) {
                let piece = from..words.end.min(from + STAGING_WORDS);
                match board.bins.read(piece, staging, stream, "reading the lengths of lists") {
                    Ok(piece) => read.extend(piece),
                    Err(error) => return Err(self.state.device_error(error)),
                }
            }
            Ok(read)
        })
    }

    fn sums(&mut self, count: usize) -> Pending<'_, Vec<u64>> {
        Box::pin(async move {
            let CudaHalvesQueue { board, sums_copy, stream, .. } = self;
            let Some(board) = board else { return Ok(Vec::new()) };
            let read = board.sums.read(0..count, sums_copy, stream, "reading the counts");
            self.with_device_number(read)
        })
    }

    fn room(&self) -> u64 {
        self.board.as_ref().map_or(0, |board| board.elements.len() as u64)
    }

    fn memory(&self) -> [usize; 2] {
        let Some(BoardResources { tables, halves, bins, elements, tiles, sums, .. }) = &self.board
        else {
            return [0; 2];
        };
        let own = halves.bytes() + bins.bytes() + elements.bytes() + tiles.bytes() + sums.bytes();
        [tables.index.bytes() + tables.placements.bytes(), own]
    }

    fn make_room(&mut self, elements: u64) -> Pending<'_, Result<(), DeviceError>> {
        Box::pin(async move {
            let words = usize::try_from(elements).unwrap_or(usize::MAX);
            // Free the old lists first, because the memory may not suffice for both. The old lists are no
            // longer needed: their pairs have been counted.
            self.parts()?.0.elements = self.memory(1)?;
            let memory = DeviceMemory::new(&self.state.context, words.max(1));
            match memory {
                Ok(memory) => {
                    self.parts()?.0.elements = memory;
                    Ok(Ok(()))
                }
                Err(error) if error.code == DriverError::OUT_OF_MEMORY => {
                    Ok(Err(self.state.device_error(error)))
                }
                Err(error) => Err(self.state.device_error(error)),
            }
        })
    }
}

impl Drop for CudaHalvesQueue {
    fn drop(&mut self) {
        // Unfinished work on the stream may still use the buffers.
        let _ = self.stream.synchronize("ending");
    }
}
