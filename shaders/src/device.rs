//! The interface between the searches and a GPU.

use std::ops::{Range, RangeInclusive};

use queens_core::GpuSearch;

use crate::{DeviceError, Triples};

/// What the searches need of a GPU: memory, and launches of the kernels, which run one after another.
/// `README.md` explains the kernels and their records.
///
/// The caller keeps the ranges of a launch, and all that it writes, within the buffers.
#[expect(async_fn_in_trait, reason = "a queue stays on the thread that opened it")]
pub trait Device {
    /// An array of 32-bit words in the GPU's memory.
    type Buffer;

    /// The number of words in a node.
    const NODE_WORDS: usize;

    /// Returns the permitted sizes of a launch, in nodes or triples. A smaller launch would be hardly faster:
    /// it takes as long as its largest subtree, and most GPU threads are idle.
    fn launch_sizes(&self, search: GpuSearch) -> RangeInclusive<usize>;

    /// Returns the number of levels to expand below a root with `rows` queens on a board of size `n`.
    ///
    /// More levels make the subtrees small enough to balance thousands of GPU threads. Too many levels
    /// make them so small that loading a node is not worthwhile.
    fn levels(&self, n: u32, rows: u32) -> usize;

    /// Returns how many nodes each of `levels` buffers should hold.
    fn capacity(&self, levels: usize) -> Result<u32, DeviceError>;

    /// Allocates a buffer of at least one word.
    async fn allocate(&self, words: usize) -> Result<Self::Buffer, DeviceError>;

    /// Writes words to the start of a buffer.
    fn write(&mut self, buffer: &Self::Buffer, words: &[u32]) -> Result<(), DeviceError>;

    /// Reads the first words of a buffer.
    async fn read(&mut self, buffer: &Self::Buffer, words: usize) -> Result<Vec<u32>, DeviceError>;

    /// Makes a node of each of `count` roots.
    async fn seed(
        &mut self,
        roots: &Self::Buffer,
        count: u32,
        nodes: &Self::Buffer,
    ) -> Result<(), DeviceError>;

    /// Expands a range of nodes and writes their children after the first `existing` nodes of `to`. Returns
    /// the number of nodes that `to` has then.
    async fn expand(
        &mut self,
        roots: &Self::Buffer,
        from: &Self::Buffer,
        nodes: Range<u32>,
        to: &Self::Buffer,
        existing: u32,
    ) -> Result<u32, DeviceError>;

    /// Searches a range of nodes, which lack `open` queens each, to the end.
    async fn search(
        &mut self,
        roots: &Self::Buffer,
        from: &Self::Buffer,
        nodes: Range<u32>,
        open: u32,
        tallies: &Self::Buffer,
    ) -> Result<(), DeviceError>;

    /// Counts a range of triples. `buffers` are their pairs, their tables and the sums.
    async fn join(
        &mut self,
        triples: &Triples,
        buffers: [&Self::Buffer; 3],
        range: Range<u32>,
    ) -> Result<(), DeviceError>;
}

/// Returns the numbers of which a kernel has written the low and the high word.
pub(crate) fn numbers(words: &[u32]) -> Vec<u64> {
    let number = |&[low, high]: &[u32; 2]| u64::from(high) << 32 | u64::from(low);
    words.as_chunks().0.iter().map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_join_low_and_high_words() {
        let words = [7, 0, u32::MAX, 0, 5, 0x0102_0304];
        assert_eq!(numbers(&words), [7, 0xffff_ffff, 0x0102_0304_0000_0005]);
    }
}
