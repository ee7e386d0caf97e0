//! Tests that the vector operations of every instruction set compute the same as plain Rust. The
//! file of each instruction set runs them by calling the macro `primitives!`.

use std::{vec, vec::Vec};

use super::{
    column_set_counter::{ColumnSetCounter, CountColumnSet, HalfContext},
    columns::ColumnSetTasks,
    joining::{List, PlacementFilter, pair_all},
    lists::BothHalves,
    matching::{Matcher, scratch_length},
    placements::{BLOCK, Placements},
    portable::Portable,
    vector::{Element, HotLoop, Lanes, SimdIsa, Words},
};
use crate::{RowBits, Size};

/// Defines a module with the tests of an instruction set.
///
/// `primitives!(TOKEN)` is for an instruction set that every processor of the compilation target
/// has. `primitives!(MODULE: FOUND)` is for one that is detected at run time: `FOUND` is an
/// `Option` of the token. Rust's test harness cannot ignore a test at run time, so without the
/// instructions these tests pass and print that they are skipped. The command's tests
/// (native/tests/isa.rs) report missing instruction sets as ignored.
macro_rules! primitives {
    ($machine:expr) => {
        primitives!(tests: Some($machine));
    };
    ($module:ident: $found:expr) => {
        mod $module {
            #[allow(unused_imports, reason = "some tokens need none of these imports")]
            use super::*;
            use crate::count::halves::primitives;

            primitives!(each $found =>
                loads_partial_vectors, finds_disjoint_lanes, compresses_selected_lanes,
                partitions_lanes,
                combines_and_shifts_words, transposes_bytes, counts_bits, extracts_bits,
                writes_indices_of_set_bits, computes_positional_popcounts, packs_unions_of_selected_sets,
                joins_disjoint_placements, matcher_finds_the_pairs_of_a_naive_search,
                matcher_finds_the_pairs_of_long_lists,
                joined_strips_give_the_same_counts_as_tables);
        }
    };
    (each $found:expr => $($test:ident),+) => {
        $(#[cfg_attr(not(target_family = "wasm"), test)]
        #[cfg_attr(target_family = "wasm", wasm_bindgen_test::wasm_bindgen_test)]
        fn $test() {
            match $found {
                Some(machine) => primitives::$test(machine),
                None => std::eprintln!("skipped: this processor lacks the instructions"),
            }
        })+
    };
}

/// Returns the rounds of a test. Under Miri, which is slow, there are fewer: whether there is undefined
/// behaviour hardly depends on the values.
fn rounds(many: u64) -> core::ops::Range<u64> {
    0..if cfg!(miri) { many / 50 } else { many }
}

/// Returns a generator of reproducible pseudo-random numbers (SplitMix64).
fn random_words(seed: u64) -> impl FnMut() -> u64 {
    let mut state = seed;
    move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = state;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }
}

/// An element of a vector, created from random bits.
trait SampleElement: Element + PartialEq + core::fmt::Debug {
    /// Takes the low bits of a word.
    fn of(word: u64) -> Self;

    /// Returns random elements in which a half, a quarter or an eighth of the bits are set on
    /// average.
    fn list(seed: u64, length: usize) -> Vec<Self> {
        let mut word = random_words(seed);
        let mut sparse = |times| (0..times).fold(u64::MAX, |bits, _| bits & word());
        (0..length).map(|place| Self::of(sparse(1 + place % 3))).collect()
    }
}

impl SampleElement for u64 {
    fn of(word: u64) -> u64 {
        word
    }
}

impl SampleElement for u32 {
    fn of(word: u64) -> u32 {
        word as u32
    }
}

/// Returns the lanes of a vector.
fn lanes<T: SampleElement, V: Lanes<T>>(vector: V) -> Vec<T> {
    let mut lanes = vec![T::default(); V::LANES];
    assert_eq!(vector.compress(all(V::LANES), &mut lanes), V::LANES);
    lanes
}

/// Returns a word with the lowest `lanes` bits set: it selects all lanes.
fn all(lanes: usize) -> u32 {
    (0..lanes).fold(0, |all, lane| all | 1 << lane)
}

/// A test that is generic over the vector type `V`.
trait VectorTest {
    fn test<T: SampleElement, V: Lanes<T>>(machine: V::SimdIsa);
}

/// A closure as a hot loop, so that a test runs inside `SimdIsa::run`.
struct RunLoop<F>(F);

impl<M: SimdIsa, F: FnOnce(M)> HotLoop<M> for RunLoop<F> {
    type Output = ();

    #[inline(always)]
    fn run(self, machine: M) {
        (self.0)(machine);
    }
}

/// Runs a test for all vector types of an instruction set.
fn test_all_vectors<M: SimdIsa, C: VectorTest>(machine: M, _: C) {
    machine.run(RunLoop(|machine| {
        C::test::<u64, M::Wide>(machine);
        C::test::<u32, M::Narrow>(machine);
    }));
}

pub(super) fn loads_partial_vectors(machine: impl SimdIsa) {
    struct Loads;
    impl VectorTest for Loads {
        fn test<T: SampleElement, V: Lanes<T>>(machine: V::SimdIsa) {
            let list = T::list(1, V::LANES + 3);
            for length in 0..list.len() {
                let mut expected = list[..length.min(V::LANES)].to_vec();
                expected.resize(V::LANES, T::default());
                assert_eq!(lanes(V::load(machine, &list[..length])), expected, "of {length}");
            }
            for element in list {
                assert_eq!(lanes(V::splat(machine, element)), vec![element; V::LANES]);
            }
        }
    }
    test_all_vectors(machine, Loads);
}

pub(super) fn finds_disjoint_lanes(machine: impl SimdIsa) {
    struct Disjoint;
    impl VectorTest for Disjoint {
        fn test<T: SampleElement, V: Lanes<T>>(machine: V::SimdIsa) {
            for seed in rounds(200) {
                let [a, b] = [seed, seed + 1000].map(|seed| T::list(seed, V::LANES));
                let lane_bit =
                    |(lane, (a, b)): (usize, (&T, &T))| u32::from(a.bits() & b.bits() == 0) << lane;
                let expected = a.iter().zip(&b).enumerate().map(lane_bit).sum::<u32>();
                let found = V::load(machine, &a).disjoint(V::load(machine, &b));
                assert_eq!(found, expected, "{a:x?} {b:x?}");
            }
            // A comparison must not treat the highest bit as a sign.
            let [high, none] = [T::of(1 << 63 | 1 << 31), T::of(0)].map(|of| V::splat(machine, of));
            assert_eq!((high.disjoint(high), high.disjoint(none)), (0, all(V::LANES)));
        }
    }
    test_all_vectors(machine, Disjoint);
}

pub(super) fn compresses_selected_lanes(machine: impl SimdIsa) {
    struct Compress;
    impl VectorTest for Compress {
        fn test<T: SampleElement, V: Lanes<T>>(machine: V::SimdIsa) {
            let list = T::list(7, V::LANES);
            let mut word = random_words(8);
            for _ in rounds(300) {
                let chosen = word() as u32 & all(V::LANES);
                let taken = list.iter().enumerate().filter(|(lane, _)| chosen >> lane & 1 == 1);
                let taken: Vec<T> = taken.map(|(_, element)| *element).collect();
                for room in 0..V::LANES + 3 {
                    // `compress` must not change elements beyond the length of a vector.
                    let untouched = T::of(u64::MAX);
                    let mut to = vec![untouched; room];
                    let found = V::load(machine, &list).compress(chosen, &mut to);
                    assert_eq!(found, taken.len(), "{chosen:b}");
                    let fits = taken.len().min(room);
                    assert_eq!(to[..fits], taken[..fits], "{chosen:b} into {room}");
                    assert!(to.iter().skip(V::LANES).all(|place| *place == untouched), "{room}");
                }
            }
        }
    }
    test_all_vectors(machine, Compress);
}

pub(super) fn partitions_lanes(machine: impl SimdIsa) {
    struct Partition;
    impl VectorTest for Partition {
        fn test<T: SampleElement, V: Lanes<T>>(machine: V::SimdIsa) {
            let list = T::list(7, V::LANES);
            let mut word = random_words(8);
            for _ in rounds(300) {
                let chosen = word() as u32 & all(V::LANES);
                let (front, mut end): (Vec<_>, Vec<_>) =
                    list.iter().enumerate().partition(|(lane, _)| chosen >> lane & 1 == 1);
                end.sort_unstable_by_key(|(_, element)| element.bits());
                for room in 0..V::LANES + 3 {
                    let untouched = T::of(u64::MAX);
                    let [mut to_front, mut to_end] = [(); 2].map(|()| vec![untouched; room]);
                    let vector = V::load(machine, &list);
                    let found = vector.partition(chosen, &mut to_front, &mut to_end);
                    assert_eq!(found, front.len(), "{chosen:b}");
                    for (place, (_, element)) in to_front.iter().zip(&front) {
                        assert_eq!(place, *element, "{chosen:b} into {room}");
                    }
                    assert!(to_front.iter().skip(V::LANES).all(|place| *place == untouched));
                    if let Some(start) = room.checked_sub(end.len()) {
                        let (before, to_end) = to_end.split_at_mut(start);
                        to_end.sort_unstable_by_key(|element| element.bits());
                        let expected = end.iter().map(|(_, element)| **element);
                        assert!(to_end.iter().copied().eq(expected), "{chosen:b} into {room}");
                        let beyond = room.saturating_sub(V::LANES);
                        assert!(before[..beyond].iter().all(|place| *place == untouched));
                    }
                }
            }
        }
    }
    test_all_vectors(machine, Partition);
}

pub(super) fn combines_and_shifts_words<M: SimdIsa>(machine: M) {
    machine.run(RunLoop(|machine: M| {
        let length = M::Narrow::LANES;
        for seed in rounds(50) {
            let [a, b] = [seed, seed + 1000].map(|seed| u32::list(seed, length));
            let [x, y] = [&a, &b].map(|list| M::Narrow::load(machine, list));
            let each = |of: &dyn Fn(u32, u32) -> u32| -> Vec<u32> {
                a.iter().zip(&b).map(|(a, b)| of(*a, *b)).collect()
            };
            assert_eq!(lanes(x.or(y)), each(&|a, b| a | b));
            assert_eq!(lanes(x.xor(y)), each(&|a, b| a ^ b));
            assert_eq!(lanes(x.and(y)), each(&|a, b| a & b));
            assert_eq!(lanes(x.shift_left::<1>()), each(&|a, _| a << 1));
            assert_eq!(lanes(x.shift_left::<2>()), each(&|a, _| a << 2));
            assert_eq!(lanes(x.shift_left::<4>()), each(&|a, _| a << 4));
            assert_eq!(lanes(x.shift_left::<8>()), each(&|a, _| a << 8));
            assert_eq!(lanes(x.shift_left::<16>()), each(&|a, _| a << 16));
            assert_eq!(lanes(x.shift_right::<1>()), each(&|a, _| a >> 1));
            assert_eq!(lanes(x.shift_right::<2>()), each(&|a, _| a >> 2));
            assert_eq!(lanes(x.shift_right::<4>()), each(&|a, _| a >> 4));
            assert_eq!(lanes(x.shift_right::<8>()), each(&|a, _| a >> 8));
            assert_eq!(lanes(x.shift_right::<16>()), each(&|a, _| a >> 16));
        }
    }));
}

pub(super) fn transposes_bytes<M: SimdIsa>(machine: M) {
    machine.run(RunLoop(|machine: M| {
        for seed in rounds(50) {
            let elements = u32::list(seed, 32 * M::Narrow::LANES);
            let mut rows = [M::Narrow::splat(machine, 0); 32];
            for (row, lanes) in rows.iter_mut().zip(elements.chunks(M::Narrow::LANES)) {
                *row = M::Narrow::load(machine, lanes);
            }
            M::Narrow::transpose_bytes(machine, &mut rows);
            // The i-th quarter of the bytes has byte i of all elements, always in the same order.
            let bytes: Vec<u8> =
                rows.into_iter().flat_map(lanes::<u32, _>).flat_map(u32::to_le_bytes).collect();
            let quarter = elements.len();
            let mut found: Vec<u32> = (0..quarter)
                .map(|place| {
                    u32::from_le_bytes([0, 1, 2, 3].map(|byte| bytes[byte * quarter + place]))
                })
                .collect();
            let mut expected = elements;
            found.sort_unstable();
            expected.sort_unstable();
            assert_eq!(found, expected);
        }
    }));
}

pub(super) fn counts_bits<M: SimdIsa>(machine: M) {
    machine.run(RunLoop(|machine: M| {
        counts_bits_of_words::<M, 1>(machine);
        if M::WORD_VECTORS >= 2 {
            counts_bits_of_words::<M, 2>(machine);
        }
        if M::WORD_VECTORS >= 3 {
            counts_bits_of_words::<M, 3>(machine);
        }
        if M::WORD_VECTORS >= 4 {
            counts_bits_of_words::<M, 4>(machine);
        }
    }));
}

/// Tests the counters with words of `N` vectors.
#[inline(always)]
fn counts_bits_of_words<M: SimdIsa, const N: usize>(machine: M) {
    let length = N * M::Narrow::LANES;
    assert_eq!(M::Narrow::sum(M::Narrow::zero(machine)), 0);
    // The maximum number of words, or 3000, with all bits set.
    let most = M::Narrow::MAX_COUNTED_WORDS.min(if cfg!(miri) { 50 } else { 3000 });
    let mut counters = M::Narrow::zero(machine);
    for _ in 0..most {
        counters = M::Narrow::count([M::Narrow::splat(machine, u32::MAX); N], counters);
    }
    assert_eq!(M::Narrow::sum(counters), 32 * (length * most) as u64);
    let (mut counters, mut expected) = (M::Narrow::zero(machine), 0);
    for seed in rounds(most.min(200) as u64) {
        let list = u32::list(seed, length);
        expected += list.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
        let mut word = [M::Narrow::splat(machine, 0); N];
        for (vector, lanes) in word.iter_mut().zip(list.chunks(M::Narrow::LANES)) {
            *vector = M::Narrow::load(machine, lanes);
        }
        counters = M::Narrow::count(word, counters);
    }
    assert_eq!(M::Narrow::sum(counters), expected);
}

pub(super) fn extracts_bits<M: SimdIsa>(machine: M) {
    machine.run(RunLoop(|machine: M| {
        let mut word = random_words(3);
        for _ in rounds(500) {
            let (bits, mut mask) = (word(), word());
            while mask.count_ones() > 32 {
                mask &= word();
            }
            assert_eq!(
                machine.extract_bits(bits, mask),
                Portable.extract_bits(bits, mask),
                "{mask:x}"
            );
            let ones = (1u64 << mask.count_ones()) - 1;
            assert_eq!(u64::from(machine.extract_bits(mask, mask)), ones, "{mask:x}");
        }
    }));
}

pub(super) fn writes_indices_of_set_bits<M: SimdIsa>(machine: M) {
    machine.run(RunLoop(|machine: M| {
        let mut word = random_words(4);
        for round in rounds(500) {
            let chosen = match round {
                0 => 0,
                1..5 => u64::MAX,
                _ => word() & word() | (1 << (round % 64)),
            };
            let bits = [8, 16, 32, 64][round as usize % 4];
            let chosen = chosen & (u64::MAX >> (64 - bits));
            let base = (round as u16 % 64) * 64;
            let mut to = [u16::MAX; 70];
            let found = machine.write_bit_indices(chosen, bits, base, &mut to);
            let expected: Vec<u16> =
                (0..64u16).filter(|bit| chosen >> bit & 1 == 1).map(|bit| base + bit).collect();
            assert_eq!(to[..found], expected, "{chosen:b} in {bits} bits");
            assert_eq!(to[64..], [u16::MAX; 6], "the words after the first 64 are unchanged");
        }
    }));
}

pub(super) fn computes_positional_popcounts<M: SimdIsa>(machine: M) {
    fn check<M: SimdIsa, T: Element>(machine: M, sets: &[T]) {
        let counts = machine.positional_popcount(sets.iter().copied());
        for (bit, &count) in counts.as_flattened().iter().enumerate() {
            let having = sets.iter().filter(|set| set.bits() >> bit & 1 == 1).count();
            assert_eq!(usize::from(count), having, "bit {bit} of {} sets", sets.len());
        }
    }
    machine.run(RunLoop(|machine: M| {
        for length in [0, 1, 64, 255] {
            check(machine, &u64::list(length, length as usize));
            check(machine, &u32::list(length, length as usize));
        }
        check(machine, &[u64::MAX; 255]);
    }));
}

pub(super) fn packs_unions_of_selected_sets<M: SimdIsa>(machine: M) {
    machine.run(RunLoop(|machine: M| {
        let length = M::Narrow::LANES;
        let sets = u64::list(5, length);
        let mut word = random_words(6);
        for _ in rounds(300) {
            let (chosen, with) = (word() as u32 & all(length), word() & word());
            let selected = sets.iter().enumerate().filter(|(place, _)| chosen >> place & 1 == 1);
            let expected: Vec<u64> = selected.map(|(_, set)| set | with).collect();
            for room in 0..length + 3 {
                let mut to = vec![7; room];
                assert_eq!(machine.or_compress(&sets, with, chosen, &mut to), expected.len());
                let fits = expected.len().min(room);
                assert_eq!(to[..fits], expected[..fits], "{chosen:b} into {room}");
                assert!(to.iter().skip(length).all(|place| *place == 7), "{room}");
            }
        }
    }));
}

/// Joins random placements of two strips, in lists of many lengths. A naive loop over all pairs gives
/// the expected results.
pub(super) fn joins_disjoint_placements<M: SimdIsa>(machine: M) {
    fn placements(seed: u64, length: usize) -> Placements {
        let (seams, middles) = (random_sets(seed, length, 38), random_sets(seed + 1, length, 40));
        let mut placements = Placements::default();
        for (seam, middle) in seams.into_iter().zip(middles) {
            placements.push_crossed(seam & (seam << 1), middle);
        }
        placements.pad();
        placements.narrow = placements.middle.iter().map(|&middle| middle as u32).collect();
        placements
    }
    machine.run(RunLoop(|machine: M| {
        let mut pairs = [0; BLOCK * BLOCK + BLOCK];
        let filter = PlacementFilter {
            columns: RowBits::EMPTY,
            is_upper: true,
            forbidden: 0,
            required: 0,
            min_key: 0,
            // Bits 0 and 3 are invalid in the outer strip, bits 1 and 2 in the inner one.
            masks: [!0b1001, !0b0110],
        };
        let lengths: &[usize] =
            if cfg!(miri) { &[3, 33] } else { &[1, 3, 5, 9, 15, 17, 30, 33, 50, 64, 70] };
        for &inners in lengths {
            for &outers in lengths {
                let [inner, outer] = [placements(7, inners), placements(9, outers)];
                for (forbidden, required) in [(0, 0), (1 << 5, 0), (0, 1 << 7), (1 << 5, 1 << 7)] {
                    let (mut expected, mut expected_narrow) = (Vec::new(), Vec::new());
                    for one in 0..inners {
                        for other in 0..outers {
                            let union = inner.middle[one] | outer.middle[other];
                            let joins = inner.seam(one) & outer.seam(other) == 0;
                            if joins && union & forbidden == 0 && required & !union == 0 {
                                expected.push(union);
                                let valid = |part: u64, mask: u32| part as u32 & mask;
                                let [outer_mask, inner_mask] = filter.masks;
                                expected_narrow.push(
                                    valid(inner.middle[one], inner_mask)
                                        | valid(outer.middle[other], outer_mask),
                                );
                            }
                        }
                    }
                    expected.sort_unstable();
                    let (inner, outer) = (inner.part(0..inners), outer.part(0..outers));
                    let filter = PlacementFilter { forbidden, required, ..filter };
                    let mut joined_narrow: List<u32> = List::default();
                    if required == 0 {
                        pair_all(machine, &inner, &outer, filter, &mut pairs, &mut joined_narrow);
                        let joined = joined_narrow.elements();
                        joined.sort_unstable();
                        expected_narrow.sort_unstable();
                        assert_eq!(joined, expected_narrow, "{inners} and {outers}, {forbidden:b}");
                    }
                    let mut joined: List = List::default();
                    pair_all(machine, &inner, &outer, filter, &mut pairs, &mut joined);
                    let joined = joined.elements();
                    joined.sort_unstable();
                    assert_eq!(
                        joined, expected,
                        "{inners} and {outers}, {forbidden:b}, {required:b}"
                    );
                    assert!(inners * outers < 500 || !joined.is_empty());
                }
            }
        }
    }));
}

/// Returns random sets of diagonals. Each set has each of `width` diagonals with a probability of
/// 1/4.
fn random_sets(seed: u64, length: usize, width: u32) -> Vec<u64> {
    let mut word = random_words(seed);
    (0..length).map(|_| word() & word() & (u64::MAX >> (64 - width))).collect()
}

/// Counts the disjoint pairs of random lists of many lengths. A naive loop over all pairs gives the
/// expected numbers.
pub(super) fn matcher_finds_the_pairs_of_a_naive_search(machine: impl SimdIsa) {
    let mut matcher = Matcher::new(machine);
    let scratch = &mut vec![0; 10_000][..];
    // Miri is slow; its cases still reach all of the code.
    let (lengths, widths): (&[usize], &[u32]) = if cfg!(miri) {
        (&[40, 270], &[34, 36])
    } else {
        (
            &[0, 1, 15, 16, 17, 64, 255, 256, 257, 513, 600, 1024, 1025, 2500],
            &[1, 5, 20, 33, 35, 40, 41, 64],
        )
    };
    for &width in widths {
        for (seed, &many) in (1..).zip(lengths) {
            let shorter = |&&few: &&usize| few <= many && (few < 50 || !cfg!(miri));
            for &few in lengths.iter().filter(shorter) {
                let (a, b) = (random_sets(seed, many, width), random_sets(seed + 100, few, width));
                let disjoint =
                    |element: &u64| b.iter().filter(|&other| element & other == 0).count();
                let expected: usize = a.iter().map(disjoint).sum();
                let (a, b) = (&mut a.clone()[..], &mut b.clone()[..]);
                // A scratch buffer as long as needed, and two that are too short for long lists.
                for length in [scratch_length(many + few), 600, 50] {
                    let found = matcher.pairs_of_copies(a, b, &mut scratch[..length]);
                    assert_eq!(found, expected as u64, "{many} and {few} of {width}");
                }
                let found = matcher.pairs(a, b, &mut scratch[..many]);
                assert_eq!(found, expected as u64, "{many} and {few} of {width}");
            }
        }
    }
}

/// Counts the disjoint pairs of a long and a short random list. Such lists are divided by several diagonals
/// at once before they are packed.
pub(super) fn matcher_finds_the_pairs_of_long_lists(machine: impl SimdIsa) {
    // Too long for Miri. The code has no unsafe parts.
    if cfg!(miri) {
        return;
    }
    let mut matcher = Matcher::new(machine);
    for (many, few, width) in [(2_110_000, 20, 44), (2_110_000, 10, 33)] {
        let (mut a, mut b) = (random_sets(1, many, width), random_sets(2, few, width));
        let disjoint = |element: &u64| b.iter().filter(|&other| element & other == 0).count();
        let expected: usize = a.iter().map(disjoint).sum();
        assert!(expected > 1000, "{many} and {few} of {width}");
        // With the second buffer, which is too short for the divided lists, single splits come first.
        for length in [scratch_length(many + few), many] {
            let (a, b) = (&mut a.clone()[..], &mut b.clone()[..]);
            let found = matcher.pairs(b, a, &mut vec![0; length]);
            assert_eq!(found, expected as u64, "{many} and {few} of {width}");
        }
        let found = matcher.pairs(&mut a, &mut b, &mut vec![0; scratch_length(many + few)]);
        assert_eq!(found, expected as u64, "{many} and {few} of {width}");
    }
}

/// Counts column sets in two ways and compares the results. The tested instruction set uses wide
/// diagonals and joins the strips from two tables each. Plain Rust uses narrow diagonals and one table
/// for each strip.
pub(super) fn joined_strips_give_the_same_counts_as_tables(machine: impl SimdIsa) {
    // Strips of more than three rows are joined from two tables. At N = 17 the upper half's inner
    // strip has five rows, split into four and one.
    let boards: &[(u32, u32)] = if cfg!(miri) { &[(7, 1)] } else { &[(17, 3), (18, 3)] };
    for &(n, max_single_table_rows) in boards {
        let size = Size::new(n).unwrap();
        let tables = BothHalves::new(size);
        let parts = BothHalves::with_tables(size, max_single_table_rows);
        let [of_tables, of_parts] = [&tables, &parts].map(|strips| HalfContext { size, strips });
        let (mut portable, mut tested) =
            (ColumnSetCounter::new(Portable), ColumnSetCounter::new(machine));
        let (columns, mut sum) = (ColumnSetTasks::new(size), 0);
        for sets in columns.sets(columns.len() / 3) {
            let expected = portable.count(of_tables, &sets, 0);
            assert_eq!(tested.count(of_parts, &sets, 0), expected, "N = {n}, {sets:?}");
            sum += expected;
        }
        assert!(sum > 0 || cfg!(miri), "N = {n}");
    }
}
