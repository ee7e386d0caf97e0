//! Launches of the WGSL kernels.

use std::{
    ops::{Range, RangeInclusive},
    sync::Arc,
};

use queens_core::GpuSearch;
use wgpu::{BufferUsages, CommandEncoder};

use super::{
    commands::{bytes, to_bytes},
    connection::{Connection, Kernel, OwnedBuffer},
    numbers::{
        COUNTER_WORDS, LAUNCH_WORDS, MAX_LEVELS, NODE_WORDS, PAUSED_WORDS, ROW_WORDS, counter,
    },
};
use crate::{Device, DeviceError, Triples};

/// The maximum number of rows that an invocation searches, if nodes can be expanded that far. A
/// search takes at least as long as its heaviest node: 150 ms on a Hopper GPU with 13 rows.
const MAX_SEARCHED_ROWS: u32 = 11;

/// A launch has one invocation for this many nodes, so that light and heavy nodes even out, but at most
/// [`Sizes::lanes`](super::sizes::Sizes::lanes) invocations.
const NODES_PER_LANE: u32 = 4;

/// The smallest number of triples in a launch. With fewer workgroups, large GPUs are idle.
const SMALLEST_JOIN: usize = 1 << 5;

const STORAGE: BufferUsages = BufferUsages::STORAGE.union(BufferUsages::COPY_SRC);

/// One caller's commands to a device.
#[derive(Debug)]
pub struct WgpuQueue {
    connection: Arc<Connection>,
    /// The parameters of a launch.
    launch: OwnedBuffer,
    counters: OwnedBuffer,
    /// The states of paused invocations.
    paused: OwnedBuffer,
    /// The buffer that the host can map.
    answer: OwnedBuffer,
}

impl WgpuQueue {
    /// Creates a queue. Several queues may share a connection.
    ///
    /// # Errors
    /// [`DeviceError`] if there is not enough memory.
    pub async fn open(connection: impl Into<Arc<Connection>>) -> Result<WgpuQueue, DeviceError> {
        let connection = connection.into();
        Ok(WgpuQueue {
            launch: connection.buffer(LAUNCH_WORDS, BufferUsages::UNIFORM).await?,
            counters: connection.buffer(COUNTER_WORDS, STORAGE).await?,
            paused: connection.buffer(PAUSED_WORDS, STORAGE).await?,
            answer: connection.buffer(COUNTER_WORDS, BufferUsages::MAP_READ).await?,
            connection,
        })
    }

    /// Writes the parameters of a launch over a range of nodes.
    fn set_range(&self, nodes: Range<u32>, lanes: u32) {
        self.set(&self.launch, 0, &[nodes.start, nodes.end, lanes, self.connection.sizes.turns]);
    }

    /// Writes words to a buffer, starting at byte `from`, before all commands that are submitted later.
    fn set(&self, buffer: &OwnedBuffer, from: u64, words: &[u32]) {
        self.connection.queue.write_buffer(buffer, from, &to_bytes(words));
    }

    /// Launches a kernel after `commands`, and returns a counter.
    async fn run(
        &self,
        mut commands: CommandEncoder,
        kernel: &Kernel,
        buffers: &[Option<&OwnedBuffer>],
        workgroups: u32,
        counter: u64,
    ) -> Result<u32, DeviceError> {
        let connection = &self.connection;
        connection.launch(&mut commands, kernel, buffers, workgroups);
        let words = connection.read(commands, (&self.counters, counter), 1, &self.answer).await?;
        Ok(words.first().copied().unwrap_or(0))
    }
}

impl Device for WgpuQueue {
    type Buffer = OwnedBuffer;

    const NODE_WORDS: usize = NODE_WORDS;

    fn launch_sizes(&self, search: GpuSearch) -> RangeInclusive<usize> {
        let sizes = &self.connection.sizes;
        let workgroups = sizes.workgroups as usize;
        match search {
            GpuSearch::Tree => sizes.launch as usize..=u32::MAX as usize,
            GpuSearch::Join => SMALLEST_JOIN.min(workgroups)..=workgroups,
        }
    }

    fn levels(&self, n: u32, rows: u32) -> usize {
        let third = (n / 3).saturating_sub(rows);
        let deep = n.saturating_sub(rows + MAX_SEARCHED_ROWS);
        (third.max(deep) as usize).min(MAX_LEVELS)
    }

    fn capacity(&self, _: usize) -> Result<u32, DeviceError> {
        Ok(self.connection.sizes.nodes)
    }

    async fn allocate(&self, words: usize) -> Result<OwnedBuffer, DeviceError> {
        self.connection.buffer(words, STORAGE).await
    }

    fn write(&mut self, buffer: &OwnedBuffer, words: &[u32]) -> Result<(), DeviceError> {
        self.set(buffer, 0, words);
        Ok(())
    }

    async fn read(&mut self, buffer: &OwnedBuffer, words: usize) -> Result<Vec<u32>, DeviceError> {
        if self.answer.size() < bytes(words) {
            self.answer = self.connection.buffer(words, BufferUsages::MAP_READ).await?;
        }
        let commands = self.connection.commands();
        self.connection.read(commands, (buffer, 0), words, &self.answer).await
    }

    async fn seed(
        &mut self,
        roots: &OwnedBuffer,
        count: u32,
        nodes: &OwnedBuffer,
    ) -> Result<(), DeviceError> {
        let kernel = self.connection.kernel("seed", 0).await?;
        let lanes = count.min(self.connection.sizes.lanes);
        self.set_range(0..count, lanes);
        let buffers = [Some(&self.launch), Some(roots), None, Some(nodes)];
        let mut commands = self.connection.commands();
        self.connection.launch(&mut commands, &kernel, &buffers, lanes.div_ceil(kernel.lanes));
        self.connection.submit(commands).map(drop)
    }

    async fn expand(
        &mut self,
        roots: &OwnedBuffer,
        from: &OwnedBuffer,
        nodes: Range<u32>,
        to: &OwnedBuffer,
        existing: u32,
    ) -> Result<u32, DeviceError> {
        let kernel = self.connection.kernel("expand", 0).await?;
        let lanes = (nodes.len() as u32).min(self.connection.sizes.lanes);
        self.set_range(nodes, lanes);
        self.set(&self.counters, counter::MADE, &[existing]);
        let buffers = [Some(&self.launch), Some(roots), Some(from), Some(to), Some(&self.counters)];
        let workgroups = lanes.div_ceil(kernel.lanes);
        self.run(self.connection.commands(), &kernel, &buffers, workgroups, counter::MADE).await
    }

    async fn search(
        &mut self,
        roots: &OwnedBuffer,
        from: &OwnedBuffer,
        nodes: Range<u32>,
        open: u32,
        tallies: &OwnedBuffer,
    ) -> Result<(), DeviceError> {
        let most_lanes = self.connection.sizes.lanes;
        let paused = most_lanes as usize * (PAUSED_WORDS + (ROW_WORDS * open) as usize);
        if self.paused.size() < bytes(paused) {
            self.paused = self.allocate(paused).await?;
        }
        let kernel = self.connection.kernel("search", open).await?;
        let lanes = (nodes.len() as u32).div_ceil(NODES_PER_LANE).min(most_lanes);
        self.set_range(nodes, lanes);
        let buffers = [
            Some(&self.launch),
            Some(roots),
            Some(from),
            None,
            Some(&self.counters),
            Some(tallies),
            Some(&self.paused),
        ];
        let workgroups = lanes.div_ceil(kernel.lanes);
        let mut commands = self.connection.commands();
        commands.clear_buffer(&self.counters, counter::TAKEN, Some(4));
        commands.clear_buffer(&self.paused, 0, Some(bytes(lanes as usize)));
        loop {
            commands.clear_buffer(&self.counters, counter::UNFINISHED, Some(4));
            let run = self.run(commands, &kernel, &buffers, workgroups, counter::UNFINISHED);
            if run.await? == 0 {
                return Ok(());
            }
            commands = self.connection.commands();
        }
    }

    async fn join(
        &mut self,
        triples: &Triples,
        [pairs, tables, sums]: [&OwnedBuffer; 3],
        range: Range<u32>,
    ) -> Result<(), DeviceError> {
        let kernel = self.connection.kernel("colours", 0).await?;
        let Triples { sets, even, odd, cells, .. } = *triples;
        self.set(&self.launch, 0, &[sets, even, odd, cells, range.start]);
        let buffers = [&self.launch, pairs, tables, sums, &self.counters].map(Some);
        let mut commands = self.connection.commands();
        commands.clear_buffer(&self.counters, counter::UNFINISHED, Some(4));
        let workgroups = range.len() as u32;
        match self.run(commands, &kernel, &buffers, workgroups, counter::UNFINISHED).await? {
            0 => Ok(()),
            _ => Err(DeviceError::new("the driver ended a launch before it was finished")),
        }
    }
}
