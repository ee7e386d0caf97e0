//! Table of all placements of a few rows, indexed by the rank of their column set.

use alloc::vec::Vec;
use core::ops::Range;

use super::{
    column_partitions::subsets,
    columns::binomial,
    line::{NarrowDiagonals, Seam},
    placements::{BLOCK, Block, Placement, PlacementSlice, Placements, Sides},
};
use crate::{RowBits, Size};

/// A range of rows of the upper half, counted upwards from the middle of the board (see [`Seam`]).
#[derive(Clone, Copy, Debug)]
pub(super) struct Rows {
    pub(super) lowest: u32,
    /// The number of rows.
    pub(super) rows: u32,
}

impl Rows {
    /// Returns the rows of the two parts into which GPUs divide a strip of these rows: the upper and
    /// the lower part. The lower part is empty if there are no more rows than
    /// `max_single_table_rows`.
    pub(super) fn parts(self, max_single_table_rows: u32) -> [Rows; 2] {
        self.divide(if self.rows > max_single_table_rows { self.rows / 2 } else { 0 })
    }

    /// Divides the rows into an upper part and a lower part with `below` rows.
    pub(super) fn divide(self, below: u32) -> [Rows; 2] {
        let Rows { lowest, rows } = self;
        let below = Rows { lowest, rows: below };
        [Rows { lowest: lowest + below.rows, rows: rows - below.rows }, below]
    }
}

/// All placements of some rows, grouped by column set.
#[derive(Clone, Debug)]
pub(super) struct Table {
    /// The start of each column set's placements, by the set's rank, and the end of the last one.
    starts: Vec<u32>,
    pub(super) placements: Placements,
    /// For each placement, the diagonals on which its queens cross the line inside the strip, between
    /// its two parts; empty if the strip has one part.
    pub(super) inside: Vec<u64>,
}

impl Table {
    /// Finds all placements of `rows` by backtracking. `seam` is the line between the two strips of
    /// the half, `inside` the line between the two parts of the strip, if it has two.
    pub(super) fn new(size: Size, rows: Rows, inside: Option<Seam>, seam: Seam) -> Table {
        let sets = binomial(size.get(), rows.rows) as usize;
        let mut table = Table {
            starts: Vec::with_capacity(sets + 1),
            placements: Placements::default(),
            inside: Vec::new(),
        };
        table.starts.push(0);
        let lines = [inside.unwrap_or(seam), seam, Seam::middle(size)];
        let squares: Vec<RowOfSquares> = (rows.lowest..rows.lowest + rows.rows)
            .map(|row| {
                core::array::from_fn(|column| lines.map(|line| line.crossed_by(row, column as u32)))
            })
            .collect();
        let search = Search { size, rows, squares: &squares, has_two_parts: inside.is_some() };
        for set in subsets(size.mask(), rows.rows) {
            table.place_queens(search, set, Crossings::default());
            table.starts.push(table.placements.seam.len() as u32);
        }
        table
    }

    /// Places queens in the remaining rows, from the highest one down, in the `free` columns, and
    /// appends each complete placement.
    fn place_queens(&mut self, search: Search<'_>, free: RowBits, above: Crossings) {
        let Some((squares, below)) = search.squares.split_last() else {
            let [inside, seam, middle] = above.crossed;
            let Crossings { sides, lowest, .. } = above;
            self.placements.push(Placement { seam, middle, sides, lowest });
            if search.has_two_parts {
                self.inside.push(inside);
            }
            return;
        };
        let Rows { lowest, rows } = search.rows;
        let row = lowest + below.len() as u32;
        let bit = 1 << (lowest + rows - 1 - row);
        for column in free.columns() {
            let diagonals = [1u64 << (column + row), 1u64 << (Size::MAX + row - column)];
            let [sums, differences] = above.attacked;
            if sums & diagonals[0] == 0 && differences & diagonals[1] == 0 {
                let mut next = above;
                next.lowest = column as u8;
                next.attacked = [sums | diagonals[0], differences | diagonals[1]];
                for (crossed, line) in next.crossed.iter_mut().zip(squares[column as usize & 31]) {
                    *crossed |= line;
                }
                if let Some(side) = side(search.size, column) {
                    next.sides[side] |= bit;
                }
                let below = Search { squares: below, ..search };
                self.place_queens(below, free - RowBits::of(column), next);
            }
        }
    }

    /// Returns the range of the placements in the column set of this rank.
    pub(super) fn range(&self, rank: usize) -> Range<usize> {
        debug_assert!(rank + 1 < self.starts.len(), "no set of rank {rank}");
        let start = |rank: usize| self.starts.get(rank).map_or(0, |&start| start as usize);
        start(rank)..start(rank + 1)
    }

    /// Returns the placements in the column set of this rank. They must be
    /// [padded](Placements::pad).
    #[inline(always)]
    pub(super) fn part(&self, rank: usize) -> PlacementSlice<'_> {
        self.placements.part(self.range(rank))
    }

    /// Returns the elements of [`inside`](Table::inside) from the first placement of a block on.
    #[inline(always)]
    pub(super) fn inside_of(&self, block: Block<'_>) -> &[u64] {
        self.inside.get(block.start()..).unwrap_or_default()
    }

    /// Replaces the placements. `ends` has the end of each column set's range.
    pub(super) fn replace(&mut self, placements: Placements, ends: &[usize]) {
        self.placements = placements;
        for (start, &end) in self.starts.iter_mut().skip(1).zip(ends) {
            *start = end as u32;
        }
    }

    /// Adds the narrow middle diagonals of all placements. `rows` is the number of the table's rows.
    pub(super) fn encode_narrow(&mut self, size: Size, rows: u32, diagonals: NarrowDiagonals) {
        let mut narrow = Vec::with_capacity(self.placements.middle.len() + BLOCK);
        for (rank, columns) in subsets(size.mask(), rows).enumerate() {
            let middles = self.placements.middle.get(self.range(rank)).unwrap_or_default();
            narrow.extend(middles.iter().map(|&middle| diagonals.encode(middle, columns)));
        }
        narrow.extend([0; BLOCK]);
        self.placements.narrow = narrow;
    }

    /// Returns the start of each column set's placements, by the set's rank, and the end of the
    /// last one.
    pub(super) fn starts(&self) -> &[u32] {
        &self.starts
    }

    /// Iterates over the placements: the diagonals on which they cross the seam and the middle, and
    /// the row numbers of both sides. Empty if the sort keys were dropped.
    pub(super) fn placements(&self) -> impl Iterator<Item = (u64, u64, Sides)> {
        let Placements { seam, seam_edge, middle, .. } = &self.placements;
        let seam =
            seam.iter().zip(seam_edge).map(|(&low, &high)| u64::from(low) | u64::from(high) << 32);
        let sides = self.placements.sides();
        seam.zip(middle).zip(sides).map(|((seam, &middle), sides)| (seam, middle, sides))
    }

    /// Returns the diagonals of the line inside the strip, see [`inside`](Table::inside).
    pub(super) fn inside(&self) -> &[u64] {
        &self.inside
    }

    pub(super) fn bytes(&self) -> usize {
        self.placements.bytes() + 8 * self.inside.capacity() + 4 * self.starts.capacity()
    }
}

/// For each column of a row, the diagonals on which a queen there crosses three lines: the line
/// inside the strip, the seam and the middle.
type RowOfSquares = [[u64; 3]; 32];

/// The constant parameters of the search for placements, and the remaining rows.
#[derive(Clone, Copy)]
struct Search<'a> {
    size: Size,
    rows: Rows,
    /// The remaining rows, from the lowest one up.
    squares: &'a [RowOfSquares],
    /// Whether the strip has two parts.
    has_two_parts: bool,
}

/// The state of the search: the diagonals and row numbers of the queens placed so far.
#[derive(Clone, Copy, Default)]
struct Crossings {
    /// The diagonals that the queens occupy: by the sum of column and row, and by their difference.
    attacked: [u64; 2],
    /// The diagonals on which the queens cross each of the three lines (see [`RowOfSquares`]).
    crossed: [u64; 3],
    sides: Sides,
    /// The column of the last queen.
    lowest: u8,
}

/// Returns the side of the board that a column is on, as an index into [`Sides`]; `None` for the
/// middle column of an odd board.
fn side(size: Size, column: u32) -> Option<usize> {
    match 2 * column {
        twice if twice < size.last() => Some(0),
        twice if twice > size.last() => Some(1),
        _ => None,
    }
}
