//! Bit-sliced comparison of two short lists. A *block* of elements is transposed into one long word
//! for each diagonal: bit i of the word is set if element i has the diagonal. So one OR of two
//! words processes all elements of the block.

use super::vector::{HotLoop, Lanes, SimdIsa, Words};

/// Reusable tables of ORs of a block's words.
pub(super) struct Sliced<M: SimdIsa> {
    /// For each window (up to [`WINDOW`] diagonals) and each subset of its diagonals, the elements
    /// of the block that have any diagonal of the subset.
    tables: [[M::Long; 1 << WINDOW]; WINDOWS],
}

/// Number of diagonals in a window. One table lookup replaces the ORs of their words.
const WINDOW: usize = 5;

/// Maximum number of windows for 32 diagonals.
const WINDOWS: usize = 7;

/// Returns the number of elements in a block: one for each bit of a long word.
pub(super) const fn block<M: SimdIsa>() -> usize {
    32 * M::Long::LANES
}

impl<M: SimdIsa> Sliced<M> {
    pub(super) fn new(machine: M) -> Sliced<M> {
        Sliced { tables: [[M::Long::splat(machine, 0); 1 << WINDOW]; WINDOWS] }
    }

    /// Fills the tables for the diagonals that both lists have. `words` are those of the block.
    #[inline(always)]
    fn fill_tables(&mut self, machine: M, words: &[M::Long; 32], shared: u32) -> Windows {
        let mut windows = Windows { number: 0, shared, shifts: [0; WINDOWS] };
        let mut left = shared;
        for entries in &mut self.tables {
            if left == 0 {
                break;
            }
            let shift = left.trailing_zeros();
            windows.shifts[windows.number] = shift;
            windows.number += 1;
            let mut window = [M::Long::splat(machine, 0); WINDOW];
            for (place, word) in window.iter_mut().enumerate() {
                let diagonal =
                    if M::HAS_PEXT { left.trailing_zeros() } else { shift + place as u32 };
                if diagonal < 32 {
                    *word = words[diagonal as usize];
                    left &= !(1 << diagonal);
                }
            }
            // Each further diagonal doubles the filled subsets: without it, and with it.
            let mut filled = 1;
            for word in window {
                let (without, with) = entries.split_at_mut(filled);
                for (with, &without) in with.iter_mut().zip(&*without) {
                    *with = without.or(word);
                }
                filled *= 2;
            }
        }
        debug_assert_eq!(left, 0, "more windows than tables");
        windows
    }

    /// Returns the hot loop that counts the pairs without a common bit.
    pub(super) fn pairs<'a>(&'a mut self, many: &'a [u32], few: &'a [u32]) -> PairCounter<'a, M> {
        PairCounter { sliced: self, many, few }
    }
}

/// The diagonals that the tables cover.
///
/// Instruction sets with a fast `PEXT` extract the shared diagonals of an element, so window i
/// covers bits 5i to 5i + 4 of the result. For the others, a window covers five adjacent diagonals,
/// of which the first one is shared.
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
        let union = self.few.iter().fold(0, |all, element| all | element);
        let mut conflicts = 0;
        for block in self.many.chunks(block::<M>()) {
            let words = slice::<M::Long>(machine, block);
            let shared = union & block.iter().fold(0, |all, element| all | element);
            let windows = self.sliced.fill_tables(machine, &words, shared);
            let tables = &self.sliced.tables;
            conflicts += match windows.number {
                0 => 0,
                1 => count_conflicts::<M, 1>(machine, tables, &windows, self.few),
                2 => count_conflicts::<M, 2>(machine, tables, &windows, self.few),
                3 => count_conflicts::<M, 3>(machine, tables, &windows, self.few),
                4 => count_conflicts::<M, 4>(machine, tables, &windows, self.few),
                5 => count_conflicts::<M, 5>(machine, tables, &windows, self.few),
                6 => count_conflicts::<M, 6>(machine, tables, &windows, self.few),
                _ => count_conflicts::<M, 7>(machine, tables, &windows, self.few),
            };
        }
        self.many.len() as u64 * self.few.len() as u64 - conflicts
    }
}

/// Counts the pairs of an element of the block and one of the list that have a bit in common.
#[inline(always)]
fn count_conflicts<M: SimdIsa, const USED: usize>(
    machine: M,
    tables: &[[M::Long; 1 << WINDOW]; WINDOWS],
    windows: &Windows,
    list: &[u32],
) -> u64 {
    let mut conflicts = 0;
    for part in list.chunks(M::Long::COUNTED) {
        let mut counters = M::Long::zero(machine);
        for &element in part {
            let bits = if M::HAS_PEXT {
                machine.extract_bits(element.into(), windows.shared.into())
            } else {
                element
            };
            let mut hit = M::Long::splat(machine, 0);
            for (window, entries) in tables.iter().enumerate().take(USED) {
                let shift =
                    if M::HAS_PEXT { (window * WINDOW) as u32 } else { windows.shifts[window] };
                let set = bits >> (shift & 31) & ((1 << WINDOW) - 1);
                hit = hit.or(entries[set as usize]);
            }
            counters = hit.count(counters);
        }
        conflicts += M::Long::sum(counters);
    }
    conflicts
}

/// Transposes a block: returns, for each bit, a word with the elements that have it. The order of
/// the elements in a word does not matter. Bits of a word without an element are 0.
#[inline(always)]
fn slice<V: Words>(machine: V::SimdIsa, block: &[u32]) -> [V; 32] {
    let mut rows = [V::splat(machine, 0); 32];
    for (row, chunk) in rows.iter_mut().zip(block.chunks(V::LANES)) {
        *row = V::load(machine, chunk);
    }
    // Each lane transposes a square of 32 by 32 bits: it exchanges the two quarters off the
    // diagonal, then does the same in each quarter, and so on.
    exchange::<V, 16>(machine, &mut rows, 0x0000_ffff);
    exchange::<V, 8>(machine, &mut rows, 0x00ff_00ff);
    exchange::<V, 4>(machine, &mut rows, 0x0f0f_0f0f);
    exchange::<V, 2>(machine, &mut rows, 0x3333_3333);
    exchange::<V, 1>(machine, &mut rows, 0x5555_5555);
    rows
}

/// Exchanges the two quarters off the diagonal in each square of 2·`BY` by 2·`BY` bits. `low`
/// selects the low `BY` bits of each 2·`BY` bits.
#[inline(always)]
fn exchange<V: Words, const BY: i32>(machine: V::SimdIsa, rows: &mut [V; 32], low: u32) {
    let (low, by) = (V::splat(machine, low), BY as usize);
    for upper in (0..32).filter(|row| row & by == 0) {
        let (a, b) = (rows[upper], rows[(upper + by) & 31]);
        let differ = a.shift_right::<BY>().xor(b).and(low);
        rows[upper] = a.xor(differ.shift_left::<BY>());
        rows[(upper + by) & 31] = b.xor(differ);
    }
}
