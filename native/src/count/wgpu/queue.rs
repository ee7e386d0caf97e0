//! Launches, and what is read back.

use std::{
    ops::Range,
    sync::{Arc, mpsc},
    time::Duration,
};

use queens_core::Tally;
use wgpu::{
    BindGroup, BindGroupDescriptor, BindGroupEntry, Buffer, CommandEncoder,
    CommandEncoderDescriptor, ComputePassDescriptor, MapMode,
};

use super::{
    buffers::{Batch, Buffers, Sizes, TALLY_WORDS, bytes, refused},
    connection::{Connection, Kernel, failed},
};
use crate::count::gpu::{Device, DeviceError, Root, children};

/// How many queens a node can have below those of its root: `columns` of the kernels.
const MOST_LEVELS: usize = 8;

/// The most rows that are left to a lane, if expanding goes that far. A launch takes as long as its
/// heaviest node, and with 13 rows that was 150 ms on a Hopper card, however few nodes there were.
const ROWS_LEFT: u32 = 11;

/// Nodes for each lane, so that light and heavy ones even out.
const NODES_PER_LANE: u32 = 4;

/// Where the kernels' `counters` are, in bytes.
const TAKEN: u64 = 0;
const UNFINISHED: u64 = 4;
const MADE: u64 = 8;

/// How long the word that a buffer can be read may take once its commands are done.
const PATIENCE: Duration = Duration::from_secs(10);

/// One thread's commands to a card.
pub(super) struct WgpuQueue {
    connection: Arc<Connection>,
    sizes: Sizes,
    buffers: Buffers,
    batch: Batch,
}

/// The buffers of a launch, by their numbers in the kernels.
type Bindings<'a> = [(u32, &'a Buffer)];

const LAUNCH: u32 = 0;
const ROOTS: u32 = 1;
const NODES: u32 = 2;
const CHILDREN: u32 = 3;
const COUNTERS: u32 = 4;
const TALLIES: u32 = 5;
const PAUSED: u32 = 6;

impl WgpuQueue {
    pub(super) fn new(connection: Arc<Connection>, sizes: Sizes) -> Result<WgpuQueue, DeviceError> {
        let buffers = Buffers::new(&connection)?;
        Ok(WgpuQueue { connection, sizes, buffers, batch: Batch::default() })
    }

    fn commands(&self) -> CommandEncoder {
        self.connection.device.create_command_encoder(&CommandEncoderDescriptor::default())
    }

    /// The buffers of a launch over `nodes`, which is the next to be handed over.
    fn prepare(
        &self,
        kernel: &Kernel,
        bindings: &Bindings<'_>,
        nodes: Range<u32>,
        lanes: u32,
    ) -> BindGroup {
        let words = [nodes.start, nodes.end, lanes, self.sizes.turns];
        self.connection.queue.write_buffer(&self.buffers.launch, 0, &to_bytes(&words));
        let all = [(LAUNCH, &self.buffers.launch)];
        let entries: Vec<BindGroupEntry<'_>> = all
            .iter()
            .chain(bindings)
            .map(|&(binding, buffer)| BindGroupEntry {
                binding,
                resource: buffer.as_entire_binding(),
            })
            .collect();
        self.connection.device.create_bind_group(&BindGroupDescriptor {
            label: None,
            layout: &kernel.pipeline.get_bind_group_layout(0),
            entries: &entries,
        })
    }

    /// Runs `commands`, then reads words of a buffer from a byte on.
    fn read(
        &self,
        mut commands: CommandEncoder,
        buffer: &Buffer,
        from: u64,
        words: usize,
    ) -> Result<Vec<u32>, DeviceError> {
        let failed = |error: &dyn std::fmt::Display| failed("reading what it found", error);
        let answer = &self.buffers.answer;
        commands.copy_buffer_to_buffer(buffer, from, answer, 0, bytes(words));
        let submission = self.connection.submit(commands.finish())?;
        let part = answer.slice(..bytes(words));
        let (ready, word) = mpsc::channel();
        // Nobody listens any more after a failure.
        part.map_async(MapMode::Read, move |mapped| drop(ready.send(mapped)));
        self.connection.wait(submission)?;
        // Another thread that waits for this device may be the one to bring the word.
        word.recv_timeout(PATIENCE).map_err(|error| failed(&error))?.map_err(|e| failed(&e))?;
        let view = part.get_mapped_range().map_err(|error| failed(&error))?;
        let words = from_bytes(&view);
        drop(view);
        answer.unmap();
        Ok(words)
    }

    fn read_counter(&self, commands: CommandEncoder, from: u64) -> Result<u32, DeviceError> {
        let words = self.read(commands, &self.buffers.counters, from, 1)?;
        Ok(words.first().copied().unwrap_or(0))
    }
}

/// Adds a launch to `commands`.
fn launch(commands: &mut CommandEncoder, kernel: &Kernel, group: &BindGroup, lanes: u32) {
    let mut pass = commands.begin_compute_pass(&ComputePassDescriptor::default());
    pass.set_pipeline(&kernel.pipeline);
    pass.set_bind_group(0, group, &[]);
    pass.dispatch_workgroups(lanes.div_ceil(kernel.lanes), 1, 1);
}

impl Device for WgpuQueue {
    fn capacity(&self) -> u32 {
        self.sizes.nodes
    }

    fn smallest_launch(&self) -> usize {
        self.sizes.launch as usize
    }

    fn levels(&self, n: u32, rows: u32) -> usize {
        let third = (n / 3).saturating_sub(rows);
        let deep = n.saturating_sub(rows + ROWS_LEFT);
        (third.max(deep) as usize).min(MOST_LEVELS)
    }

    fn begin(&mut self, roots: &[Root], slots: usize) -> Result<(), DeviceError> {
        let (n, row) = roots.first().map_or((0, 0), |root| (root.size(), root.rows()));
        self.batch = Batch { roots: roots.len(), slots, rows: n.saturating_sub(row) };
        let levels = self.levels(n, row);
        self.buffers.hold(&self.connection, &mut self.sizes, self.batch, levels)?;
        let mut commands = self.commands();
        commands.clear_buffer(&self.buffers.tallies, 0, None);
        if let Ok(count @ 1..) = u32::try_from(roots.len()) {
            let words: Vec<u32> = roots.iter().flat_map(Root::words).copied().collect();
            self.connection.queue.write_buffer(&self.buffers.roots, 0, &to_bytes(&words));
            let kernel = &self.connection.seed;
            let bindings = [(ROOTS, &self.buffers.roots), (CHILDREN, self.buffers.level(0)?)];
            let lanes = count.min(self.sizes.lanes);
            let group = self.prepare(kernel, &bindings, 0..count, lanes);
            launch(&mut commands, kernel, &group, lanes);
        }
        self.connection.submit(commands.finish())?;
        Ok(())
    }

    fn expand(&mut self, level: usize, nodes: Range<u32>, behind: u32) -> Result<u32, DeviceError> {
        let open = self.batch.rows.saturating_sub(u32::try_from(level).unwrap_or(u32::MAX));
        // The queen of the last row is for the search to find.
        if level >= MOST_LEVELS || open <= 2 {
            return Err(DeviceError(format!("level {level} of this board cannot be expanded")));
        }
        let most = u64::from(behind) + nodes.len() as u64 * u64::from(children(open));
        if most > u64::from(self.sizes.nodes) {
            return Err(DeviceError(format!("{} nodes are too many to expand", nodes.len())));
        }
        let below = self.buffers.add_levels(&self.connection, &self.sizes, level + 1);
        below.map_err(|refusal| refused(refusal, "nodes"))?;
        let kernel = &self.connection.expand;
        let bindings = [
            (ROOTS, &self.buffers.roots),
            (NODES, self.buffers.level(level)?),
            (CHILDREN, self.buffers.level(level + 1)?),
            (COUNTERS, &self.buffers.counters),
        ];
        let lanes = (nodes.len() as u32).clamp(1, self.sizes.lanes);
        let group = self.prepare(kernel, &bindings, nodes, lanes);
        self.connection.queue.write_buffer(&self.buffers.counters, MADE, &to_bytes(&[behind]));
        let mut commands = self.commands();
        launch(&mut commands, kernel, &group, lanes);
        self.read_counter(commands, MADE)
    }

    fn search(&mut self, level: usize, nodes: Range<u32>) -> Result<(), DeviceError> {
        let kernel = self.connection.search(self.batch.rows.saturating_sub(level as u32))?;
        let bindings = [
            (ROOTS, &self.buffers.roots),
            (NODES, self.buffers.level(level)?),
            (COUNTERS, &self.buffers.counters),
            (TALLIES, &self.buffers.tallies),
            (PAUSED, &self.buffers.paused),
        ];
        let lanes = (nodes.len() as u32).div_ceil(NODES_PER_LANE).clamp(1, self.sizes.lanes);
        let group = self.prepare(&kernel, &bindings, nodes, lanes);
        let mut commands = self.commands();
        commands.clear_buffer(&self.buffers.counters, TAKEN, Some(4));
        commands.clear_buffer(&self.buffers.paused, 0, Some(bytes(lanes as usize)));
        loop {
            commands.clear_buffer(&self.buffers.counters, UNFINISHED, Some(4));
            launch(&mut commands, &kernel, &group, lanes);
            if self.read_counter(commands, UNFINISHED)? == 0 {
                return Ok(());
            }
            commands = self.commands();
        }
    }

    fn tallies(&mut self) -> Result<Vec<Tally>, DeviceError> {
        if self.batch.slots == 0 {
            return Ok(Vec::new());
        }
        let words = self.batch.slots * TALLY_WORDS;
        let words = self.read(self.commands(), &self.buffers.tallies, 0, words)?;
        Ok(words.chunks_exact(TALLY_WORDS).map(tally).collect())
    }
}

/// A tally from its words: for each kind of class the low one and the high one.
fn tally(words: &[u32]) -> Tally {
    let mut tally = Tally::default();
    for (count, pair) in tally.classes.iter_mut().zip(words.chunks_exact(2)) {
        *count = pair.iter().rev().fold(0, |count, &word| count << 32 | u64::from(word));
    }
    tally
}

fn to_bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn from_bytes(bytes: &[u8]) -> Vec<u32> {
    let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte));
    bytes.chunks_exact(4).map(word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tallies_have_a_high_word() {
        let words = from_bytes(&to_bytes(&[0, 0, 7, 0, u32::MAX, 0, 5, 0x0102_0304]));
        assert_eq!(tally(&words).classes, [0, 7, 0xffff_ffff, 0x0102_0304_0000_0005]);
    }
}
