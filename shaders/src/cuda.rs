//! The sources of `queens.cu` and `halves.cu`, the compiled kernels, and the constants that their host
//! needs. A test compares those constants that the sources define as well.

use std::ffi::CStr;

/// The source of the search kernels.
pub const SOURCE: &str = include_str!("../queens.cu");

/// The compiled search kernels: PTX, which a driver translates for its GPU.
pub const PTX: &str = include_str!("../queens.ptx");

/// The source of the kernels for half-board matching.
pub const HALVES_SOURCE: &str = include_str!("../halves.cu");

/// The compiled kernels for half-board matching, also as PTX.
pub const HALVES_PTX: &str = include_str!("../halves.ptx");

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

/// The threads of a warp. A block of the kernels for half-board matching is one warp, except for `split`.
pub const LANES: u32 = 32;

/// The largest number of threads in a block of `split`.
pub const SPLIT_THREADS: u32 = 64;

/// The number of diagonals in a group. A table has an entry for each subset of a group.
pub const GROUP: u32 = 4;

/// The bytes of shared memory that `pairs` needs per group.
pub const TABLE_BYTES: u32 = 2048;

/// The smallest number of groups for which a kernel exists.
const FEWEST_GROUPS: u32 = 8;

/// Returns the name of the kernel that counts pairs on a board with this many diagonals, and its
/// number of groups; `None` if there are too many diagonals.
pub fn pairs(diagonals: u32) -> Option<(&'static CStr, u32)> {
    let groups = diagonals.div_ceil(GROUP).max(FEWEST_GROUPS);
    let names =
        [c"pairs_8", c"pairs_9", c"pairs_10", c"pairs_11", c"pairs_12", c"pairs_13", c"pairs_14"];
    let name = names.get((groups - FEWEST_GROUPS) as usize)?;
    Some((name, groups))
}

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
    fn constants_match_the_cuda_sources() {
        for (source, name, number) in [
            (SOURCE, "ROOT_WORDS", Root::WORDS),
            (SOURCE, "NODE_WORDS", NODE_WORDS),
            (SOURCE, "MAX_CHILDREN", MAX_CHILDREN as usize),
            (SOURCE, "BLOCK", BLOCK as usize),
            (SOURCE, "SEARCH_WORDS", SEARCH_WORDS as usize),
            (SOURCE, "LEAF_QUEENS", LEAF_QUEENS as usize),
            (HALVES_SOURCE, "LANES", LANES as usize),
            (HALVES_SOURCE, "SPLIT_THREADS", SPLIT_THREADS as usize),
            (HALVES_SOURCE, "GROUP", GROUP as usize),
            (HALVES_SOURCE, "TABLE_BYTES", TABLE_BYTES as usize),
        ] {
            let line = format!("#define {name} {number}");
            assert!(source.lines().any(|source_line| source_line == line), "missing: {line}");
        }
    }

    #[test]
    fn every_number_of_diagonals_has_a_kernel() {
        // At N = 28, 27 diagonals of each direction matter.
        for diagonals in 1..=54 {
            let (name, groups) = pairs(diagonals).unwrap();
            assert!(groups * GROUP >= diagonals);
            assert_eq!(name.to_str().unwrap(), format!("pairs_{groups}"));
            assert!(HALVES_PTX.contains(&format!(".entry pairs_{groups}(")));
        }
        assert_eq!(pairs(57), None);
    }
}
