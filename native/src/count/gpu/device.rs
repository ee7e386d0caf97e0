//! Interfaces between the methods and a GPU.

use std::ops::Range;

use queens_core::Tally;
use queens_gpu::{DeviceError, Root, SUMS, Triples};

/// A command queue on a GPU for the tree search, with a node buffer for each level and a tally for each task of a batch. Each
/// call except [`begin`](Device::begin) blocks until its commands are done.
///
/// A node is a partial placement in the kernels' format. Level 0 holds the roots of a batch. The
/// nodes of each further level have one more queen.
pub trait Device {
    /// Returns the GPU memory of this queue in bytes.
    fn memory(&self) -> usize;

    /// Returns the number of nodes in the buffer of a level, at least
    /// [`MAX_CHILDREN`](queens_gpu::MAX_CHILDREN).
    fn capacity(&self) -> u32;

    /// Returns the smallest useful number of nodes per launch. A launch with fewer nodes is hardly faster:
    /// it takes as long as its largest subtree, and most GPU threads are idle.
    fn smallest_launch(&self) -> usize {
        1 << 8
    }

    /// Returns the number of levels to expand below a root with `rows` queens on a board of size `n`.
    ///
    /// More levels make the subtrees small enough to balance thousands of GPU threads. Too many levels
    /// make them so small that loading a node is not worthwhile.
    fn levels(&self, n: u32, rows: u32) -> usize;

    /// Begins a batch of `slots` tasks: creates a node on level 0 for each root, and clears the tallies. All
    /// roots have the same number of queens. The call may return before its commands are done; then a later
    /// call returns their error.
    fn begin(&mut self, roots: &[Root], slots: usize) -> Result<(), DeviceError>;

    /// Expands a range of nodes of a level and writes their children to the next level, after its first
    /// `existing` nodes, which are kept. Returns the new number of nodes on the next level. Each node has at
    /// most [`children`](queens_gpu::children) children.
    fn expand(
        &mut self,
        level: usize,
        nodes: Range<u32>,
        existing: u32,
    ) -> Result<u32, DeviceError>;

    /// Searches the subtrees of a range of nodes of a level.
    fn search(&mut self, level: usize, nodes: Range<u32>) -> Result<(), DeviceError>;

    /// Returns, for each task of the batch, the tally of the representatives found so far.
    fn tallies(&mut self) -> Result<Vec<Tally>, DeviceError>;
}

/// A command queue on a GPU for the colour join. Each call blocks until its commands are done.
pub trait JoinDevice {
    /// Returns the GPU memory of this queue in bytes.
    fn memory(&self) -> usize;

    /// Returns the largest number of triples per launch.
    fn largest_launch(&self) -> usize;

    /// Begins a batch: writes its triples to the GPU and clears the sums of its tasks.
    fn begin(&mut self, triples: &Triples) -> Result<(), DeviceError>;

    /// Counts a range of the batch's triples.
    fn count(&mut self, range: Range<u32>) -> Result<(), DeviceError>;

    /// Returns the sums of each task of the batch.
    fn sums(&mut self) -> Result<Vec<[u64; SUMS]>, DeviceError>;
}
