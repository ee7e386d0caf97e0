//! What a host has to know of `queens.cu`, whose head says the same.

/// The kernels' source.
pub const SOURCE: &str = include_str!("../queens.cu");

/// The kernels, translated ahead of time into code that drivers translate for their card.
pub const PTX: &str = include_str!("../queens.ptx");

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
        for (name, number) in [
            ("ROOT_WORDS", Root::WORDS),
            ("NODE_WORDS", NODE_WORDS),
            ("MAX_CHILDREN", MAX_CHILDREN as usize),
            ("BLOCK", BLOCK as usize),
            ("SEARCH_WORDS", SEARCH_WORDS as usize),
            ("LEAF_QUEENS", LEAF_QUEENS as usize),
        ] {
            let line = format!("#define {name} {number}");
            assert!(SOURCE.lines().any(|of_source| of_source == line), "queens.cu lacks {line}");
        }
    }
}
