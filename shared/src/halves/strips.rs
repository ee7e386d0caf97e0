//! All placements of a few rows, for each set of columns that they may use.

use alloc::vec::Vec;

use super::columns::{binomial, rank};
use crate::{RowBits, Size};

/// A horizontal line of the board, seen as the set of diagonals that cross it.
///
/// Rows are counted upwards from the middle of the board, from 1; row 0 is the middle row of an
/// odd board. A queen in `column` of `row` lies on the diagonal `column + row` that falls to one
/// side and on `column − row` that falls to the other; the line numbers both from 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    sums_from: u32,
    differences_from: u32,
    /// The diagonals of each direction, those of the sums in the low bits.
    width: u32,
}

impl Line {
    /// The middle. On an even board the diagonals cross between two rows, and none that counts
    /// passes through a column of its own beyond the edge; on an odd board they cross row 0.
    ///
    /// Both are laid out so that a placement below the middle, looked at in a mirror, has the
    /// two directions exchanged and nothing else.
    pub(super) fn middle(size: Size) -> Line {
        let even = u32::from(size.get().is_multiple_of(2));
        Line { sums_from: even, differences_from: 0, width: size.get() - even }
    }

    /// The columns of a row.
    fn row(size: Size, row: u32) -> Line {
        Line { sums_from: row, differences_from: row, width: size.get() }
    }

    /// The diagonals of a queen that cross this line within the board.
    fn crossed_by(self, row: u32, column: u32) -> u64 {
        let bit = |index: Option<u32>, shift| match index {
            Some(index) if index < self.width => 1u64 << (index + shift),
            _ => 0,
        };
        bit((column + row).checked_sub(self.sums_from), 0)
            | bit((column + self.differences_from).checked_sub(row), self.width)
    }

    /// The squares of row 0 from which a queen attacks along both directions, as diagonals.
    pub(super) fn attacked_from(self, column: u32) -> u64 {
        self.crossed_by(0, column)
    }

    /// The number of bits of a set.
    pub(super) fn bits(self) -> u32 {
        2 * self.width
    }

    /// A set with the two directions exchanged.
    #[inline(always)]
    pub(super) fn exchange(self, diagonals: u64) -> u64 {
        let low = (1 << self.width) - 1;
        diagonals >> self.width | (diagonals & low) << self.width
    }
}

/// Placements of some rows: for each the diagonals on which it crosses two lines.
#[derive(Clone, Debug, Default)]
pub(super) struct Placements {
    /// The line to the other strip.
    pub(super) seam: Vec<u64>,
    /// The middle of the board.
    pub(super) middle: Vec<u64>,
}

impl Placements {
    pub(super) fn clear(&mut self) {
        self.seam.clear();
        self.middle.clear();
    }

    fn push(&mut self, seam: u64, middle: u64) {
        self.seam.push(seam);
        self.middle.push(middle);
    }
}

/// Some neighbouring rows of the upper half.
#[derive(Clone, Copy, Debug)]
struct Rows {
    lowest: u32,
    rows: u32,
}

/// All placements of some rows, by the set of columns.
#[derive(Clone, Debug)]
struct Table {
    /// Where the placements of each set begin, by the set's rank; and the end.
    starts: Vec<u32>,
    placements: Placements,
    /// The line inside a strip that is put together from two tables.
    inside: Vec<u64>,
}

impl Table {
    fn new(size: Size, rows: Rows, inside: Option<Line>, seam: Line) -> Table {
        let sets = binomial(size.get(), rows.rows) as usize;
        let mut table = Table {
            starts: Vec::with_capacity(sets + 1),
            placements: Placements::default(),
            inside: Vec::new(),
        };
        table.starts.push(0);
        let lines = [inside.unwrap_or(seam), seam, Line::middle(size)];
        // Gosper's way to the next larger number with as many bits.
        let mut set = (1u64 << rows.rows) - 1;
        for _ in 0..sets {
            let start = Crossings { attacked: [0; 2], crossed: [0; 3] };
            table.place(rows, &lines, inside.is_some(), RowBits::from_bits(set as u32), start);
            table.starts.push(table.placements.seam.len() as u32);
            let lowest = set & set.wrapping_neg();
            let carried = set + lowest;
            set = carried | ((carried ^ set) >> 2).checked_div(lowest).unwrap_or(0);
        }
        table
    }

    fn place(
        &mut self,
        rows: Rows,
        lines: &[Line; 3],
        divided: bool,
        free: RowBits,
        above: Crossings,
    ) {
        let Some(left) = rows.rows.checked_sub(1) else {
            let [inside, seam, middle] = above.crossed;
            self.placements.push(seam, middle);
            if divided {
                self.inside.push(inside);
            }
            return;
        };
        let row = rows.lowest + left;
        for column in free.columns() {
            let diagonals = [1u64 << (column + row), 1u64 << (Size::MAX + row - column)];
            let [sums, differences] = above.attacked;
            if sums & diagonals[0] == 0 && differences & diagonals[1] == 0 {
                let mut with = above;
                with.attacked = [sums | diagonals[0], differences | diagonals[1]];
                for (crossed, line) in with.crossed.iter_mut().zip(lines) {
                    *crossed |= line.crossed_by(row, column);
                }
                let below = Rows { rows: left, ..rows };
                self.place(below, lines, divided, free - RowBits::of(column), with);
            }
        }
    }

    fn range(&self, columns: RowBits) -> core::ops::Range<usize> {
        let rank = rank(columns);
        let start = |rank: usize| self.starts.get(rank).map_or(0, |&start| start as usize);
        start(rank)..start(rank + 1)
    }

    fn bytes(&self) -> usize {
        let words = self.placements.seam.len() + self.placements.middle.len() + self.inside.len();
        8 * words + 4 * self.starts.len()
    }
}

#[derive(Clone, Copy)]
struct Crossings {
    /// The diagonals of the queens, of each direction.
    attacked: [u64; 2],
    crossed: [u64; 3],
}

/// The outer or the inner rows of the upper half.
#[derive(Clone, Debug)]
pub(super) struct Strip {
    rows: u32,
    table: Table,
    /// For more rows than a table can hold: those below.
    rest: Option<(u32, Table)>,
}

/// With more rows a table of all placements outgrows the caches.
const LARGEST_TABLE: u32 = 5;

impl Strip {
    fn new(size: Size, rows: Rows, seam: Line) -> Strip {
        if rows.rows <= LARGEST_TABLE {
            let table = Table::new(size, rows, None, seam);
            return Strip { rows: rows.rows, table, rest: None };
        }
        let below = Rows { lowest: rows.lowest, rows: rows.rows / 2 };
        let above = Rows { lowest: below.lowest + below.rows, rows: rows.rows - below.rows };
        let inside = Some(Line::row(size, above.lowest));
        Strip {
            rows: rows.rows,
            table: Table::new(size, above, inside, seam),
            rest: Some((below.rows, Table::new(size, below, inside, seam))),
        }
    }

    /// The number of rows.
    pub(super) fn rows(&self) -> u32 {
        self.rows
    }

    /// All placements in these columns, as many as there are rows, that cross none of the
    /// `closed` diagonals of the middle: slices of a table where possible, otherwise of `room`.
    pub(super) fn placements<'a>(
        &'a self,
        columns: RowBits,
        closed: u64,
        room: &'a mut Placements,
    ) -> (&'a [u64], &'a [u64]) {
        let (table, all) = (&self.table, &self.table.placements);
        if self.rest.is_none() && closed == 0 {
            let range = table.range(columns);
            let seam = all.seam.get(range.clone());
            return (seam.unwrap_or(&[]), all.middle.get(range).unwrap_or(&[]));
        }
        room.clear();
        match &self.rest {
            None => {
                for place in table.range(columns) {
                    if all.middle[place] & closed == 0 {
                        room.push(all.seam[place], all.middle[place]);
                    }
                }
            }
            Some((rows, rest)) => {
                for below in subsets(columns, *rows) {
                    put_together(table, rest, columns - below, below, closed, room);
                }
            }
        }
        (&room.seam, &room.middle)
    }

    fn bytes(&self) -> usize {
        self.table.bytes() + self.rest.as_ref().map_or(0, |(_, rest)| rest.bytes())
    }
}

fn put_together(
    upper: &Table,
    lower: &Table,
    above: RowBits,
    below: RowBits,
    closed: u64,
    room: &mut Placements,
) {
    let (ups, downs) = (&upper.placements, &lower.placements);
    let lower_range = lower.range(below);
    for up in upper.range(above) {
        if ups.middle[up] & closed != 0 {
            continue;
        }
        for down in lower_range.clone() {
            let attacked = upper.inside[up] & lower.inside[down] | downs.middle[down] & closed;
            if attacked == 0 {
                room.push(ups.seam[up] | downs.seam[down], ups.middle[up] | downs.middle[down]);
            }
        }
    }
}

/// The subsets of a set that have this many members.
pub(super) fn subsets(set: RowBits, members: u32) -> impl Iterator<Item = RowBits> {
    let mut columns = [0; 32];
    for (place, column) in columns.iter_mut().zip(set.columns()) {
        *place = column;
    }
    let end = 1u64 << set.len();
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

/// The rows of the upper half, as two strips.
#[derive(Clone, Debug)]
pub(super) struct Strips {
    /// The rows at the edge.
    pub(super) outer: Strip,
    /// The rows at the middle.
    pub(super) inner: Strip,
}

impl Strips {
    pub(super) fn new(size: Size) -> Strips {
        let half = size.get() / 2;
        let inner = Rows { lowest: 1, rows: half - half / 2 };
        let outer = Rows { lowest: 1 + inner.rows, rows: half / 2 };
        let seam = Line::row(size, outer.lowest);
        Strips { outer: Strip::new(size, outer, seam), inner: Strip::new(size, inner, seam) }
    }

    /// The memory taken by the tables.
    pub(super) fn bytes(&self) -> usize {
        self.outer.bytes() + self.inner.bytes()
    }
}
