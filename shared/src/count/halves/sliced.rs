//! *Bit-sliced* comparison of two short lists. A *block* of elements is transposed into one long word
//! for each diagonal: bit i of the word is set if element i has the diagonal. So one OR of two
//! words processes all elements of the block. Tables hold the OR of each subset of a few words (the
//! *method of the Four Russians*).

use alloc::{vec, vec::Vec};

use super::vector::{HotLoop, Lanes, SimdIsa, Words, exchange};

/// Reusable buffers for a block's words and the tables of their ORs.
///
/// A word consists of as many vectors as the block's elements need, so short blocks take less time
/// than long ones.
pub(super) struct Sliced<M: SimdIsa> {
    /// For each diagonal, the elements of the block that have it.
    words: Vec<M::Narrow>,
    /// For each window (up to [`WINDOW`] diagonals) and each subset of its diagonals, the elements
    /// of the block that have any diagonal of the subset.
    tables: Vec<M::Narrow>,
}

/// The tables of all windows for words of `N` vectors.
type Tables<V, const N: usize> = [[[V; N]; 1 << WINDOW]];

/// Number of diagonals in a window. One table lookup replaces the ORs of their words.
const WINDOW: usize = 5;

/// Maximum number of windows for 32 diagonals.
const WINDOWS: usize = 7;

/// Returns the maximum number of elements in a block: one for each bit of the longest word.
pub(super) const fn block<M: SimdIsa>() -> usize {
    M::WORD_VECTORS * bits::<M::Narrow>()
}

/// Returns the number of bits in a vector.
const fn bits<V: Words>() -> usize {
    32 * V::LANES
}

impl<M: SimdIsa> Sliced<M> {
    pub(super) fn new(machine: M) -> Sliced<M> {
        let vectors = |each| vec![M::Narrow::splat(machine, 0); each * M::WORD_VECTORS];
        Sliced { words: vectors(32), tables: vectors(WINDOWS << WINDOW) }
    }

    /// Returns the size of the buffers in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of::<M::Narrow>() * (self.words.capacity() + self.tables.capacity())
    }

    /// Returns the hot loop that counts the disjoint pairs of two lists.
    pub(super) fn pairs<'a>(&'a mut self, many: &'a [u32], few: &'a [u32]) -> PairCounter<'a, M> {
        PairCounter { sliced: self, many, few }
    }

    /// Counts the pairs of an element of the block and an element of `few` that have a bit in common.
    /// `union` has the bits of all elements of `few`. The block must fit into words of `N` vectors.
    #[inline(always)]
    fn conflicts<const N: usize>(
        &mut self,
        machine: M,
        block: &[u32],
        few: &[u32],
        union: u32,
    ) -> u64 {
        let words = self.words.as_chunks_mut::<N>().0;
        transpose(machine, block, words);
        let shared = union & block.iter().fold(0, |all, element| all | element);
        let tables = self.tables.as_chunks_mut::<N>().0.as_chunks_mut().0;
        let windows = fill_tables(machine, words, shared, tables);
        match windows.number {
            0 => 0,
            1 => count_conflicts::<M, N, 1>(machine, tables, &windows, few),
            2 => count_conflicts::<M, N, 2>(machine, tables, &windows, few),
            3 => count_conflicts::<M, N, 3>(machine, tables, &windows, few),
            4 => count_conflicts::<M, N, 4>(machine, tables, &windows, few),
            5 => count_conflicts::<M, N, 5>(machine, tables, &windows, few),
            6 => count_conflicts::<M, N, 6>(machine, tables, &windows, few),
            _ => count_conflicts::<M, N, 7>(machine, tables, &windows, few),
        }
    }
}

/// The windows of diagonals for which there are tables.
///
/// Only the *shared* diagonals matter, those that occur both in the block and in the other list. A
/// fast `PEXT` extracts their bits from an element of the other list, and window i covers bits 5i to
/// 5i + 4 of the result. Without a fast `PEXT`, each window starts at a shared diagonal and covers
/// five adjacent diagonals, shared or not.
struct Windows {
    /// The number of windows in use.
    number: usize,
    /// The shared diagonals.
    shared: u32,
    /// The first diagonal of each window, for instruction sets without a fast `PEXT`.
    shifts: [u32; WINDOWS],
}

/// Counts the disjoint pairs of two lists, block by block of the longer one.
pub(super) struct PairCounter<'a, M: SimdIsa> {
    sliced: &'a mut Sliced<M>,
    many: &'a [u32],
    few: &'a [u32],
}

impl<M: SimdIsa> HotLoop<M> for PairCounter<'_, M> {
    type Output = u64;

    #[inline(always)]
    fn run(self, machine: M) -> u64 {
        const { assert!(M::WORD_VECTORS <= 4, "longer words have no case below") };
        let PairCounter { sliced, many, few } = self;
        let union = few.iter().fold(0, |all, element| all | element);
        let mut conflicts = 0;
        for block in many.chunks(block::<M>()) {
            conflicts += match block.len().div_ceil(bits::<M::Narrow>()) {
                1 => sliced.conflicts::<1>(machine, block, few, union),
                2 if M::WORD_VECTORS >= 2 => sliced.conflicts::<2>(machine, block, few, union),
                3 if M::WORD_VECTORS >= 3 => sliced.conflicts::<3>(machine, block, few, union),
                _ => sliced.conflicts::<4>(machine, block, few, union),
            };
        }
        many.len() as u64 * few.len() as u64 - conflicts
    }
}

/// Fills the tables for the diagonals that both lists have, and returns their windows. `words` are
/// the transposed elements of the block.
#[inline(always)]
fn fill_tables<M: SimdIsa, const N: usize>(
    machine: M,
    words: &[[M::Narrow; N]],
    shared: u32,
    tables: &mut Tables<M::Narrow, N>,
) -> Windows {
    let mut windows = Windows { number: 0, shared, shifts: [0; WINDOWS] };
    let mut left = shared;
    for entries in tables {
        if left == 0 {
            break;
        }
        let shift = left.trailing_zeros();
        windows.shifts[windows.number] = shift;
        windows.number += 1;
        let empty = [M::Narrow::splat(machine, 0); N];
        let mut window = [empty; WINDOW];
        for (place, word) in window.iter_mut().enumerate() {
            let diagonal = if M::HAS_PEXT { left.trailing_zeros() } else { shift + place as u32 };
            if diagonal < 32 {
                *word = words.get(diagonal as usize).copied().unwrap_or(empty);
                left &= !(1 << diagonal);
            }
        }
        entries[0] = empty;
        // Each further diagonal doubles the filled subsets: without it, and with it.
        let mut filled = 1;
        for word in window {
            let (without, with) = entries.split_at_mut(filled);
            for (with, &without) in with.iter_mut().zip(&*without) {
                *with = or(without, word);
            }
            filled *= 2;
        }
    }
    debug_assert_eq!(left, 0, "more windows than tables");
    windows
}

/// Returns the OR of two words.
#[inline(always)]
fn or<V: Words, const N: usize>(mut one: [V; N], other: [V; N]) -> [V; N] {
    for (one, other) in one.iter_mut().zip(other) {
        *one = one.or(other);
    }
    one
}

/// Counts the pairs of an element of the block and one of the list that have a bit in common. `USED`
/// is the number of windows.
#[inline(always)]
fn count_conflicts<M: SimdIsa, const N: usize, const USED: usize>(
    machine: M,
    tables: &Tables<M::Narrow, N>,
    windows: &Windows,
    list: &[u32],
) -> u64 {
    let mut conflicts = 0;
    for part in list.chunks(M::Narrow::MAX_COUNTED_WORDS) {
        let mut counters = M::Narrow::zero(machine);
        for &element in part {
            let bits = if M::HAS_PEXT {
                machine.extract_bits(element.into(), windows.shared.into())
            } else {
                element
            };
            let mut hit = [M::Narrow::splat(machine, 0); N];
            for (window, entries) in tables.iter().enumerate().take(USED) {
                let shift =
                    if M::HAS_PEXT { (window * WINDOW) as u32 } else { windows.shifts[window] };
                let set = bits >> (shift & 31) & ((1 << WINDOW) - 1);
                hit = or(hit, entries[set as usize]);
            }
            counters = M::Narrow::count(hit, counters);
        }
        conflicts += M::Narrow::sum(counters);
    }
    conflicts
}

/// Transposes a block (*bit-matrix transposition*): the word of each diagonal gets the bits of the
/// elements that have it. The order of the elements in a word does not matter. Bits of a word without
/// an element are 0.
///
/// Each lane of 32 vectors is a square of 32 by 32 bits. The first of five steps exchanges the upper
/// right and the lower left quarter of the square. Each further step does the same in every quarter
/// of the step before. The last step transposes squares of 2 by 2 bits:
///
/// ```text
/// element 0: a b        word 0: a c
/// element 1: c d        word 1: b d
/// ```
#[inline(always)]
fn transpose<M: SimdIsa, const N: usize>(machine: M, block: &[u32], words: &mut [[M::Narrow; N]]) {
    for vector in 0..N {
        let part = block.get(vector * bits::<M::Narrow>()..).unwrap_or_default();
        let mut rows = [M::Narrow::splat(machine, 0); 32];
        for (row, chunk) in rows.iter_mut().zip(part.chunks(M::Narrow::LANES)) {
            *row = M::Narrow::load(machine, chunk);
        }
        M::Narrow::transpose_bytes(machine, &mut rows);
        for (eight, words) in rows.as_chunks_mut::<8>().0.iter_mut().zip(words.chunks_mut(8)) {
            exchange::<M::Narrow, 4>(machine, eight, 0x0f0f_0f0f);
            exchange::<M::Narrow, 2>(machine, eight, 0x3333_3333);
            exchange::<M::Narrow, 1>(machine, eight, 0x5555_5555);
            for (word, &row) in words.iter_mut().zip(&*eight) {
                word[vector] = row;
            }
        }
    }
}
