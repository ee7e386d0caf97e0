//! Half-board matching with wgpu: the kernels and buffers of a board.

use std::{ops::Range, sync::Arc};

use wgpu::{Buffer, BufferUsages};

use super::{
    buffers::memory_error,
    commands::{Bindings, bytes, launch, to_bytes},
    connection::{self, Connection, DriverError, compile, read_kernels},
    sizes::Sizes,
};
use crate::{
    DeviceError,
    halves::{
        Device, HalfRecord, Halves, HalvesKernel, Launch, Limits, Pending, ROUND, Shape, Tile,
    },
};

/// The source of the kernels.
const SOURCE: &str = include_str!("../../halves.wgsl");

/// The maximum number of invocations in a workgroup. Their tables take nearly all workgroup memory.
pub(super) const LANES: u32 = 32;

/// Maximum number of diagonals for groups of three (see `README.md`). With more, the tables would
/// exceed a workgroup's memory.
const MAX_THREE_GROUP_DIAGONALS: u32 = 42;

/// The minimum length of the buffer `answer` in words. The bins of many leaves are longer and are read
/// in pieces.
const MIN_READ_WORDS: usize = 1 << 18;

/// The binding numbers of the kernels' buffers.
mod binding {
    pub(super) const LAUNCH: u32 = 0;
    pub(super) const HALVES: u32 = 1;
    pub(super) const INDEX: u32 = 2;
    pub(super) const PLACEMENTS: u32 = 3;
    pub(super) const BINS: u32 = 4;
    pub(super) const ELEMENTS: u32 = 5;
    pub(super) const LISTED: u32 = 6;
    pub(super) const TILES: u32 = 7;
    pub(super) const SUMS: u32 = 8;
}

/// A device with the kernels and buffers for a board.
#[derive(Debug)]
pub struct WgpuHalvesQueue {
    connection: Arc<Connection>,
    board: Option<BoardResources>,
}

/// Kernels and buffers for one board.
#[derive(Debug)]
struct BoardResources {
    join: connection::Pipeline,
    add_up: connection::Pipeline,
    split: connection::Pipeline,
    pairs: connection::Pipeline,
    launch: Buffer,
    halves: Buffer,
    index: Buffer,
    placements: Buffer,
    bins: Buffer,
    elements: Buffer,
    tiles: Buffer,
    sums: Buffer,
    /// The buffer that the host can map.
    answer: Buffer,
}

const STORAGE: BufferUsages = BufferUsages::STORAGE.union(BufferUsages::COPY_DST);
const READABLE: BufferUsages = STORAGE.union(BufferUsages::COPY_SRC);
const UNIFORM: BufferUsages = BufferUsages::UNIFORM.union(BufferUsages::COPY_DST);
const ANSWER: BufferUsages = BufferUsages::MAP_READ.union(BufferUsages::COPY_DST);

impl WgpuHalvesQueue {
    /// Creates a device without buffers. Several may share a connection.
    pub fn open(connection: impl Into<Arc<Connection>>) -> WgpuHalvesQueue {
        WgpuHalvesQueue { connection: connection.into(), board: None }
    }

    fn lanes(&self) -> u32 {
        self.connection.sizes.lanes.clamp(1, LANES)
    }

    fn board(&self) -> Result<&BoardResources, DeviceError> {
        self.board.as_ref().ok_or_else(|| DeviceError::new("no board was set"))
    }

    fn write(&self, to: &Buffer, words: &[u32]) {
        self.connection.queue.write_buffer(to, 0, &to_bytes(words));
    }

    /// Reads words of a buffer after all launches have finished.
    async fn read(&self, of: &Buffer, from: usize, words: usize) -> Result<Vec<u32>, DeviceError> {
        let commands = self.connection.commands();
        self.connection.read(commands, (of, bytes(from)), words, &self.board()?.answer).await
    }
}

impl Device for WgpuHalvesQueue {
    fn prepare<'a>(&'a mut self, halves: &'a Halves, shape: Shape) -> Pending<'a, ()> {
        Box::pin(async move {
            // Frees the buffers of the last board first.
            self.board = None;
            self.board =
                Some(BoardResources::new(&self.connection, self.lanes(), shape, halves).await?);
            Ok(())
        })
    }

    fn limits(&self) -> Limits {
        let Sizes { elements, others, workgroups, .. } = self.connection.sizes;
        let limits = self.connection.device.limits();
        let largest = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size) / 8;
        let elements = largest.min(elements.into());
        Limits {
            lanes: self.lanes(),
            others,
            workgroups: workgroups as usize,
            elements,
            parts: ROUND,
        }
    }

    fn clear(&mut self) -> Result<(), DeviceError> {
        let BoardResources { bins, sums, .. } = self.board()?;
        let mut commands = self.connection.commands();
        commands.clear_buffer(bins, 0, None);
        commands.clear_buffer(sums, 0, None);
        self.connection.submit(commands.finish())?;
        Ok(())
    }

    fn write_halves(&mut self, halves: &[[HalfRecord; 2]]) -> Result<(), DeviceError> {
        let words: Vec<u32> =
            halves.as_flattened().iter().flat_map(HalfRecord::words).copied().collect();
        self.write(&self.board()?.halves, &words);
        Ok(())
    }

    fn write_tiles(&mut self, tiles: &[Tile]) -> Result<(), DeviceError> {
        let words: Vec<_> = tiles.iter().map(Tile::words).collect();
        self.write(&self.board()?.tiles, words.as_flattened());
        Ok(())
    }

    fn run(&mut self, kernel: HalvesKernel, of: Launch) -> Pending<'_, ()> {
        Box::pin(async move {
            let board = self.board()?;
            let (kernel, bindings): (_, &Bindings<'_>) = match kernel {
                HalvesKernel::Join => (
                    &board.join,
                    &[
                        (binding::LAUNCH, &board.launch),
                        (binding::HALVES, &board.halves),
                        (binding::INDEX, &board.index),
                        (binding::PLACEMENTS, &board.placements),
                        (binding::BINS, &board.bins),
                        (binding::ELEMENTS, &board.elements),
                    ],
                ),
                HalvesKernel::AddUp => (
                    &board.add_up,
                    &[(binding::LAUNCH, &board.launch), (binding::BINS, &board.bins)],
                ),
                HalvesKernel::Split => (
                    &board.split,
                    &[
                        (binding::LAUNCH, &board.launch),
                        (binding::INDEX, &board.index),
                        (binding::BINS, &board.bins),
                        (binding::ELEMENTS, &board.elements),
                        (binding::TILES, &board.tiles),
                    ],
                ),
                HalvesKernel::Pairs => (
                    &board.pairs,
                    &[
                        (binding::LAUNCH, &board.launch),
                        (binding::LISTED, &board.elements),
                        (binding::TILES, &board.tiles),
                        (binding::SUMS, &board.sums),
                    ],
                ),
            };
            self.write(&board.launch, &of.words());
            let mut commands = self.connection.commands();
            launch(&mut commands, kernel, &self.connection.bind(kernel, bindings), of.workgroups());
            // A read completes only after the launch.
            let answer = &board.answer;
            self.connection.read(commands, (&board.sums, 0), 1, answer).await.map(drop)
        })
    }

    fn bins(&mut self, words: Range<usize>) -> Pending<'_, Vec<u32>> {
        Box::pin(async move {
            let board = self.board()?;
            let most = (board.answer.size() / 4).max(1) as usize;
            let mut read = Vec::with_capacity(words.len());
            for from in words.clone().step_by(most) {
                read.extend(self.read(&board.bins, from, most.min(words.end - from)).await?);
            }
            Ok(read)
        })
    }

    fn sums(&mut self, count: usize) -> Pending<'_, Vec<u64>> {
        Box::pin(async move {
            let words = self.read(&self.board()?.sums, 0, 2 * count).await?;
            let sum = |&[low, high]: &[u32; 2]| u64::from(high) << 32 | u64::from(low);
            Ok(words.as_chunks().0.iter().map(sum).collect())
        })
    }

    fn room(&self) -> u64 {
        self.board.as_ref().map_or(0, |board| board.elements.size() / 8)
    }

    fn memory(&self) -> [usize; 2] {
        let Some(BoardResources {
            launch,
            halves,
            index,
            placements,
            bins,
            elements,
            tiles,
            sums,
            ..
        }) = &self.board
        else {
            return [0; 2];
        };
        let all = [launch, halves, index, placements, bins, elements, tiles, sums];
        [0, all.into_iter().map(|buffer| buffer.size() as usize).sum()]
    }

    fn make_room(&mut self, elements: u64) -> Pending<'_, Result<(), DeviceError>> {
        Box::pin(async move {
            let made = self.connection.buffer("lists", (elements * 8).max(8), STORAGE).await;
            match (made, &mut self.board) {
                (Ok(buffer), Some(board)) => {
                    board.elements = buffer;
                    Ok(Ok(()))
                }
                (Ok(_), None) => self.board().map(|_| Ok(())),
                (Err(DriverError::Memory), _) => {
                    Ok(Err(memory_error(DriverError::Memory, "lists")))
                }
                (Err(other), _) => Err(memory_error(other, "lists")),
            }
        })
    }
}

impl BoardResources {
    async fn new(
        connection: &Connection,
        lanes: u32,
        shape: Shape,
        Halves { tables, splits, .. }: &Halves,
    ) -> Result<BoardResources, DeviceError> {
        let module = read_kernels(&connection.device, "halves.wgsl", SOURCE).await?;
        let (group, groups) = groups(shape.diagonals);
        let numbers = [("GROUP", f64::from(group)), ("GROUPS", f64::from(groups))];
        let kernel = |name, numbers| compile(&connection.device, &module, name, lanes, numbers);
        let index = Shape::index(tables, splits);
        let placements = tables.placements.as_flattened();
        let halves = 2 * ROUND;
        let make = async |name: &str, words, usage| {
            let made = connection.buffer(name, bytes(words), usage).await;
            made.map_err(|error| memory_error(error, name))
        };
        let sums = 2 * Halves::SUMS * ROUND;
        let workgroups = connection.sizes.workgroups as usize;
        let board = BoardResources {
            join: kernel("join", &[]).await?,
            add_up: kernel("add_up", &[]).await?,
            split: kernel("split", &[]).await?,
            pairs: kernel("pairs", &numbers).await?,
            launch: make("launch", Launch::WORDS, UNIFORM).await?,
            halves: make("halves", HalfRecord::WORDS * halves, STORAGE).await?,
            index: make("tables", index.len(), STORAGE).await?,
            placements: make("tables", placements.len(), STORAGE).await?,
            bins: make("bins", shape.bins(halves), READABLE).await?,
            elements: make("lists", 2, STORAGE).await?,
            tiles: make("tiles", Tile::WORDS * workgroups, STORAGE).await?,
            sums: make("sums", sums, READABLE).await?,
            answer: make("answer", sums.max(2 * halves).max(MIN_READ_WORDS), ANSWER).await?,
        };
        connection.queue.write_buffer(&board.index, 0, &to_bytes(&index));
        connection.queue.write_buffer(&board.placements, 0, &to_bytes(placements));
        Ok(board)
    }
}

/// Returns the number of diagonals in a group, and the number of groups.
fn groups(diagonals: u32) -> (u32, u32) {
    let group = if diagonals > MAX_THREE_GROUP_DIAGONALS { 2 } else { 3 };
    (group, diagonals.div_ceil(group))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wgpu::source::{buffers, module, record};

    #[test]
    fn record_sizes_match_the_source() {
        let module = module(SOURCE);
        for (name, words) in
            [("Half", HalfRecord::WORDS), ("Tile", Tile::WORDS), ("Launch", Launch::WORDS)]
        {
            assert_eq!(record(&module, name).0 as usize, 4 * words, "{name}");
        }
    }

    #[test]
    fn binding_numbers_match_the_source() {
        let expected = [
            (binding::LAUNCH, "launch"),
            (binding::HALVES, "halves"),
            (binding::INDEX, "index"),
            (binding::PLACEMENTS, "placements"),
            (binding::BINS, "bins"),
            (binding::ELEMENTS, "elements"),
            (binding::LISTED, "listed"),
            (binding::TILES, "tiles"),
            (binding::SUMS, "sums"),
        ];
        assert_eq!(
            buffers(&module(SOURCE)),
            expected.map(|(number, name)| (number, name.to_owned()))
        );
    }

    #[test]
    fn tables_of_every_board_fit_into_workgroup_memory() {
        let module = module(SOURCE);
        let size_in_source = |name: &str| {
            let is_named = |of: &&naga::GlobalVariable| of.name.as_deref() == Some(name);
            let (_, variable) =
                module.global_variables.iter().find(|(_, of)| is_named(of)).unwrap();
            module.types[variable.ty].inner.size(module.to_ctx())
        };
        // The queue, and four words: `queued`, `all_cross_low`, `all_cross_high`, `found_by_all`.
        let others = size_in_source("queue") + 4 * size_in_source("queued");
        for diagonals in 1..=54 {
            let (group, groups) = groups(diagonals);
            assert!(group * groups >= diagonals);
            let table = (groups << group) * LANES * 4;
            assert!(table + others <= 16_352, "{diagonals} diagonals take {table} bytes");
        }
    }
}
