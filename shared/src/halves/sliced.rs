//! Two short lists, tested many pairs at a time: one word of bits per diagonal says which
//! elements of a block have it.

use super::vector::{Kernel, Lanes, Machine, Words};

/// The room for the words of a block.
pub(super) struct Sliced<M: Machine> {
    /// For each window of diagonals and each set of diagonals inside it, which elements of the
    /// block have one of them.
    tables: [[M::Narrow; 1 << WINDOW]; WINDOWS],
}

/// Diagonals looked up at once.
const WINDOW: usize = 5;

/// Windows that 32 bits can need.
const WINDOWS: usize = 7;

/// The number of elements in a block.
pub(super) const fn block<M: Machine>() -> usize {
    32 * M::Narrow::LANES
}

impl<M: Machine> Sliced<M> {
    pub(super) fn new() -> Sliced<M> {
        Sliced { tables: [[M::Narrow::ZERO; 1 << WINDOW]; WINDOWS] }
    }

    /// The kernel that counts the pairs without a common bit.
    pub(super) fn pairs<'a>(&'a mut self, many: &'a [u32], few: &'a [u32]) -> Pairs<'a, M> {
        Pairs { sliced: self, many, few }
    }
}

pub(super) struct Pairs<'a, N: Machine> {
    sliced: &'a mut Sliced<N>,
    many: &'a [u32],
    few: &'a [u32],
}

impl<N: Machine> Kernel for Pairs<'_, N> {
    type Output = u64;

    #[inline(always)]
    fn run<M: Machine>(self) -> u64 {
        let union = self.few.iter().fold(0, |all, element| all | element);
        let mut conflicts = 0;
        for block in self.many.chunks(block::<N>()) {
            let words = slice::<N::Narrow>(block);
            // Windows begin at a diagonal that both lists have.
            let mut shared = union & block.iter().fold(0, |all, element| all | element);
            let mut windows = 0;
            let mut shifts = [0; WINDOWS];
            while shared != 0 && windows < WINDOWS {
                let shift = shared.trailing_zeros();
                let entries = &mut self.sliced.tables[windows];
                for set in 1..entries.len() {
                    let lowest = shift as usize + set.trailing_zeros() as usize;
                    let word = words.get(lowest).copied().unwrap_or(N::Narrow::ZERO);
                    entries[set] = entries[set & (set - 1)].or(word);
                }
                shifts[windows] = shift;
                windows += 1;
                shared = shared & (u32::MAX << shift).checked_shl(WINDOW as u32).unwrap_or(0);
            }
            let tables = &self.sliced.tables;
            conflicts += match windows {
                0 => 0,
                1 => in_conflict::<_, 1>(tables, &shifts, self.few),
                2 => in_conflict::<_, 2>(tables, &shifts, self.few),
                3 => in_conflict::<_, 3>(tables, &shifts, self.few),
                4 => in_conflict::<_, 4>(tables, &shifts, self.few),
                5 => in_conflict::<_, 5>(tables, &shifts, self.few),
                6 => in_conflict::<_, 6>(tables, &shifts, self.few),
                _ => in_conflict::<_, 7>(tables, &shifts, self.few),
            };
        }
        self.many.len() as u64 * self.few.len() as u64 - conflicts
    }
}

/// The pairs of an element of the block and one of the list that have a bit in common.
#[inline(always)]
fn in_conflict<V: Words, const USED: usize>(
    tables: &[[V; 1 << WINDOW]; WINDOWS],
    shifts: &[u32; WINDOWS],
    list: &[u32],
) -> u64 {
    let mut counters = V::NONE;
    for &element in list {
        let mut hit = V::ZERO;
        for window in 0..USED {
            let set = element >> (shifts[window] & 31) & ((1 << WINDOW) - 1);
            hit = hit.or(tables[window][set as usize]);
        }
        counters = hit.count(counters);
    }
    V::sum(counters)
}

/// For each bit, which elements of a block have it. The order of the elements in a word is of no
/// account; places without an element are 0.
#[inline(always)]
fn slice<V: Words>(block: &[u32]) -> [V; 32] {
    let mut rows = [V::ZERO; 32];
    for (row, chunk) in rows.iter_mut().zip(block.chunks(V::LANES)) {
        *row = V::load(chunk);
    }
    // In each lane a square of 32 by 32 bits is turned over its main diagonal, by exchanging
    // ever smaller squares.
    exchange::<V, 16>(&mut rows, 0x0000_ffff);
    exchange::<V, 8>(&mut rows, 0x00ff_00ff);
    exchange::<V, 4>(&mut rows, 0x0f0f_0f0f);
    exchange::<V, 2>(&mut rows, 0x3333_3333);
    exchange::<V, 1>(&mut rows, 0x5555_5555);
    rows
}

#[inline(always)]
fn exchange<V: Words, const BY: i32>(rows: &mut [V; 32], low: u32) {
    let (low, by) = (V::splat(low), BY as usize);
    for upper in (0..32).filter(|row| row & by == 0) {
        let (a, b) = (rows[upper], rows[(upper + by) & 31]);
        let differ = a.down::<BY>().xor(b).and(low);
        rows[upper] = a.xor(differ.up::<BY>());
        rows[(upper + by) & 31] = b.xor(differ);
    }
}
