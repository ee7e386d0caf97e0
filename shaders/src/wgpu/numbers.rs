//! Sources of the WGSL kernels, and the constants that they share with their host.

/// The kernels of the tree search.
pub(super) const QUEENS: &str = include_str!("../../queens.wgsl");

/// The kernel of the colour join.
pub(super) const COLOURS: &str = include_str!("../../colours.wgsl");

/// The number of words in a node.
pub(super) const NODE_WORDS: usize = 8;

/// The maximum number of queens that a node can have below those of its root.
pub(super) const MAX_LEVELS: usize = 8;

/// The number of words that an invocation saves when it pauses, without its stack.
pub(super) const PAUSED_WORDS: usize = 6;

/// The number of words that a search stores per row and invocation.
pub(super) const ROW_WORDS: u32 = 3;

/// The largest number of words in the parameters of a launch.
pub(super) const LAUNCH_WORDS: usize = 5;

/// The offsets of the counters in bytes.
pub(super) mod counter {
    /// The number of invocations that have not finished.
    pub(in super::super) const UNFINISHED: u64 = 0;
    /// The number of nodes that invocations have taken.
    pub(in super::super) const TAKEN: u64 = 4;
    /// The number of nodes on the next level.
    pub(in super::super) const MADE: u64 = 8;
}

/// The number of words of all counters.
pub(super) const COUNTER_WORDS: usize = 3;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{NUMBERS, PAIR_WORDS, Root, SUMS};
    use naga::{Expression, Literal, Module, TypeInner};

    /// Returns the size of a record and the offsets of its members, in bytes.
    fn record(module: &Module, name: &str) -> (u32, Vec<(String, u32)>) {
        let mut types = module.types.iter().map(|(_, of)| of);
        let record = types.find(|of| of.name.as_deref() == Some(name)).unwrap();
        let TypeInner::Struct { members, span } = &record.inner else { panic!("{name}") };
        (*span, members.iter().map(|of| (of.name.clone().unwrap(), of.offset)).collect())
    }

    #[test]
    fn records_and_constants_match_the_sources() {
        let [queens, colours] =
            [QUEENS, COLOURS].map(|source| naga::front::wgsl::parse_str(source).unwrap());
        for (module, name, words) in [
            (&queens, "Root", Root::WORDS),
            (&queens, "Node", NODE_WORDS),
            (&queens, "Launch", LAUNCH_WORDS - 1),
            (&queens, "Counters", COUNTER_WORDS),
            (&colours, "Launch", LAUNCH_WORDS),
            (&colours, "Pair", PAIR_WORDS),
        ] {
            assert_eq!(record(module, name).0 as usize, 4 * words, "{name}");
        }
        for (module, name, number) in [
            (&queens, "ROW_WORDS", ROW_WORDS as usize),
            (&queens, "PAUSED_WORDS", PAUSED_WORDS),
            (&colours, "NUMBERS", NUMBERS),
            (&colours, "SUMS", SUMS),
        ] {
            let mut constants = module.constants.iter().map(|(_, of)| of);
            let constant = constants.find(|of| of.name.as_deref() == Some(name)).unwrap();
            let value = &module.global_expressions[constant.init];
            assert_eq!(*value, Expression::Literal(Literal::U32(number as u32)), "{name}");
        }
        let offset = |record_name, member: &str| {
            let (_, members) = record(&queens, record_name);
            members.iter().find(|(name, _)| name == member).unwrap().1
        };
        for (record, member, bytes) in [
            ("Counters", "unfinished", counter::UNFINISHED),
            ("Counters", "taken", counter::TAKEN),
            ("Counters", "made", counter::MADE),
            ("Root", "row", 4 * 3),
            ("Root", "slot", 4 * 13),
            ("Root", "n", 4 * 15),
        ] {
            assert_eq!(u64::from(offset(record, member)), bytes, "{record}.{member}");
        }
        let bytes = (offset("Node", "unused") - offset("Node", "columns")) as usize;
        assert_eq!(bytes, MAX_LEVELS, "a byte for each queen below the root's");
        for (module, names) in [
            (&queens, "launch roots nodes children counters tallies paused"),
            (&colours, "launch pairs tables sums unfinished"),
        ] {
            let buffers = module.global_variables.iter().filter_map(|(_, buffer)| {
                let binding = buffer.binding.filter(|binding| binding.group == 0)?;
                Some((binding.binding, buffer.name.clone().unwrap()))
            });
            let mut buffers: Vec<_> = buffers.collect();
            buffers.sort_unstable();
            assert!((0..).zip(names.split(' ').map(str::to_owned)).eq(buffers), "{names}");
        }
    }
}
