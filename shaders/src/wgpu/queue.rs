//! Command queue for the tree search.

use std::{ops::Range, sync::Arc};

use queens_core::Tally;
use wgpu::{BindGroup, CommandEncoder};

use super::{
    buffers::{BatchSize, Buffers, memory_error},
    commands::{Bindings, bytes, launch, to_bytes},
    connection::{Connection, Pipeline},
    numbers::{MAX_LEVELS, TALLY_WORDS, binding, counter},
    sizes::Sizes,
};
use crate::{DeviceError, Root, children};

/// The maximum number of rows that an invocation searches, if nodes can be expanded that far. A
/// search takes at least as long as its heaviest node: 150 ms on a Hopper GPU with 13 rows.
const MAX_SEARCHED_ROWS: u32 = 11;

/// A launch has one invocation for this many nodes, so that light and heavy nodes even out, but at most
/// [`Sizes::lanes`] invocations.
const NODES_PER_LANE: u32 = 4;

/// One caller's commands to a device, with a buffer of nodes for each level and a tally for each
/// task of a batch.
#[derive(Debug)]
pub struct WgpuTreeQueue {
    connection: Arc<Connection>,
    sizes: Sizes,
    buffers: Buffers,
    batch: BatchSize,
}

impl WgpuTreeQueue {
    /// Creates a queue with small buffers, which grow when a batch begins. Several queues may share
    /// a connection.
    ///
    /// # Errors
    /// [`DeviceError`] if the driver refuses.
    pub async fn open(
        connection: impl Into<Arc<Connection>>,
    ) -> Result<WgpuTreeQueue, DeviceError> {
        let connection = connection.into();
        let buffers = Buffers::new(&connection).await?;
        let sizes = connection.sizes;
        Ok(WgpuTreeQueue { connection, sizes, buffers, batch: BatchSize::default() })
    }

    /// Returns the number of nodes that fit into the buffer of a level.
    pub fn capacity(&self) -> u32 {
        self.sizes.nodes
    }

    /// Returns the bytes of device memory that the queue uses.
    pub fn memory(&self) -> usize {
        self.buffers.memory()
    }

    /// Returns the connection, which other queues may share.
    pub fn connection(&self) -> Arc<Connection> {
        Arc::clone(&self.connection)
    }

    /// Returns the smallest number of nodes worth a launch.
    pub fn smallest_launch(&self) -> usize {
        self.sizes.launch as usize
    }

    /// Returns how many times a root with `rows` queens on a board of `n` is expanded before its
    /// nodes are searched.
    pub fn levels(&self, n: u32, rows: u32) -> usize {
        let third = (n / 3).saturating_sub(rows);
        let deep = n.saturating_sub(rows + MAX_SEARCHED_ROWS);
        (third.max(deep) as usize).min(MAX_LEVELS)
    }

    /// Begins a batch: level 0 gets a node for each root, and the tallies of `slots` tasks are
    /// cleared. All roots must have the same board and the same number of queens.
    ///
    /// # Errors
    /// [`DeviceError`] if there is not enough memory, or the device failed.
    pub async fn begin(&mut self, roots: &[Root], slots: usize) -> Result<(), DeviceError> {
        let (n, row) = roots.first().map_or((0, 0), |root| (root.size(), root.rows()));
        self.batch = BatchSize { roots: roots.len(), slots, rows: n.saturating_sub(row) };
        let levels = self.levels(n, row);
        self.buffers.hold(&self.connection, &mut self.sizes, self.batch, levels).await?;
        let mut commands = self.connection.commands();
        commands.clear_buffer(&self.buffers.tallies, 0, None);
        if let Ok(count @ 1..) = u32::try_from(roots.len()) {
            let words: Vec<u32> = roots.iter().flat_map(Root::words).copied().collect();
            self.connection.queue.write_buffer(&self.buffers.roots, 0, &to_bytes(&words));
            let kernel = &self.connection.seed;
            let bindings = [
                (binding::ROOTS, &self.buffers.roots),
                (binding::CHILDREN, self.buffers.level(0)?),
            ];
            let lanes = count.min(self.sizes.lanes);
            let group = self.prepare(kernel, &bindings, 0..count, lanes);
            launch(&mut commands, kernel, &group, lanes.div_ceil(kernel.lanes));
        }
        self.connection.submit(commands.finish())?;
        Ok(())
    }

    /// Expands a range of a level's nodes into the next level, behind the first `existing` nodes
    /// there. Returns the number of nodes that the next level holds then: at most [`children`] more
    /// for each expanded node.
    ///
    /// # Errors
    /// [`DeviceError`] if the level cannot be expanded, the next one might overflow, or the device
    /// failed.
    pub async fn expand(
        &mut self,
        level: usize,
        nodes: Range<u32>,
        existing: u32,
    ) -> Result<u32, DeviceError> {
        let open = self.batch.rows.saturating_sub(u32::try_from(level).unwrap_or(u32::MAX));
        // The search places the queens of the last two rows together, so each child must lack at least two.
        if level >= MAX_LEVELS || open <= 2 {
            return Err(DeviceError::new(format!(
                "level {level} of this board cannot be expanded"
            )));
        }
        let max_nodes = u64::from(existing) + nodes.len() as u64 * u64::from(children(open));
        if max_nodes > u64::from(self.sizes.nodes) {
            return Err(DeviceError::new(format!("{} nodes are too many to expand", nodes.len())));
        }
        let added = self.buffers.add_levels(&self.connection, &self.sizes, level + 1).await;
        added.map_err(|error| memory_error(error, "nodes"))?;
        let kernel = &self.connection.expand;
        let bindings = [
            (binding::ROOTS, &self.buffers.roots),
            (binding::NODES, self.buffers.level(level)?),
            (binding::CHILDREN, self.buffers.level(level + 1)?),
            (binding::COUNTERS, &self.buffers.counters),
        ];
        let lanes = (nodes.len() as u32).clamp(1, self.sizes.lanes);
        let group = self.prepare(kernel, &bindings, nodes, lanes);
        let counter_value = to_bytes(&[existing]);
        self.connection.queue.write_buffer(&self.buffers.counters, counter::MADE, &counter_value);
        let mut commands = self.connection.commands();
        launch(&mut commands, kernel, &group, lanes.div_ceil(kernel.lanes));
        self.read_counter(commands, counter::MADE).await
    }

    /// Searches a range of a level's nodes to the end.
    ///
    /// # Errors
    /// [`DeviceError`] if the device failed.
    pub async fn search(&mut self, level: usize, nodes: Range<u32>) -> Result<(), DeviceError> {
        let rows = self.batch.rows.saturating_sub(level as u32);
        let kernel = self.connection.search(rows).await?;
        let bindings = [
            (binding::ROOTS, &self.buffers.roots),
            (binding::NODES, self.buffers.level(level)?),
            (binding::COUNTERS, &self.buffers.counters),
            (binding::TALLIES, &self.buffers.tallies),
            (binding::PAUSED, &self.buffers.paused),
        ];
        let lanes = (nodes.len() as u32).div_ceil(NODES_PER_LANE).clamp(1, self.sizes.lanes);
        let group = self.prepare(kernel, &bindings, nodes, lanes);
        let mut commands = self.connection.commands();
        commands.clear_buffer(&self.buffers.counters, counter::TAKEN, Some(4));
        commands.clear_buffer(&self.buffers.paused, 0, Some(bytes(lanes as usize)));
        loop {
            commands.clear_buffer(&self.buffers.counters, counter::UNFINISHED, Some(4));
            launch(&mut commands, kernel, &group, lanes.div_ceil(kernel.lanes));
            if self.read_counter(commands, counter::UNFINISHED).await? == 0 {
                return Ok(());
            }
            commands = self.connection.commands();
        }
    }

    /// Returns the tally of each task: the representatives found since the batch began.
    ///
    /// # Errors
    /// [`DeviceError`] if the device failed.
    pub async fn tallies(&mut self) -> Result<Vec<Tally>, DeviceError> {
        if self.batch.slots == 0 {
            return Ok(Vec::new());
        }
        let words = self.batch.slots * TALLY_WORDS;
        let Buffers { tallies, answer, .. } = &self.buffers;
        let commands = self.connection.commands();
        let words = self.connection.read(commands, (tallies, 0), words, answer).await?;
        Ok(words.chunks_exact(TALLY_WORDS).map(tally).collect())
    }

    /// Writes the parameters of the next launch, over `nodes`, and binds its buffers.
    fn prepare(
        &self,
        kernel: &Pipeline,
        bindings: &Bindings<'_>,
        nodes: Range<u32>,
        lanes: u32,
    ) -> BindGroup {
        let words = [nodes.start, nodes.end, lanes, self.sizes.turns];
        self.connection.queue.write_buffer(&self.buffers.launch, 0, &to_bytes(&words));
        let all = [&[(binding::LAUNCH, &self.buffers.launch)], bindings].concat();
        self.connection.bind(kernel, &all)
    }

    async fn read_counter(&self, commands: CommandEncoder, from: u64) -> Result<u32, DeviceError> {
        let Buffers { counters, answer, .. } = &self.buffers;
        let words = self.connection.read(commands, (counters, from), 1, answer).await?;
        Ok(words.first().copied().unwrap_or(0))
    }
}

/// Reads a tally from its words: for each kind of class the low word and the high word.
fn tally(words: &[u32]) -> Tally {
    let mut tally = Tally::default();
    for (count, pair) in tally.classes.iter_mut().zip(words.chunks_exact(2)) {
        *count = pair.iter().rev().fold(0, |count, &word| count << 32 | u64::from(word));
    }
    tally
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wgpu::commands::from_bytes;

    #[test]
    fn tallies_join_low_and_high_words() {
        let words = from_bytes(&to_bytes(&[0, 0, 7, 0, u32::MAX, 0, 5, 0x0102_0304]));
        assert_eq!(tally(&words).classes, [0, 7, 0xffff_ffff, 0x0102_0304_0000_0005]);
    }
}
