//! Tests of the whole join against brute force.

use std::{collections::BTreeMap, vec, vec::Vec};

use super::{
    EvenRows, PairTasks, Pairs,
    boards::{all, even_lines, mirrored, odd_lines, subsets},
    choices, counter, coverage_of_first,
    pair_counter::{CountPairs as _, Limits, PairCounter},
    plain::{self, Boards},
    portable::Portable,
};
use crate::{Coverage, Form, Isa, Method, Placement, Plan, Size};

fn size(n: u32) -> Size {
    Size::new(n).unwrap()
}

fn all_pairs(n: u32) -> impl Iterator<Item = Pairs> {
    let tasks = PairTasks::new(size(n));
    (0..tasks.len()).flat_map(move |task| tasks.pairs(task).unwrap())
}

/// All placements of queens in some of the rows, none of which attacks another, by brute force: the
/// squares of one colour, as sets of (row, column).
fn colour(n: i32, is_white: bool) -> Vec<Vec<(i32, i32)>> {
    let mut placements = vec![Vec::new()];
    for row in 0..n {
        let columns = (0..n).filter(|column| (row + column) % 2 == i32::from(!is_white));
        let squares: Vec<_> = columns.map(|column| (row, column)).collect();
        let with_row = placements.iter().flat_map(|placed: &Vec<(i32, i32)>| {
            squares.iter().filter_map(|&(row, column)| {
                let fits = placed
                    .iter()
                    .all(|&(other, at)| at != column && (at - column).abs() != (other - row).abs());
                fits.then(|| placed.iter().copied().chain([(row, column)]).collect())
            })
        });
        let with_row: Vec<Vec<_>> = with_row.collect();
        placements.extend(with_row);
    }
    placements
}

/// The even rows, even columns, odd rows and odd columns of a set of queens, of which each has the
/// number 2i or 2i + 1, as sets of these i.
fn lines(queens: &[(i32, i32)]) -> [u32; 4] {
    let mut lines = [0; 4];
    for &(row, column) in queens {
        lines[if row % 2 == 0 { 0 } else { 2 }] |= 1 << (row / 2);
        lines[if column % 2 == 0 { 1 } else { 3 }] |= 1 << (column / 2);
    }
    lines
}

#[test]
fn numbers_of_pairs_equal_brute_force() {
    for n in 3..=if cfg!(miri) { 5 } else { 9 } {
        let (mut white, mut black) = (BTreeMap::new(), BTreeMap::new());
        for (is_white, numbers) in [(true, &mut white), (false, &mut black)] {
            for queens in colour(n, is_white) {
                *numbers.entry(lines(&queens)).or_insert(0u64) += 1;
            }
        }
        let (even, odd) = (even_lines(size(n as u32)), odd_lines(size(n as u32)));
        for pairs in all_pairs(n as u32) {
            for &odd_rows in &pairs.odd_rows {
                let boards = Boards::new(pairs.even_rows, odd_rows);
                for columns in subsets(even, pairs.even_rows.queens()) {
                    for odd_columns in subsets(odd, pairs.even_rows.odd_queens()) {
                        let key = [pairs.even_rows.rows(), columns, odd_rows, odd_columns];
                        let [a, b, c, d] = key;
                        let other = [all(even) ^ a, all(even) ^ b, all(odd) ^ c, all(odd) ^ d];
                        let number =
                            |numbers: &BTreeMap<_, _>, key| numbers.get(&key).copied().unwrap_or(0);
                        let expected = [number(&white, key), number(&black, other)];
                        assert_eq!(boards.pairs(columns, odd_columns), expected, "N = {n} {key:?}");
                    }
                }
            }
        }
    }
}

/// The images of a key on an even board that have as many queens, or on an odd board all images.
fn images(n: u32, [a, b, c, d]: [u32; 4]) -> Vec<[u32; 4]> {
    let (even, odd) = (even_lines(size(n)), odd_lines(size(n)));
    if n.is_multiple_of(2) {
        let [c, d] = [c, d].map(|set| mirrored(set, odd));
        let reflected = [[a, b, c, d], [b, a, d, c], [c, d, a, b], [d, c, b, a]];
        let other = reflected.map(|[a, b, c, d]| [a, d, c, b].map(|set| all(even) ^ set));
        let images = reflected.into_iter().chain(other);
        images.map(|[a, b, c, d]| [a, b, mirrored(c, odd), mirrored(d, odd)]).collect()
    } else {
        let mirror = |set| mirrored(set, even);
        let mirror_odd = |set| mirrored(set, odd);
        let four = |[a, b, c, d]: [u32; 4]| {
            [
                [a, b, c, d],
                [mirror(a), b, mirror_odd(c), d],
                [a, mirror(b), c, mirror_odd(d)],
                [mirror(a), mirror(b), mirror_odd(c), mirror_odd(d)],
            ]
        };
        [four([a, b, c, d]), four([b, a, d, c])].concat()
    }
}

#[test]
fn weights_of_the_images_of_each_key_add_up_to_their_number() {
    for n in 3..=if cfg!(miri) { 5 } else { 10 } {
        let mut weights = BTreeMap::new();
        for pairs in all_pairs(n) {
            let rows = pairs.even_rows;
            for &odd_rows in &pairs.odd_rows {
                for (columns, odd_columns) in permitted(rows) {
                    let (rows_tie, columns_tie) =
                        (rows.is_odd_tie(odd_rows), rows.is_odd_tie(odd_columns));
                    let weight = rows.weight(rows_tie, columns, columns_tie);
                    assert_eq!(weight % rows.unit(rows_tie), 0);
                    let key = [rows.rows(), columns, odd_rows, odd_columns];
                    assert_eq!(weights.insert(key, weight), None);
                }
            }
        }
        for &key in weights.keys() {
            let mut orbit = images(n, key);
            orbit.sort_unstable();
            orbit.dedup();
            let sum: u32 = orbit.iter().filter_map(|image| weights.get(image)).sum();
            assert_eq!(sum as usize, orbit.len(), "N = {n} {key:?}");
        }
    }
}

/// The columns of the counted keys with these even rows.
fn permitted(rows: EvenRows) -> Vec<(u32, u32)> {
    let (even, odd) = (even_lines(rows.size()), odd_lines(rows.size()));
    let columns = subsets(even, rows.queens()).filter(|&set| rows.permits_even_columns(set));
    let odd_columns = subsets(odd, rows.odd_queens()).filter(|&set| rows.permits_odd(set));
    let odd_columns: Vec<u32> = odd_columns.collect();
    columns.flat_map(|even| odd_columns.iter().map(move |&odd| (even, odd))).collect()
}

#[test]
fn weights_of_all_tasks_add_up_to_the_number_of_keys() {
    for n in 1..=if cfg!(miri) { 6 } else { 15 } {
        let mut sum = Coverage::default();
        for pairs in all_pairs(n) {
            sum = sum.checked_add(coverage_of_first(&[pairs], usize::MAX)).unwrap();
        }
        assert_eq!(sum.weight, choices(size(n)), "N = {n}");
    }
    // The numbers of sets with 0 to 4 members, to the fourth power.
    assert_eq!(choices(size(8)), 1 + 256 + 1296 + 256 + 1);
}

#[test]
fn tasks_have_each_pair_once() {
    for n in 1..=if cfg!(miri) { 8 } else { 17 } {
        let mut all: Vec<(u32, u32)> = all_pairs(n)
            .flat_map(|pairs| {
                let rows = pairs.even_rows.rows();
                pairs.odd_rows.into_iter().map(move |odd_rows| (rows, odd_rows))
            })
            .collect();
        let length = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), length, "N = {n}");
    }
    let tasks = PairTasks::new(size(28));
    assert!((60_000..=65_536).contains(&tasks.len()), "{}", tasks.len());
    assert!(tasks.pairs(tasks.len()).is_none());
}

#[test]
fn each_pair_equals_the_formula() {
    let mut counter = counter(Isa::PORTABLE);
    for n in if cfg!(miri) { 4..=6 } else { 4..=13 } {
        for pairs in all_pairs(n) {
            for odd_rows in &pairs.odd_rows {
                let counted = counter.count(pairs.even_rows, core::slice::from_ref(odd_rows));
                let expected = plain::count(pairs.even_rows, *odd_rows);
                assert_eq!((counted.solutions, counted.audited), expected, "N = {n} {pairs:?}");
            }
        }
    }
}

#[test]
fn long_walks_are_counted_in_parts() {
    let limits = Limits { kept: 1000, long: 4, longest: 6 };
    let mut counter = PairCounter::with_limits(Portable, limits);
    for n in if cfg!(miri) { 5..=6 } else { 9..=13 } {
        for pairs in all_pairs(n) {
            let mut rest = &pairs.odd_rows[..];
            while !rest.is_empty() {
                let counted = counter.count(pairs.even_rows, rest);
                let (group, after) = rest.split_at(counted.pairs);
                let expected =
                    group.iter().map(|&odd_rows| plain::count(pairs.even_rows, odd_rows));
                assert_eq!(counted.solutions, expected.map(|(sum, _)| sum).sum::<u64>(), "N = {n}");
                let audited = plain::count_audited(pairs.even_rows, group[0]);
                assert_eq!(counted.audited, audited, "N = {n}");
                rest = after;
            }
        }
    }
}

#[test]
fn the_example_of_the_readme_is_right() {
    let key = PairTasks::new(size(8));
    let pairs = (0..key.len()).filter_map(|task| key.pairs(task)).flatten();
    let pairs = pairs.into_iter().find(|pairs| pairs.even_rows.rows() == 0b11).unwrap();
    let boards = Boards::new(pairs.even_rows, 0b110);
    assert_eq!(boards.pairs(0b101, 0b101), [1, 1]);
    assert!(Placement::from_left(&[4, 2, 0, 5, 7, 1, 3, 6]).is_ok());
    let numbers = subsets(4, 2).flat_map(|a| subsets(4, 2).map(move |c| (a, c)));
    let mut products = BTreeMap::new();
    for (rows, odd_rows) in numbers {
        let boards = Boards::new(EvenRows::new(size(8), rows), odd_rows);
        for (columns, odd_columns) in permitted(EvenRows::new(size(8), 0b11)) {
            *products.entry(boards.pairs(columns, odd_columns)).or_insert(0) += 1;
        }
    }
    let number = |key| products.get(&key).copied();
    assert_eq!([number([1, 1]), number([2, 1]), number([1, 2])], [44, 12, 12].map(Some));
}

#[test]
fn a_task_resumes_after_any_of_its_groups() {
    // Tasks of small boards have a single group.
    let (n, task) = if cfg!(miri) { (7, 3) } else { (17, 30) };
    let plan = Plan::new(size(n), Method::Colours);
    let mut counter = plan.counter(Form::Recursive, Isa::PORTABLE);
    let mut parts = Vec::new();
    let whole = counter.count_resumable(&plan, task, None, |part| parts.push(part)).unwrap();
    assert_eq!(whole.covered, plan.expected_coverage(task));
    assert!(cfg!(miri) || parts.len() > 1);
    for part in parts {
        let sets = part.covered.unwrap().sets as usize;
        assert_eq!(part.covered, plan.expected_coverage_of_first(task, sets));
        assert_eq!(counter.count_resumable(&plan, task, Some(part), |_| {}), Ok(whole));
    }
}

#[cfg(not(miri))]
mod overflow {
    use super::super::{
        pair_counter::{CountPairs as _, PairCounter},
        plain,
        portable::Array,
        vector::{ByteIsa, HotLoop},
    };
    use super::all_pairs;

    /// Portable vectors whose counters overflow above 3.
    #[derive(Clone, Copy)]
    struct Overflowing;

    impl ByteIsa for Overflowing {
        type Bytes = Array<Overflowing, 3>;

        fn run<K: HotLoop<Self>>(self, hot_loop: K) -> K::Output {
            hot_loop.run(self)
        }
    }

    #[test]
    fn overflowing_counters_are_emptied_more_often() {
        let mut overflowing = PairCounter::new(Overflowing);
        // With N = 20, walks have several roots. With fewer rows, they have a single root, which is
        // counted in parts. If a single leaf overflows, the pair is left to the formula.
        for (n, step) in [(10, 1), (12, 1), (20, 97)] {
            for pairs in all_pairs(n).step_by(step) {
                for &odd_rows in pairs.odd_rows.iter().step_by(30) {
                    let counted = overflowing.count(pairs.even_rows, &[odd_rows]);
                    let expected = plain::count(pairs.even_rows, odd_rows);
                    assert_eq!((counted.solutions, counted.audited), expected, "N = {n}");
                }
            }
        }
    }
}

/// Calls a function with each instruction set of this processor.
macro_rules! with_each_isa {
    ($function:ident) => {
        for set in InstructionSet::ALL {
            match set {
                InstructionSet::Portable => $function(Portable),
                #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
                InstructionSet::Avx2 => avx2::find().map_or((), $function),
                #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
                InstructionSet::Avx512 => avx512::find().map_or((), $function),
                #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
                InstructionSet::Neon => $function(Neon),
                #[cfg(target_arch = "wasm32")]
                InstructionSet::Simd128 => $function(Simd128),
                #[allow(
                    unreachable_patterns,
                    reason = "the sets of this build have their own arms"
                )]
                InstructionSet::Simd128
                | InstructionSet::Neon
                | InstructionSet::Avx2
                | InstructionSet::Avx512 => {}
            }
        }
    };
}

mod instruction_sets {
    use std::vec::Vec;

    #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
    use super::super::neon::Neon;
    #[cfg(target_arch = "wasm32")]
    use super::super::simd128::Simd128;
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    use super::super::{avx2, avx512};
    use super::super::{
        kernel::{Products, Sink as _},
        portable::Portable,
        table::{Flush, Table},
        vector::{ByteIsa, Bytes as _},
    };
    #[cfg(not(miri))]
    use super::{
        super::{
            pair_counter::{CountPairs as _, PairCounter},
            plain,
        },
        all_pairs,
    };
    use crate::InstructionSet;

    /// Selects masks and leaves, in lists of all lengths.
    fn check_selection<M: ByteIsa>(isa: M) {
        let masks: Vec<u64> =
            (0..40).map(|number: u64| number.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
        for length in 0..masks.len() {
            let (masks, lines) = (&masks[..length], 0x11 << (length % 13) | 1 << (63 - length));
            let mut selected = [0; 40];
            let number = M::Bytes::select_disjoint(isa, masks, lines, &mut selected[..length]);
            let expected: Vec<u64> =
                masks.iter().copied().filter(|mask| mask & lines == 0).collect();
            assert_eq!(selected[..number], expected);
            let leaves: Vec<u32> = masks.iter().map(|&mask| mask as u32).collect();
            let is_selected = |leaf: &u32| (100..3000).contains(&(leaf & 0xfff));
            let mut selected = [0; 40];
            let number = M::Bytes::select(isa, &leaves, 100, 2900, &mut selected[..length]);
            let expected: Vec<u32> = leaves.iter().copied().filter(is_selected).collect();
            assert_eq!(selected[..number], expected);
        }
    }

    #[test]
    fn selects_masks_and_leaves() {
        with_each_isa!(check_selection);
    }

    /// Adds counters to a table many times, and compares each number with a plain sum.
    fn check_table<M: ByteIsa>(isa: M) {
        let lanes = M::Bytes::LANES;
        let numbers: Vec<u16> = (0..lanes as u16).collect();
        let is_tie: Vec<bool> = (0..lanes).map(|row| row % 3 == 0).collect();
        let factors = [3, 5].map(|most| core::array::from_fn(|lane| (lane % most) as u8));
        let count = |white: usize, black: usize, flush: usize| {
            (white * 31 + black * 17 + flush * 7) as u32 % 255
        };
        let mut table = Table::new();
        // The last table has no high bytes; those of the table before must be gone.
        let all: &[_] = if cfg!(miri) {
            &[(2, true), (1, true)]
        } else {
            &[(100, true), (200, false), (1, true)]
        };
        for &(flushes, is_exact) in all {
            table.clear(isa, lanes, 1);
            for flush in 0..flushes {
                let counters = numbers.iter().map(|&white| {
                    let row = |&black: &u16| count(white.into(), black.into(), flush) as u8;
                    M::Bytes::load(isa, &numbers.iter().map(row).collect::<Vec<_>>())
                });
                let mut counters: Vec<_> = counters.collect();
                let growth = isa.run(Flush {
                    counters: &mut counters,
                    row_of_white: &numbers,
                    row_of_black: &numbers,
                    factors: &[factors],
                    is_tie: &is_tie,
                    table: &mut table,
                });
                assert!(growth.is_some());
            }
            assert_eq!(table.is_exact(), is_exact, "{flushes}");
            if !is_exact {
                continue;
            }
            let (low, high) = table.block(0);
            for (row, &is_tie) in is_tie.iter().enumerate() {
                let pairs: Vec<u8> = (0..lanes).map(|lane| ((lane + row) % 49) as u8).collect();
                let counts = M::Bytes::load(isa, &pairs);
                let mut products = Products::<_, true>::new(isa, low, high.unwrap_or(&[]));
                products.add::<0>(row, counts);
                products.add::<1>(row, counts);
                let totals = products.totals();
                for (group, lanes) in numbers.chunks(4).enumerate() {
                    let of_lane = |&lane: &u16| {
                        let lane = usize::from(lane);
                        let number: u32 = (0..flushes).map(|flush| count(lane, row, flush)).sum();
                        let factor = factors[usize::from(is_tie)][lane];
                        2 * u64::from(number) * u64::from(factor) * u64::from(pairs[lane])
                    };
                    assert_eq!(
                        totals[group],
                        lanes.iter().map(of_lane).sum::<u64>(),
                        "{row} {group}"
                    );
                }
            }
        }
    }

    #[test]
    fn tables_have_numbers_of_16_bits() {
        with_each_isa!(check_table);
    }

    /// On these boards, words are rebuilt after one to three queens.
    #[cfg(not(miri))]
    fn check_large_boards<M: ByteIsa>(isa: M) {
        let mut counter = PairCounter::new(isa);
        for (n, step) in [(19, 83), (21, 331)] {
            for pairs in all_pairs(n).step_by(step) {
                let odd_rows = &pairs.odd_rows[pairs.odd_rows.len() / 2];
                let counted = counter.count(pairs.even_rows, core::slice::from_ref(odd_rows));
                let expected = plain::count(pairs.even_rows, *odd_rows);
                assert_eq!((counted.solutions, counted.audited), expected, "N = {n}");
            }
        }
    }

    #[cfg(not(miri))]
    #[test]
    fn large_boards_match_the_formula() {
        with_each_isa!(check_large_boards);
    }
}
