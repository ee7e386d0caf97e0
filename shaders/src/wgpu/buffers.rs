//! Buffers of a queue for the tree search.

use wgpu::{Buffer, BufferUsages};

use super::{
    commands::bytes,
    connection::{Connection, DriverError},
    numbers::{COUNTER_WORDS, LAUNCH_WORDS, NODE_WORDS, PAUSED_WORDS, ROW_WORDS, TALLY_WORDS},
    sizes::Sizes,
};
use crate::{DeviceError, Root};

/// Number of nodes in a level if there is not enough memory for the preferred number.
const FEW_NODES: u32 = 1 << 15;

/// The size of a batch.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct BatchSize {
    /// The number of roots.
    pub(super) roots: usize,
    /// The number of tasks. Each has a tally.
    pub(super) slots: usize,
    /// The number of rows without a queen in a root.
    pub(super) rows: u32,
}

/// The buffers of the kernels, by their names there, and one for reading back.
#[derive(Debug)]
pub(super) struct Buffers {
    pub(super) launch: Buffer,
    pub(super) counters: Buffer,
    pub(super) roots: Buffer,
    pub(super) tallies: Buffer,
    pub(super) paused: Buffer,
    /// The nodes of each level.
    levels: Vec<Buffer>,
    /// The buffer that the host can map.
    pub(super) answer: Buffer,
}

pub(super) const STORAGE: BufferUsages = BufferUsages::STORAGE.union(BufferUsages::COPY_DST);
pub(super) const READABLE: BufferUsages = STORAGE.union(BufferUsages::COPY_SRC);
pub(super) const ANSWER: BufferUsages = BufferUsages::MAP_READ.union(BufferUsages::COPY_DST);

impl Buffers {
    pub(super) async fn new(connection: &Connection) -> Result<Buffers, DeviceError> {
        let uniform = BufferUsages::UNIFORM.union(BufferUsages::COPY_DST);
        let make = |name, words, usage| make(connection, name, words, usage);
        Ok(Buffers {
            launch: make("launch", LAUNCH_WORDS, uniform).await?,
            counters: make("counters", COUNTER_WORDS, READABLE).await?,
            roots: make("roots", Root::WORDS, STORAGE).await?,
            tallies: make("tallies", TALLY_WORDS, READABLE).await?,
            paused: make("paused", PAUSED_WORDS, STORAGE).await?,
            levels: Vec::new(),
            answer: make("answer", TALLY_WORDS, ANSWER).await?,
        })
    }

    /// Allocates memory for a batch and the nodes of levels up to `level`. Raises `sizes.nodes` if
    /// the batch has more roots, and lowers it if memory is short.
    pub(super) async fn hold(
        &mut self,
        connection: &Connection,
        sizes: &mut Sizes,
        batch: BatchSize,
        level: usize,
    ) -> Result<(), DeviceError> {
        let BatchSize { roots, slots, rows } = batch;
        let tallies = slots * TALLY_WORDS;
        let paused = sizes.lanes as usize * (PAUSED_WORDS + (ROW_WORDS * rows) as usize);
        for (name, buffer, words, usage) in [
            ("roots", &mut self.roots, roots * Root::WORDS, STORAGE),
            ("tallies", &mut self.tallies, tallies, READABLE),
            ("answer", &mut self.answer, tallies, ANSWER),
            ("paused", &mut self.paused, paused, STORAGE),
        ] {
            if buffer.size() < bytes(words) {
                *buffer = make(connection, name, words, usage).await?;
            }
        }
        // The first level must hold all roots.
        if roots > sizes.nodes as usize {
            sizes.nodes = u32::try_from(roots).unwrap_or(u32::MAX);
            self.levels.clear();
        }
        match self.add_levels(connection, sizes, level).await {
            Err(DriverError::Memory)
                if (roots..sizes.nodes as usize).contains(&(FEW_NODES as usize)) =>
            {
                sizes.nodes = FEW_NODES;
                self.levels.clear();
                self.add_levels(connection, sizes, level).await
            }
            other => other,
        }
        .map_err(|error| memory_error(error, "nodes"))
    }

    /// Allocates the missing buffers of all levels up to `level`.
    pub(super) async fn add_levels(
        &mut self,
        connection: &Connection,
        sizes: &Sizes,
        level: usize,
    ) -> Result<(), DriverError> {
        let words = NODE_WORDS * sizes.nodes as usize;
        while self.levels.len() <= level {
            self.levels.push(connection.buffer("nodes", bytes(words), STORAGE).await?);
        }
        Ok(())
    }

    /// Returns the size of the buffers on the device in bytes; `answer` is in the host's memory.
    pub(super) fn memory(&self) -> usize {
        let Buffers { launch, counters, roots, tallies, paused, levels, .. } = self;
        let all = [launch, counters, roots, tallies, paused].into_iter().chain(levels);
        all.map(|buffer| buffer.size() as usize).sum()
    }

    /// Returns the buffer of a level.
    pub(super) fn level(&self, level: usize) -> Result<&Buffer, DeviceError> {
        let missing = || DeviceError::new(format!("there are no nodes of level {level}"));
        self.levels.get(level).ok_or_else(missing)
    }
}

/// Allocates a buffer of this many words.
pub(super) async fn make(
    connection: &Connection,
    name: &str,
    words: usize,
    usage: BufferUsages,
) -> Result<Buffer, DeviceError> {
    connection.buffer(name, bytes(words), usage).await.map_err(|error| memory_error(error, name))
}

/// Converts the failure to allocate a buffer into an error.
pub(super) fn memory_error(error: DriverError, name: &str) -> DeviceError {
    error.during(&format!("allocating memory for its {name}"))
}
