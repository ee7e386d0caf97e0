//! Subsets of a column set, and its partitions between two strips.

use alloc::vec::Vec;

use super::{columns::binomial, vector::first};
use crate::RowBits;

/// A partition of a half's columns between its two strips.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ColumnPartition {
    pub(super) outer: RowBits,
    pub(super) inner: RowBits,
    /// The ranks of the outer and of the inner set, see [`rank`](super::columns::rank).
    pub(super) ranks: [u32; 2],
    /// The sizes of the outer and of the inner set.
    pub(super) members: [u32; 2],
}

/// Finds all partitions of `columns` that give `outer_rows` of them to the outer strip.
pub(super) fn divide(outer_rows: u32, columns: RowBits, partitions: &mut Vec<ColumnPartition>) {
    partitions.clear();
    let mut all = [0; 32];
    for (place, column) in all.iter_mut().zip(columns.columns()) {
        *place = column;
    }
    let all = first(&mut all, columns.len() as usize);
    // The partitions of the lower columns are computed once, and each is combined with every
    // partition of the higher columns that completes the outer strip to `outer_rows` columns. The
    // rank of a set is a sum over its columns, in which the summand of a column depends only on the
    // number of lower columns in the set. So the summands of the lower and of the higher columns can be
    // computed separately.
    let (low, high) = all.split_at(all.len() / 2);
    let (mut lows, mut highs) = (Vec::new(), Vec::new());
    extend(low, ColumnPartition::default(), &mut lows);
    for outer in 0..=low.len() as u32 {
        let members = [outer, low.len() as u32 - outer];
        extend(high, ColumnPartition { members, ..ColumnPartition::default() }, &mut highs);
        for high in highs.iter().filter(|high| high.members[0] == outer_rows) {
            let lows = lows.iter().filter(|low| low.members == members);
            partitions.extend(lows.map(|low| ColumnPartition {
                outer: low.outer | high.outer,
                inner: low.inner | high.inner,
                ranks: [0, 1].map(|strip| low.ranks[strip] + high.ranks[strip]),
                members: high.members,
            }));
        }
    }
}

/// Finds all partitions that extend `before`, a partition of lower columns, by `columns`. The ranks
/// of the results depend only on `before.members` and `before.ranks`, so the caller may leave the
/// column sets of `before` empty.
fn extend(columns: &[u32], before: ColumnPartition, partitions: &mut Vec<ColumnPartition>) {
    partitions.clear();
    partitions.reserve(1 << columns.len());
    partitions.push(before);
    for &column in columns {
        for place in 0..partitions.len() {
            let ColumnPartition { outer, inner, ranks, members } = partitions[place];
            let ranks_of_column = [0, 1].map(|strip| binomial(column, members[strip] + 1) as u32);
            partitions.push(ColumnPartition {
                outer: outer | RowBits::of(column),
                ranks: [ranks[0] + ranks_of_column[0], ranks[1]],
                members: [members[0] + 1, members[1]],
                inner,
            });
            partitions[place] = ColumnPartition {
                inner: inner | RowBits::of(column),
                ranks: [ranks[0], ranks[1] + ranks_of_column[1]],
                members: [members[0], members[1] + 1],
                outer,
            };
        }
    }
}

/// Iterates over the subsets of `set` that have this many members, in the order of their ranks.
pub(super) fn subsets(set: RowBits, members: u32) -> impl Iterator<Item = RowBits> {
    let mut columns = [0; 32];
    for (place, column) in columns.iter_mut().zip(set.columns()) {
        *place = column;
    }
    let end = 1u64 << set.len();
    // Gosper's hack finds the next larger number with the same number of set bits.
    let mut next = (1u64 << members) - 1;
    core::iter::from_fn(move || {
        if next >= end {
            return None;
        }
        let chosen = RowBits::from_bits(next as u32);
        let lowest = next & next.wrapping_neg();
        let carried = next + lowest;
        next = match ((carried ^ next) >> 2).checked_div(lowest) {
            Some(low) => carried | low,
            None => end,
        };
        let mut subset = RowBits::EMPTY;
        for place in chosen.columns() {
            subset |= RowBits::of(columns[place as usize & 31]);
        }
        Some(subset)
    })
}
