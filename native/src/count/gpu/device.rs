//! What the host asks of a GPU.

use std::{ops::Range, sync::Arc};

use queens_core::Tally;

use super::Root;

/// The largest number of nodes that any node expands to.
pub const MAX_CHILDREN: u32 = 32;

/// The largest number of nodes that a node expands to which lacks `open` queens: one for each
/// square of a line that nothing closes, and one more on a square apart.
pub fn children(open: u32) -> u32 {
    (open + 1).min(MAX_CHILDREN)
}

/// A card that can be counted on.
pub trait Card: Send + Sync {
    /// Its name, as its maker gives it.
    fn name(&self) -> String;

    /// How it is used, such as the driver and the kind of device, for the result document.
    fn detail(&self) -> String;

    /// The number of lanes that search, where that was limited to look for faults.
    fn lanes(&self) -> Option<u32>;

    /// A queue of commands with buffers of its own. It stays in the thread that opened it.
    ///
    /// # Errors
    /// [`DeviceError`] if the driver refuses, as for want of memory.
    fn open(&self) -> Result<Box<dyn Device>, DeviceError>;
}

/// A GPU that this machine has, whether or not it can be counted on.
pub struct Found {
    /// The name that its driver gives.
    pub name: String,
    /// What kind of device it is and through what it is reached, such as "discrete GPU, Vulkan".
    pub kind: String,
    /// Its memory in bytes, where the driver tells.
    pub memory: Option<u64>,
    /// Whether it is no GPU but a program that behaves like one, slower than the processor's own
    /// threads.
    pub is_software: bool,
    /// The card itself, or why it cannot be used.
    pub card: Result<Arc<dyn Card>, String>,
}

/// One queue of commands on a card, with a buffer of nodes for each level and a tally for each
/// task of a batch.
///
/// A node is an unfinished placement in the kernels' own form. Level 0 holds the roots of a batch,
/// and one more decision is made from each level to the next.
pub trait Device {
    /// The number of nodes that the buffer of a level holds, at least
    /// [`MAX_CHILDREN`].
    fn capacity(&self) -> u32;

    /// The fewest nodes worth a launch. One with fewer takes hardly less time, since the heaviest
    /// of them alone takes that long, and leaves most lanes idle.
    fn smallest_launch(&self) -> usize {
        1 << 8
    }

    /// How many times the node of a root with `rows` queens on a board of `n` is expanded before
    /// what came of it is searched: often enough that what is left to a lane is small enough to
    /// balance thousands of them, and not so often that it is not worth fetching.
    fn levels(&self, n: u32, rows: u32) -> usize {
        // Two thirds of the board are left to the search.
        (n / 3).saturating_sub(rows) as usize
    }

    /// Begins a batch: level 0 gets a node for each root, and the tallies of `slots` tasks are
    /// cleared.
    ///
    /// # Errors
    /// [`DeviceError`], here and below, if a copy or a launch fails.
    fn begin(&mut self, roots: &[Root], slots: usize) -> Result<(), DeviceError>;

    /// Expands a range of a level's nodes into the next level, behind the first `behind` nodes of
    /// that, and returns how many nodes it holds then: at most [`children`] more for each.
    ///
    /// # Errors
    /// See [`begin`](Device::begin).
    fn expand(&mut self, level: usize, nodes: Range<u32>, behind: u32) -> Result<u32, DeviceError>;

    /// Searches a range of a level's nodes to the end and returns when that is done.
    ///
    /// # Errors
    /// See [`begin`](Device::begin).
    fn search(&mut self, level: usize, nodes: Range<u32>) -> Result<(), DeviceError>;

    /// The representatives found since the batch began, task by task.
    ///
    /// # Errors
    /// See [`begin`](Device::begin).
    fn tallies(&mut self) -> Result<Vec<Tally>, DeviceError>;
}

/// What a driver refused, as a sentence: what was asked of it and what it said.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct DeviceError(pub String);
