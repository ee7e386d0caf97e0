//! Tree search of the method `symmetry` on a GPU.
//!
//! A GPU searches thousands of small subtrees in parallel, so each task is divided further: each start of
//! the task becomes a node, nodes are expanded level by level, and the subtrees of the last level's nodes
//! are searched to the end. The nodes stay on the GPU. For each launch, the host only selects a level and a
//! range of its nodes, so that no buffer overflows, no launch takes long, and progress can be shown.

use queens_core::Tally;

use crate::{
    DeviceError, Launches, MAX_CHILDREN, Root,
    descent::{Descent, DeviceStep},
    device::{Device, numbers},
};

/// The number of counts in a tally: representatives of classes of 1, 2, 4 and 8 solutions.
const CLASSES: usize = 4;

/// The words of a tally.
const TALLY_WORDS: usize = 2 * CLASSES;

/// The number of nodes in the buffer of a level that is not reduced further if memory is short.
const FEW_NODES: u32 = 32 * MAX_CHILDREN;

/// A command queue with its buffers.
pub struct TreeQueue<D: Device> {
    // Dropped first, because an unfinished launch may still use the buffers.
    device: D,
    buffers: Option<Buffers<D::Buffer>>,
}

/// The buffers, and their sizes. Buffers that are too small for a batch are replaced.
struct Buffers<B> {
    roots: B,
    /// The nodes of each level. Those of level 0 are made of the roots.
    levels: Vec<B>,
    /// A tally for each task.
    tallies: B,
    most_roots: usize,
    most_slots: usize,
    /// The number of nodes that fit into each level below the roots.
    capacity: u32,
}

impl<B> Buffers<B> {
    fn level(&self, level: usize) -> Result<&B, DeviceError> {
        let missing = || DeviceError::new(format!("there are no nodes of level {level}"));
        self.levels.get(level).ok_or_else(missing)
    }
}

impl<D: Device> TreeQueue<D> {
    /// Creates a queue. Its memory is allocated with the first batch.
    pub fn new(device: D) -> TreeQueue<D> {
        TreeQueue { device, buffers: None }
    }

    /// Returns the device.
    pub fn device(&self) -> &D {
        &self.device
    }

    /// Returns the GPU memory of the buffers in bytes.
    pub fn memory(&self) -> usize {
        let words = |Buffers { levels, most_roots, most_slots, capacity, .. }: &Buffers<_>| {
            let nodes = most_roots + levels.len().saturating_sub(1) * *capacity as usize;
            most_roots * Root::WORDS + nodes * D::NODE_WORDS + most_slots * TALLY_WORDS
        };
        self.buffers.as_ref().map_or(0, words) * size_of::<u32>()
    }

    /// Counts a batch of `slots` tasks. All their roots have the same number of queens, and nodes are searched
    /// after `levels` expansions. Returns the tallies, or `None` if the count was stopped.
    ///
    /// # Errors
    /// [`DeviceError`] if there is not enough memory, or the device failed.
    pub async fn count(
        &mut self,
        roots: &[Root],
        slots: usize,
        levels: usize,
        mut launches: Launches<'_>,
    ) -> Result<Option<Vec<Tally>>, DeviceError> {
        let is_large_enough = |buffers: &mut Buffers<_>| {
            roots.len() <= buffers.most_roots
                && slots <= buffers.most_slots
                && levels < buffers.levels.len()
        };
        let buffers = match self.buffers.take_if(is_large_enough) {
            Some(buffers) => buffers,
            None => self.allocate(roots.len(), slots, levels).await?,
        };
        let buffers = &*self.buffers.insert(buffers);
        let device = &mut self.device;
        let words: Vec<u32> = roots.iter().flat_map(Root::words).copied().collect();
        device.write(&buffers.roots, &words)?;
        device.write(&buffers.tallies, &vec![0; slots * TALLY_WORDS])?;
        let count = roots.len() as u32;
        device.seed(&buffers.roots, count, buffers.level(0)?).await?;
        let open = roots.first().map_or(0, Root::open);
        let mut descent = Descent::new(count, open, levels, buffers.capacity);
        while let Some(step) = descent.step(launches.size()) {
            if launches.is_stopped() {
                return Ok(None);
            }
            match step {
                DeviceStep::Expand { level, nodes, existing } => {
                    let (from, to) = (buffers.level(level)?, buffers.level(level + 1)?);
                    let made = device.expand(&buffers.roots, from, nodes, to, existing).await?;
                    let possible = existing..=buffers.capacity;
                    if !possible.contains(&made) {
                        let reason = format!("{made} nodes instead of {possible:?}");
                        return Err(DeviceError::new(reason));
                    }
                    descent.expanded(made);
                }
                DeviceStep::Search { level, nodes } => {
                    let (start, searched) = (launches.now(), nodes.len());
                    let (from, open) = (buffers.level(level)?, open.saturating_sub(level as u32));
                    device.search(&buffers.roots, from, nodes, open, &buffers.tallies).await?;
                    launches.learn(searched, start);
                }
            }
        }
        let words = device.read(&buffers.tallies, slots * TALLY_WORDS).await?;
        let tally = |&classes: &[u64; CLASSES]| Tally { classes, ..Tally::default() };
        Ok(Some(numbers(&words).as_chunks().0.iter().map(tally).collect()))
    }

    /// Allocates buffers for a batch. If memory is short, the levels have less room. Those of the last batch
    /// are used again if there are enough of them; everything else is freed first.
    async fn allocate(
        &mut self,
        roots: usize,
        slots: usize,
        levels: usize,
    ) -> Result<Buffers<D::Buffer>, DeviceError> {
        let (capacity, nodes) = match self.buffers.take() {
            Some(mut old) if levels < old.levels.len() => (old.capacity, old.levels.split_off(1)),
            _ => (self.device.capacity(levels)?.max(MAX_CHILDREN), vec![]),
        };
        let device = &self.device;
        let (most_roots, most_slots) = (roots.next_power_of_two(), slots.next_power_of_two());
        let mut buffers = Buffers {
            roots: device.allocate(most_roots * Root::WORDS).await?,
            levels: vec![device.allocate(most_roots * D::NODE_WORDS).await?],
            tallies: device.allocate(most_slots * TALLY_WORDS).await?,
            most_roots,
            most_slots,
            capacity,
        };
        buffers.levels.extend(nodes);
        while buffers.levels.len() <= levels {
            match device.allocate(buffers.capacity as usize * D::NODE_WORDS).await {
                Ok(level) => buffers.levels.push(level),
                Err(error) if error.is_out_of_memory && buffers.capacity > FEW_NODES => {
                    buffers.levels.truncate(1);
                    buffers.capacity = (buffers.capacity / 2).max(FEW_NODES);
                }
                Err(error) => return Err(error),
            }
        }
        Ok(buffers)
    }
}
