//! What the tree search asks of a GPU.

use std::ops::Range;

use queens_core::Tally;
use queens_gpu::{DeviceError, Root};

/// One queue of commands on a card, with a buffer of nodes for each level and a tally for each
/// task of a batch. Each call waits until it is done.
///
/// A node is an unfinished placement in the kernels' own form. Level 0 holds the roots of a batch,
/// and one more decision is made from each level to the next.
pub trait Device {
    /// The bytes of the card's memory that it takes.
    fn memory(&self) -> usize;

    /// The number of nodes that the buffer of a level holds, at least
    /// [`MAX_CHILDREN`](queens_gpu::MAX_CHILDREN).
    fn capacity(&self) -> u32;

    /// The fewest nodes worth a launch. One with fewer takes hardly less time, since the heaviest
    /// of them alone takes that long, and leaves most lanes idle.
    fn smallest_launch(&self) -> usize {
        1 << 8
    }

    /// How many times the node of a root with `rows` queens on a board of `n` is expanded before
    /// what came of it is searched: often enough that what is left to a lane is small enough to
    /// balance thousands of them, and not so often that it is not worth fetching.
    fn levels(&self, n: u32, rows: u32) -> usize;

    /// Begins a batch: level 0 gets a node for each root, and the tallies of `slots` tasks are
    /// cleared.
    fn begin(&mut self, roots: &[Root], slots: usize) -> Result<(), DeviceError>;

    /// Expands a range of a level's nodes into the next level, behind the first `behind` nodes of
    /// that, and returns how many nodes it holds then: at most
    /// [`children`](queens_gpu::children) more for each.
    fn expand(&mut self, level: usize, nodes: Range<u32>, behind: u32) -> Result<u32, DeviceError>;

    /// Searches a range of a level's nodes to the end and returns when that is done.
    fn search(&mut self, level: usize, nodes: Range<u32>) -> Result<(), DeviceError>;

    /// The representatives found since the batch began, task by task.
    fn tallies(&mut self) -> Result<Vec<Tally>, DeviceError>;
}
