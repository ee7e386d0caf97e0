//! Constants shared with `queens.wgsl`.

/// The kernels' source.
pub(super) const SOURCE: &str = include_str!("../../queens.wgsl");

/// The number of words in a node.
pub(super) const NODE_WORDS: usize = 8;

/// The maximum number of queens that a node can have below those of its root.
pub(super) const MAX_LEVELS: usize = 8;

/// The number of words in a tally: two for each kind of class.
pub(super) const TALLY_WORDS: usize = 8;

/// The number of words that an invocation saves when it pauses, without its stack.
pub(super) const PAUSED_WORDS: usize = 6;

/// The number of words that a search stores per row and invocation.
pub(super) const ROW_WORDS: u32 = 3;

/// The number of words in the parameters of a launch.
pub(super) const LAUNCH_WORDS: usize = 4;

/// The offsets of the counters in bytes.
pub(super) mod counter {
    /// The number of nodes that invocations have taken.
    pub(in super::super) const TAKEN: u64 = 0;
    /// The number of invocations that have paused.
    pub(in super::super) const UNFINISHED: u64 = 4;
    /// The number of nodes on the next level.
    pub(in super::super) const MADE: u64 = 8;
}

/// The number of words of all counters.
pub(super) const COUNTER_WORDS: usize = 3;

/// The binding numbers of the kernels' buffers.
pub(super) mod binding {
    pub(in super::super) const LAUNCH: u32 = 0;
    pub(in super::super) const ROOTS: u32 = 1;
    pub(in super::super) const NODES: u32 = 2;
    pub(in super::super) const CHILDREN: u32 = 3;
    pub(in super::super) const COUNTERS: u32 = 4;
    pub(in super::super) const TALLIES: u32 = 5;
    pub(in super::super) const PAUSED: u32 = 6;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Root;
    use crate::wgpu::source::{buffers, constant, module, record};

    #[test]
    fn record_sizes_match_the_source() {
        let module = module(SOURCE);
        for (name, words) in [
            ("Root", Root::WORDS),
            ("Node", NODE_WORDS),
            ("Launch", LAUNCH_WORDS),
            ("Counters", COUNTER_WORDS),
        ] {
            assert_eq!(record(&module, name).0 as usize, 4 * words, "{name}");
        }
        assert_eq!(constant(&module, "ROW_WORDS"), ROW_WORDS);
        assert_eq!(constant(&module, "PAUSED_WORDS") as usize, PAUSED_WORDS);
    }

    #[test]
    fn member_offsets_match_the_source() {
        let module = module(SOURCE);
        let counters = [("taken", counter::TAKEN), ("unfinished", counter::UNFINISHED)];
        let roots = [("row", 12), ("slot", 4 * 13), ("n", 4 * 15)];
        for (name, members) in [
            ("Counters", &[counters[0], counters[1], ("made", counter::MADE)][..]),
            ("Root", &roots[..]),
        ] {
            let (_, source_members) = record(&module, name);
            for &(member, offset) in members {
                let in_source = source_members.iter().find(|(name, _)| name == member).unwrap();
                assert_eq!(u64::from(in_source.1), offset, "{name}.{member}");
            }
        }
        let (_, node) = record(&module, "Node");
        let offset = |name: &str| node.iter().find(|(member, _)| member == name).unwrap().1;
        let bytes = (offset("unused") - offset("columns")) as usize;
        assert_eq!(bytes, MAX_LEVELS, "a byte for each queen below the root's");
    }

    #[test]
    fn binding_numbers_match_the_source() {
        let expected = [
            (binding::LAUNCH, "launch"),
            (binding::ROOTS, "roots"),
            (binding::NODES, "nodes"),
            (binding::CHILDREN, "children"),
            (binding::COUNTERS, "counters"),
            (binding::TALLIES, "tallies"),
            (binding::PAUSED, "paused"),
        ];
        assert_eq!(
            buffers(&module(SOURCE)),
            expected.map(|(number, name)| (number, name.to_owned()))
        );
    }
}
