//! The source of `queens.cu`, the compiled kernels, and the constants that their host needs. A test
//! compares those constants that the source defines as well.

/// The source of the kernels.
pub const SOURCE: &str = include_str!("../queens.cu");

/// The compiled kernels: PTX, which a driver translates for its GPU.
pub const PTX: &str = include_str!("../queens.ptx");

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

/// The number of counts in a tally: representatives of classes of 1, 2, 4 and 8 solutions.
pub const CLASSES: usize = 4;

/// Returns the number of levels below roots that lack `open` queens, if leaves have to place `leaf`
/// queens.
pub fn levels(open: u32, leaf: u32) -> usize {
    open.saturating_sub(leaf).max(MIN_LEVELS.min(open)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MAX_CHILDREN, Root};

    #[test]
    fn constants_match_the_source() {
        for (name, number) in [
            ("ROOT_WORDS", Root::WORDS),
            ("NODE_WORDS", NODE_WORDS),
            ("MAX_CHILDREN", MAX_CHILDREN as usize),
            ("BLOCK", BLOCK as usize),
            ("SEARCH_WORDS", SEARCH_WORDS as usize),
            ("LEAF_QUEENS", LEAF_QUEENS as usize),
        ] {
            let line = format!("#define {name} {number}");
            assert!(SOURCE.lines().any(|source_line| source_line == line), "missing: {line}");
        }
    }
}
