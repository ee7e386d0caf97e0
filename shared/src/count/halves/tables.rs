//! The placements of the strips as words, for devices that join them by code of their own.

use alloc::vec::Vec;

use super::{
    columns::{ColumnSets, binomial},
    strips::{Line, closed, whole_tables},
};
use crate::Size;

/// What the lists of halves are made of on a board, as a GPU is told once.
///
/// The upper half is two strips of rows. A placement of the half is one of each strip, with columns
/// that the two [divide](Tables::divisions) between them, that do not attack each other along the
/// seam between the strips. Seen from the other half it is the [`diagonals`](Tables::diagonals) on
/// which it crosses the middle of the board. A placement of the lower half is one of the upper half
/// for its columns, in a mirror: in each pair of neighbouring bits the two change places.
#[derive(Clone, Debug)]
pub struct Tables {
    /// The board.
    pub size: Size,
    /// The rows of the outer and of the inner strip, 0 to 7.
    pub rows: [u32; 2],
    /// The number of diagonals that placements of both halves may cross, at most 54. Those that
    /// most placements cross are the highest; bits above them are never in both halves.
    pub diagonals: u32,
    /// All ways to divide the columns of a half between the strips. Bit k is set if the k-th
    /// column, counted from the lowest one and from 0, is the outer strip's.
    pub divisions: Vec<u32>,
    /// What a column adds to the rank of a set: by the column, and by its number among the members,
    /// counted from the lowest one and from 1. The rank is the sum of all.
    pub ranks: [[u32; 8]; 32],
    /// For the outer and for the inner strip, where the placements in each set of columns begin, by
    /// the set's rank; and the end.
    pub starts: [Vec<u32>; 2],
    /// The placements of the outer strip, then those of the inner one: two words with the diagonals
    /// that cross the seam, two with those that cross the middle, the low word first. The highest
    /// [`SIDE_BITS`](Tables::SIDE_BITS) of the second word are the number of the rows with their
    /// queen in the left half of the board, those of the fourth that of the right half. The row at
    /// the board's edge is the lowest bit of a number.
    pub placements: Vec<[u32; 4]>,
}

impl Tables {
    /// The bits of a strip's number of rows.
    pub const SIDE_BITS: u32 = 7;

    /// The tables of a board. They are made anew, and grow about threefold with each N: some 30 MB
    /// for N = 20.
    pub fn new(size: Size) -> Tables {
        let tables = whole_tables(size);
        let [outer, inner] = tables.each_ref().map(|(rows, _)| *rows);
        let (mut starts, mut placements) = ([Vec::new(), Vec::new()], Vec::new());
        for (strip_starts, (_, table)) in starts.iter_mut().zip(&tables) {
            let before = placements.len() as u32;
            strip_starts.extend(table.starts().iter().map(|start| before + start));
            placements.extend(table.placements().map(|(seam, middle, [left, right])| {
                let high = |diagonals: u64, side: u8| {
                    (diagonals >> 32) as u32 | u32::from(side) << (32 - Tables::SIDE_BITS)
                };
                [seam as u32, high(seam, left), middle as u32, high(middle, right)]
            }));
        }
        Tables {
            size,
            rows: [outer, inner],
            diagonals: Line::middle(size).shared(),
            divisions: (0..1u32 << (outer + inner))
                .filter(|places| places.count_ones() == outer)
                .collect(),
            ranks: core::array::from_fn(|column| {
                core::array::from_fn(|number| binomial(column as u32, number as u32) as u32)
            }),
            starts,
            placements,
        }
    }

    /// The diagonals that no placement of either half may cross, since the queen of the middle row
    /// attacks along them.
    pub fn closed(&self, sets: &ColumnSets) -> u64 {
        closed(self.size, sets)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Method, Plan, RowBits, count::halves::strips::exchanged, recount};

    /// The placements of the upper half in some columns, as a device joins them: their diagonals,
    /// and the smaller one of the numbers of rows.
    fn listed(tables: &Tables, columns: RowBits, closed: u64) -> Vec<(u64, u32)> {
        let mut listed = Vec::new();
        for &division in &tables.divisions {
            let (mut ranks, mut members) = ([0; 2], [0; 2]);
            for (place, column) in columns.columns().enumerate() {
                let strip = if division >> place & 1 == 1 { 0 } else { 1 };
                members[strip] += 1;
                ranks[strip] += tables.ranks[column as usize][members[strip]] as usize;
            }
            let of = |strip: usize| {
                let starts = &tables.starts[strip];
                let (start, end) = (starts[ranks[strip]], starts[ranks[strip] + 1]);
                tables.placements[start as usize..end as usize].iter()
            };
            let words = |low: u32, high: u32| u64::from(high << 7 >> 7) << 32 | u64::from(low);
            for outer in of(0) {
                for inner in of(1) {
                    let seam = words(outer[0] & inner[0], outer[1] & inner[1]);
                    let middle = words(outer[2] | inner[2], outer[3] | inner[3]);
                    let side = |word: usize| {
                        let number = |word: u32| word >> (32 - Tables::SIDE_BITS);
                        number(inner[word]) << tables.rows[0] | number(outer[word])
                    };
                    if seam == 0 && middle & closed == 0 {
                        listed.push((middle, side(1).min(side(3))));
                    }
                }
            }
        }
        listed
    }

    #[test]
    fn pairs_of_lists_made_of_the_tables_are_the_solutions() {
        for n in 4..=if cfg!(miri) { 6 } else { 9 } {
            let size = Size::new(n).unwrap();
            let (tables, plan) = (Tables::new(size), Plan::new(size, Method::Halves));
            let shared = (1 << tables.diagonals) - 1;
            for task in 0..plan.len() {
                let mut sum = 0;
                for sets in plan.column_sets(task).unwrap() {
                    let key = sets.key(size);
                    let of = |columns| listed(&tables, columns, tables.closed(&sets));
                    let bottom = of(sets.bottom);
                    for (top, rows) in of(sets.top) {
                        for &(other, others) in &bottom {
                            let mirrored = exchanged(other);
                            assert_eq!(top & mirrored & !shared, 0, "N = {n}: never in both");
                            if top & mirrored == 0 {
                                let rows = rows.min(others);
                                let each = u64::from(rows >= key) + u64::from(rows > key);
                                sum += each * u64::from(sets.weight);
                            }
                        }
                    }
                }
                assert_eq!(sum, recount(&plan, task).unwrap(), "N = {n}, task {task}");
            }
        }
    }
}
