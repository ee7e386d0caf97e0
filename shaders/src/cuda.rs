//! What a host has to know of `queens.cu` and `halves.cu`, whose heads say the same.

use std::ffi::CStr;

/// The source of the kernels that search.
pub const SOURCE: &str = include_str!("../queens.cu");

/// These kernels, translated ahead of time into code that drivers translate for their card.
pub const PTX: &str = include_str!("../queens.ptx");

/// The source of the kernels that match halves.
pub const HALVES_SOURCE: &str = include_str!("../halves.cu");

/// These kernels, translated likewise.
pub const HALVES_PTX: &str = include_str!("../halves.ptx");

/// Words of a node.
pub const NODE_WORDS: usize = 16;

/// The largest number of threads in a block.
pub const BLOCK: u32 = 128;

/// Words of shared memory that each thread of `search` takes for each queen it has to place.
pub const SEARCH_WORDS: u32 = 6;

/// Queens that a good leaf has to place.
pub const LEAF_QUEENS: u32 = 12;

/// A node must have been expanded as often as this before it is searched, unless its board is
/// full: by then the border is settled.
pub const LEAST_LEVELS: u32 = 3;

/// Numbers of a tally: representatives of classes of 1, 2, 4 and 8.
pub const CLASSES: usize = 4;

/// The lanes of a warp, which is a block of the kernels that match halves.
pub const LANES: u32 = 32;

/// Diagonals of a group, all of whose subsets a table has.
pub const GROUP: u32 = 4;

/// Bytes of shared memory that `pairs` takes for each group.
pub const TABLE_BYTES: u32 = 2048;

/// The fewest groups for which there is a kernel.
const FEWEST_GROUPS: u32 = 8;

/// The kernel that counts the pairs of a board with so many diagonals, and how many groups it has;
/// none where they are too many.
pub fn pairs(diagonals: u32) -> Option<(&'static CStr, u32)> {
    let groups = diagonals.div_ceil(GROUP).max(FEWEST_GROUPS);
    let names =
        [c"pairs_8", c"pairs_9", c"pairs_10", c"pairs_11", c"pairs_12", c"pairs_13", c"pairs_14"];
    let name = names.get((groups - FEWEST_GROUPS) as usize)?;
    Some((name, groups))
}

/// The number of levels below that of roots that lack so many queens, where leaves have to place
/// `leaf` queens.
pub fn levels(open: u32, leaf: u32) -> usize {
    open.saturating_sub(leaf).max(LEAST_LEVELS.min(open)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MAX_CHILDREN, Root};

    #[test]
    fn the_numbers_are_those_of_the_source() {
        for (source, name, number) in [
            (SOURCE, "ROOT_WORDS", Root::WORDS),
            (SOURCE, "NODE_WORDS", NODE_WORDS),
            (SOURCE, "MAX_CHILDREN", MAX_CHILDREN as usize),
            (SOURCE, "BLOCK", BLOCK as usize),
            (SOURCE, "SEARCH_WORDS", SEARCH_WORDS as usize),
            (SOURCE, "LEAF_QUEENS", LEAF_QUEENS as usize),
            (HALVES_SOURCE, "LANES", LANES as usize),
            (HALVES_SOURCE, "GROUP", GROUP as usize),
            (HALVES_SOURCE, "TABLE_BYTES", TABLE_BYTES as usize),
        ] {
            let line = format!("#define {name} {number}");
            assert!(source.lines().any(|of_source| of_source == line), "a source lacks {line}");
        }
    }

    #[test]
    fn every_number_of_diagonals_has_its_kernel() {
        // A board of 28 has 27 of each direction that matter.
        for diagonals in 1..=54 {
            let (name, groups) = pairs(diagonals).unwrap();
            assert!(groups * GROUP >= diagonals);
            assert_eq!(name.to_str().unwrap(), format!("pairs_{groups}"));
            assert!(HALVES_PTX.contains(&format!(".entry pairs_{groups}(")));
        }
        assert_eq!(pairs(57), None);
    }
}
