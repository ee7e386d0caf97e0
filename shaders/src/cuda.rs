//! The compiled kernels of `queens.cu` and `colours.cu`, and the constants that their host needs. A test
//! compares those constants that the sources define as well.

use crate::Triples;

/// The compiled kernels of the tree search: PTX, which a driver translates for its GPU.
pub const PTX: &str = include_str!("../queens.ptx");

/// The compiled kernel of the colour join.
pub const COLOURS_PTX: &str = include_str!("../colours.ptx");

/// The least compute capability that the kernels need.
pub const CAPABILITY: (u32, u32) = (5, 2);

/// The least version of CUDA that a driver must support to compile them.
pub const CUDA: (u32, u32) = (11, 8);

/// The number of words in a node.
pub const NODE_WORDS: usize = 16;

/// The largest number of threads in a block.
pub const BLOCK: u32 = 128;

/// The words of shared memory that a thread of `search` needs for each queen it has to place.
pub const SEARCH_WORDS: u32 = 6;

/// The recommended number of queens that a leaf has to place.
pub const LEAF_QUEENS: u32 = 12;

/// The minimum number of expansions before a node is searched, unless its board is full. They place
/// the queens of both side columns and decide cell B.
pub const MIN_LEVELS: u32 = 3;

/// Returns the number of levels below roots that lack `open` queens, if leaves have to place `leaf`
/// queens.
pub fn levels(open: u32, leaf: u32) -> usize {
    open.saturating_sub(leaf).max(MIN_LEVELS.min(open)) as usize
}

/// The number of threads in a block of `colours`.
pub const JOIN_BLOCK: u32 = 32;

/// The words of shared memory for each queen of a thread of `colours`.
const STATE_WORDS: u32 = 4;

/// At least the dynamic shared memory of a block of `colours` on any board, in bytes. With the kernel's own
/// variables it is less than what every GPU has.
pub const MAX_JOIN_SHARED: u32 = 32 << 10;

/// Returns the dynamic shared memory of a block of `colours`, in bytes.
pub fn join_shared(triples: &Triples) -> u32 {
    let words = triples.cells + STATE_WORDS * JOIN_BLOCK * triples.queens;
    words * size_of::<u32>() as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MAX_CHILDREN, NUMBERS, PAIR_WORDS, Root, SUMS};

    #[test]
    fn requirements_match_the_compiled_kernels() {
        let ((major, minor), (cuda, release)) = (CAPABILITY, CUDA);
        // PTX 7.0 to 7.8 belong to CUDA 11 and PTX 8.0 to 8.5 to CUDA 12, with equal minor versions.
        let lines =
            [format!(".version {}.{release}", cuda - 4), format!(".target sm_{major}{minor}")];
        for (ptx, line) in
            [PTX, COLOURS_PTX].into_iter().flat_map(|ptx| lines.iter().map(move |line| (ptx, line)))
        {
            assert!(ptx.lines().any(|ptx_line| ptx_line == line), "missing: {line}");
        }
    }

    #[test]
    fn constants_match_the_sources() {
        let sources = concat!(include_str!("../queens.cu"), include_str!("../colours.cu"));
        for (name, number) in [
            ("PAIR_WORDS", PAIR_WORDS),
            ("NUMBERS", NUMBERS),
            ("SUMS", SUMS),
            ("STATE_WORDS", STATE_WORDS as usize),
            ("JOIN_BLOCK", JOIN_BLOCK as usize),
            ("ROOT_WORDS", Root::WORDS),
            ("NODE_WORDS", NODE_WORDS),
            ("MAX_CHILDREN", MAX_CHILDREN as usize),
            ("BLOCK", BLOCK as usize),
            ("SEARCH_WORDS", SEARCH_WORDS as usize),
            ("LEAF_QUEENS", LEAF_QUEENS as usize),
        ] {
            let line = format!("#define {name} {number}");
            assert!(sources.lines().any(|source_line| source_line == line), "missing: {line}");
        }
    }
}
