//! All placements of a few rows, for each set of columns that they may use.

use alloc::vec::Vec;
use core::{cmp::Ordering, ops::Range};

use super::{
    columns::{ColumnSets, binomial, rank},
    vector::{Machine, first},
};
use crate::{Attacks, RowBits, Size};

/// A horizontal line of the board, seen as the set of diagonals that cross it.
///
/// Rows are counted upwards from the middle of the board, from 1; row 0 is the middle row of an
/// odd board. A queen in `column` of `row` lies on the diagonal `column + row` that falls to one
/// side and on `column − row` that falls to the other; the line numbers both from 0.
///
/// In a set, the two diagonals of one number are neighbours, the sum in the lower bit. How the
/// numbers follow each other is up to `order`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    sums_from: u32,
    differences_from: u32,
    /// The diagonals of each direction.
    width: u32,
    order: Order,
}

#[derive(Clone, Copy, Debug)]
enum Order {
    /// Those that most placements cross, the central ones, in the lowest bits.
    CentreFirst,
    /// The central ones in the highest bits, but for the numbers at the edge that are set aside.
    CentreLast { aside: u32 },
}

impl Line {
    /// The middle. On an even board the diagonals cross between two rows; on an odd board they
    /// cross row 0.
    ///
    /// Both are numbered so that a placement below the middle, looked at in a mirror, has the
    /// two directions exchanged and nothing else.
    pub(super) fn middle(size: Size) -> Line {
        let even = u32::from(size.get().is_multiple_of(2));
        // On an odd board no queen of the other half attacks the first and the last square of
        // row 0.
        let order = Order::CentreLast { aside: 2 - 2 * even };
        Line { sums_from: even, differences_from: 0, width: size.get() - even, order }
    }

    /// The columns of a row.
    pub(super) fn row(size: Size, row: u32) -> Line {
        let order = Order::CentreFirst;
        Line { sums_from: row, differences_from: row, width: size.get(), order }
    }

    /// The diagonals of a queen that cross this line within the board.
    pub(super) fn crossed_by(self, row: u32, column: u32) -> u64 {
        let bit = |number: Option<u32>, direction| match number {
            Some(number) if number < self.width => 1u64 << (2 * self.place(number) + direction),
            _ => 0,
        };
        bit((column + row).checked_sub(self.sums_from), 0)
            | bit((column + self.differences_from).checked_sub(row), 1)
    }

    /// Where the diagonals of this number stand in a set.
    fn place(self, number: u32) -> u32 {
        let last = self.width - 1;
        let apart = (2 * number).abs_diff(last);
        let outwards = if 2 * number < last { apart - 1 } else { apart };
        match self.order {
            Order::CentreFirst => outwards,
            Order::CentreLast { aside } if outwards + aside > last => outwards,
            Order::CentreLast { aside } => last - aside - outwards,
        }
    }

    /// How many diagonals placements of both halves may cross; they have the lowest bits.
    pub(super) fn shared(self) -> u32 {
        match self.order {
            Order::CentreFirst => 2 * self.width,
            Order::CentreLast { aside } => 2 * self.width.saturating_sub(aside),
        }
    }
}

/// The diagonals of the middle that the queen of the middle row attacks, which no placement of
/// either half may cross.
pub(super) fn closed(size: Size, sets: &ColumnSets) -> u64 {
    sets.middle.map_or(0, |column| Line::middle(size).crossed_by(0, column))
}

/// The diagonals of the middle on which a placement of the upper half attacks some squares of the
/// row below it.
pub(super) fn attacked(size: Size, squares: Attacks) -> u64 {
    let middle = Line::middle(size);
    let of = |squares: RowBits, direction: u64| {
        squares.columns().fold(0, |all, column| all | middle.crossed_by(0, column) & direction)
    };
    of(squares.left, SUMS) | of(squares.right, !SUMS)
}

/// The lower bits of all pairs of neighbouring bits.
const SUMS: u64 = 0x5555_5555_5555_5555;

/// A set with the two directions exchanged.
#[inline(always)]
pub(super) fn exchanged(diagonals: u64) -> u64 {
    diagonals >> 1 & SUMS | (diagonals & SUMS) << 1
}

/// Placements of some rows: for each the diagonals on which it crosses two lines, and the rows
/// that have their queen on either side of the board.
#[derive(Clone, Debug, Default)]
pub(super) struct Placements {
    /// The line to the other strip, its 32 central diagonals.
    seam: Vec<u32>,
    /// The line to the other strip, all other diagonals.
    seam_edge: Vec<u32>,
    /// The middle of the board.
    middle: Vec<u64>,
    /// The rows, until they are sliced or sorted by.
    sides: Vec<Sides>,
    /// The column of the lowest row, until they are sorted by it.
    lowest: Vec<u8>,
    /// For each of [`BLOCK`] placements in turn, and the next ones, their rows.
    sliced: Vec<SlicedSides>,
}

/// The rows with a queen in the left and in the right half of the board, as two numbers: the row
/// at the edge of the board is the lowest bit. The queen of the middle column is in neither.
pub(super) type Sides = [u8; 2];

/// A placement of some rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placement {
    /// The diagonals on which it crosses the line to the other strip.
    pub(super) seam: u64,
    /// Those on which it crosses the middle of the board.
    pub(super) middle: u64,
    pub(super) sides: Sides,
    /// The column of the queen in the lowest row.
    pub(super) lowest: u8,
}

/// The same of [`BLOCK`] placements: for each side and each bit of its number, which placements
/// have it.
type SlicedSides = [[u64; MOST_ROWS]; 2];

/// The rows of the largest strip, at N = 28.
const MOST_ROWS: usize = 7;

impl Placements {
    pub(super) fn clear(&mut self) {
        self.seam.clear();
        self.seam_edge.clear();
        self.middle.clear();
        self.sides.clear();
        self.lowest.clear();
        self.sliced.clear();
    }

    fn push(&mut self, Placement { seam, middle, sides, lowest }: Placement) {
        self.push_crossed(seam, middle);
        self.sides.push(sides);
        self.lowest.push(lowest);
    }

    /// Puts a placement behind the others, without what it may be sorted by.
    pub(super) fn push_crossed(&mut self, seam: u64, middle: u64) {
        self.seam.push(seam as u32);
        self.seam_edge.push((seam >> 32) as u32);
        self.middle.push(middle);
    }

    /// Puts the placements of others behind these.
    pub(super) fn append(&mut self, others: &Placements) {
        self.seam.extend_from_slice(&others.seam);
        self.seam_edge.extend_from_slice(&others.seam_edge);
        self.middle.extend_from_slice(&others.middle);
    }

    /// The number of placements, until they are closed.
    pub(super) fn len(&self) -> usize {
        self.middle.len()
    }

    /// One of them, with what it may be sorted by.
    pub(super) fn placement(&self, place: usize) -> Placement {
        let (seam, middle) = (self.seam(place), self.middle[place]);
        Placement { seam, middle, sides: self.sides[place], lowest: self.lowest[place] }
    }

    /// Some of them, which have been closed.
    pub(super) fn part(&self, range: Range<usize>) -> Part<'_> {
        Part { placements: self, range }
    }

    /// The memory taken.
    pub(super) fn bytes(&self) -> usize {
        4 * (self.seam.capacity() + self.seam_edge.capacity())
            + 8 * self.middle.capacity()
            + size_of::<Sides>() * self.sides.capacity()
            + self.lowest.capacity()
            + size_of::<SlicedSides>() * self.sliced.capacity()
    }

    fn seam(&self, place: usize) -> u64 {
        u64::from(self.seam[place]) | u64::from(self.seam_edge[place]) << 32
    }

    /// Makes the last placements part of a whole block.
    pub(super) fn close(&mut self) {
        self.seam.extend([0; BLOCK]);
        self.seam_edge.extend([0; BLOCK]);
        self.middle.extend([0; BLOCK]);
    }

    /// All of them.
    fn all(&mut self) -> Part<'_> {
        let range = 0..self.middle.len();
        self.close();
        Part { placements: self, range }
    }

    /// Gives up what they are sorted by.
    fn forget_order(&mut self) {
        self.sides = Vec::new();
        self.lowest = Vec::new();
    }

    /// Slices the rows.
    fn slice_rows(&mut self) {
        self.sliced.extend(self.sides.chunks(BLOCK).map(sliced));
        // A block may begin anywhere in one of them and end in the next.
        self.sliced.extend([[[0; MOST_ROWS]; 2]; 2]);
    }
}

/// Up to [`BLOCK`] numbers of each side, by their bits.
fn sliced(sides: &[Sides]) -> SlicedSides {
    let mut sliced = [[0; MOST_ROWS]; 2];
    for (eighth, sides) in sides.chunks(8).enumerate() {
        for (side, words) in sliced.iter_mut().enumerate() {
            let mut bytes = [0; 8];
            for (byte, sides) in bytes.iter_mut().zip(sides) {
                *byte = sides[side];
            }
            let turned = turned(u64::from_le_bytes(bytes)).to_le_bytes();
            for (word, byte) in words.iter_mut().zip(turned) {
                *word |= u64::from(byte) << (8 * eighth);
            }
        }
    }
    sliced
}

/// A square of 8 by 8 bits turned over its main diagonal, by exchanging ever larger squares.
const fn turned(square: u64) -> u64 {
    const fn exchange(square: u64, by: u32, mask: u64) -> u64 {
        let differ = (square ^ square >> by) & mask;
        square ^ differ ^ differ << by
    }
    let square = exchange(square, 7, 0x00aa_00aa_00aa_00aa);
    let square = exchange(square, 14, 0x0000_cccc_0000_cccc);
    exchange(square, 28, 0x0000_0000_f0f0_f0f0)
}

/// The number of placements of each strip that are joined at once.
pub(super) const BLOCK: usize = 64;

/// Some of the [`Placements`], which have been closed.
#[derive(Clone, Debug)]
pub(super) struct Part<'a> {
    placements: &'a Placements,
    range: Range<usize>,
}

impl<'a> Part<'a> {
    /// The placements in turn, [`BLOCK`] at a time.
    #[inline(always)]
    pub(super) fn blocks(&self) -> impl Iterator<Item = Block<'a>> + use<'a> {
        let Part { placements, ref range } = *self;
        let end = range.end;
        debug_assert!(end + BLOCK <= placements.middle.len(), "the last block is not closed");
        range.clone().step_by(BLOCK).filter_map(move |start| {
            Some(Block {
                length: (end - start).min(BLOCK),
                seam: placements.seam.get(start..)?.first_chunk()?,
                seam_edge: placements.seam_edge.get(start..)?.first_chunk()?,
                middle: placements.middle.get(start..)?.first_chunk()?,
                sliced: &placements.sliced,
                start,
            })
        })
    }
}

/// The placements of the inner strip whose rows have no smaller number than the key of the columns.
#[derive(Clone, Debug)]
pub(super) struct Inner<'a> {
    /// Those whose smaller number is larger than it.
    pub(super) above: Part<'a>,
    /// Those whose smaller number is the same: that of the left side, and that of the right one.
    pub(super) same: [Part<'a>; 2],
}

/// Up to [`BLOCK`] placements side by side; what follows them belongs to others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block<'a> {
    pub(super) length: usize,
    pub(super) seam: &'a [u32; BLOCK],
    pub(super) seam_edge: &'a [u32; BLOCK],
    pub(super) middle: &'a [u64; BLOCK],
    sliced: &'a [SlicedSides],
    /// Where the first placement stands in `sliced`.
    start: usize,
}

/// Which placements of a block have a number above another one, and which have that one, as bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Compared {
    pub(super) above: u64,
    pub(super) same: u64,
}

impl Block<'_> {
    /// Compares the rows that have their queen on one `side` with a number of `bits` bits, bit by bit
    /// from the highest one, for all placements at once. What is said of places beyond the length is
    /// of no account.
    #[inline(always)]
    pub(super) fn compare(&self, side: usize, bits: u32, number: u32) -> Compared {
        let mut compared = Compared { above: 0, same: u64::MAX };
        let sliced = self.sliced.get(self.start / BLOCK..).and_then(<[SlicedSides]>::first_chunk);
        debug_assert!(sliced.is_some(), "the rows are not sliced");
        let Some([begin, end]) = sliced else { return compared };
        let first = (self.start % BLOCK) as u32;
        for bit in (0..(bits as usize).min(MOST_ROWS)).rev() {
            let theirs = 0u64.wrapping_sub(u64::from(number >> bit & 1));
            let (begin, end) = (begin[side & 1][bit] >> first, end[side & 1][bit] << 1);
            let ours = begin | end << (BLOCK as u32 - 1 - first);
            compared.above |= compared.same & ours & !theirs;
            compared.same &= !(ours ^ theirs);
        }
        compared
    }
}

/// Some neighbouring rows of the upper half.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rows {
    pub(super) lowest: u32,
    pub(super) rows: u32,
}

impl Rows {
    /// The upper and the lower part of a strip of these rows, which are put together if there are
    /// more of them than `largest_table`; otherwise the lower one has no rows.
    fn parts(self, largest_table: u32) -> [Rows; 2] {
        let Rows { lowest, rows } = self;
        let below = Rows { lowest, rows: if rows > largest_table { rows / 2 } else { 0 } };
        [Rows { lowest: lowest + below.rows, rows: rows - below.rows }, below]
    }
}

/// All placements of some rows, by the set of columns.
#[derive(Clone, Debug)]
pub(super) struct Table {
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
        let squares: Vec<RowOfSquares> = (rows.lowest..rows.lowest + rows.rows)
            .map(|row| {
                core::array::from_fn(|column| lines.map(|line| line.crossed_by(row, column as u32)))
            })
            .collect();
        let search = Search { size, rows, squares: &squares, divided: inside.is_some() };
        // Gosper's way to the next larger number with as many bits.
        let mut set = (1u64 << rows.rows) - 1;
        for _ in 0..sets {
            let start = Crossings::default();
            table.place(search, RowBits::from_bits(set as u32), start);
            table.starts.push(table.placements.seam.len() as u32);
            let lowest = set & set.wrapping_neg();
            let carried = set + lowest;
            set = carried | ((carried ^ set) >> 2).checked_div(lowest).unwrap_or(0);
        }
        table
    }

    fn place(&mut self, search: Search<'_>, free: RowBits, above: Crossings) {
        let Some((squares, below)) = search.squares.split_last() else {
            let [inside, seam, middle] = above.crossed;
            let Crossings { sides, lowest, .. } = above;
            self.placements.push(Placement { seam, middle, sides, lowest });
            if search.divided {
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
                let mut with = above;
                with.lowest = column as u8;
                with.attacked = [sums | diagonals[0], differences | diagonals[1]];
                for (crossed, line) in with.crossed.iter_mut().zip(squares[column as usize & 31]) {
                    *crossed |= line;
                }
                if let Some(side) = side(search.size, column) {
                    with.sides[side] |= bit;
                }
                let below = Search { squares: below, ..search };
                self.place(below, free - RowBits::of(column), with);
            }
        }
    }

    /// The placements in the set of columns of this rank.
    pub(super) fn range(&self, rank: usize) -> Range<usize> {
        debug_assert!(rank + 1 < self.starts.len(), "no set of rank {rank}");
        let start = |rank: usize| self.starts.get(rank).map_or(0, |&start| start as usize);
        start(rank)..start(rank + 1)
    }

    /// Puts other placements in the place of these, of which those of each set end there.
    pub(super) fn replace(&mut self, placements: Placements, ends: &[usize]) {
        self.placements = placements;
        for (start, &end) in self.starts.iter_mut().skip(1).zip(ends) {
            *start = end as u32;
        }
    }

    /// The placements of all sets.
    pub(super) fn all(&self) -> &Placements {
        &self.placements
    }

    /// Where the placements of each set begin, by the set's rank; and the end.
    pub(super) fn starts(&self) -> &[u32] {
        &self.starts
    }

    /// All placements of a table whose rows are not sliced: the diagonals on which they cross the
    /// seam and the middle, and the rows on either side.
    pub(super) fn placements(&self) -> impl Iterator<Item = (u64, u64, Sides)> {
        let Placements { seam, seam_edge, middle, sides, .. } = &self.placements;
        let seam =
            seam.iter().zip(seam_edge).map(|(&low, &high)| u64::from(low) | u64::from(high) << 32);
        seam.zip(middle).zip(sides).map(|((seam, &middle), &sides)| (seam, middle, sides))
    }

    /// For each of them, the diagonals that cross the line inside the strip; none where it is not
    /// put together.
    pub(super) fn inside(&self) -> &[u64] {
        &self.inside
    }

    fn bytes(&self) -> usize {
        self.placements.bytes() + 8 * self.inside.capacity() + 4 * self.starts.capacity()
    }
}

/// For each column of a row, the diagonals of a queen there that cross each of three lines.
type RowOfSquares = [[u64; 3]; 32];

/// The rows in which queens are still to be placed.
#[derive(Clone, Copy)]
struct Search<'a> {
    size: Size,
    rows: Rows,
    squares: &'a [RowOfSquares],
    /// Whether the placements are part of a strip that is put together.
    divided: bool,
}

#[derive(Clone, Copy, Default)]
struct Crossings {
    /// The diagonals of the queens, of each direction.
    attacked: [u64; 2],
    crossed: [u64; 3],
    sides: Sides,
    /// The column of the last queen.
    lowest: u8,
}

/// The side of the board that a column is on, 0 or 1; `None` for the middle column of an odd
/// board.
fn side(size: Size, column: u32) -> Option<usize> {
    match 2 * column {
        twice if twice < size.last() => Some(0),
        twice if twice > size.last() => Some(1),
        _ => None,
    }
}

/// The outer or the inner rows of the upper half.
#[derive(Clone, Debug)]
pub(super) struct Strip {
    pub(super) rows: u32,
    pub(super) table: Table,
    /// For more rows than a table can hold: those below.
    rest: Option<(u32, Table)>,
}

/// With more rows a table of all placements outgrows the caches.
pub(super) const LARGEST_TABLE: u32 = 5;

/// Tables of no more bytes than this are near enough for all but the first placements of a set of
/// columns not to be fetched ahead.
pub(super) const NEAR: usize = 2 << 20;

/// So many first ones.
const FIRST: usize = 16;

impl Strip {
    /// Strips of more rows than `largest_table` are put together.
    pub(super) fn new(size: Size, rows: Rows, seam: Line, largest_table: u32) -> Strip {
        let [above, below] = rows.parts(largest_table);
        let inside = (below.rows > 0).then(|| Line::row(size, above.lowest));
        let table = Table::new(size, above, inside, seam);
        let rest = inside.map(|_| (below.rows, Table::new(size, below, inside, seam)));
        Strip { rows: rows.rows, table, rest }
    }

    /// Hands over all placements in these columns, as many as there are rows, that cross none of the
    /// `closed` diagonals of the middle, if they have to be put together. Those are left out of whose
    /// lower part, in its columns, nothing `may_count`.
    pub(super) fn put_together(
        &self,
        columns: RowBits,
        closed: u64,
        may_count: impl Fn(RowBits, Sides, u8) -> bool,
        mut push: impl FnMut(Placement),
    ) {
        if let Some((rows, rest)) = &self.rest {
            for below in subsets(columns, *rows) {
                let may_count = |sides, lowest| may_count(below, sides, lowest);
                let parts = [columns - below, below];
                put_together(&self.table, rest, parts, closed, may_count, &mut push);
            }
        }
    }

    /// The rows of the upper part, if there are two.
    pub(super) fn upper_rows(&self) -> u32 {
        self.rest.as_ref().map_or(0, |(rows, _)| self.rows - rows)
    }

    /// Whether all placements are in a table.
    pub(super) fn is_table(&self) -> bool {
        self.rest.is_none()
    }

    /// Prepares for the placements in the columns of this rank, if they are in a table: for all of
    /// them if it `is_far`, otherwise for the first ones.
    #[inline(always)]
    pub(super) fn fetch(&self, machine: impl Machine, rank: usize, is_far: bool) {
        if !self.is_table() {
            return;
        }
        let Placements { seam, seam_edge, middle, sliced, .. } = &self.table.placements;
        let all = self.table.range(rank);
        if is_far {
            machine.fetch(sliced.get(all.start / BLOCK..=all.end / BLOCK).unwrap_or_default());
            machine.fetch(seam.get(all.clone()).unwrap_or_default());
            machine.fetch(seam_edge.get(all.clone()).unwrap_or_default());
            machine.fetch(middle.get(all).unwrap_or_default());
        } else {
            let first = all.start..all.start + FIRST;
            machine.fetch(seam.get(first.start..=first.start).unwrap_or_default());
            machine.fetch(seam_edge.get(first.start..=first.start).unwrap_or_default());
            machine.fetch(middle.get(first).unwrap_or_default());
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.table.bytes() + self.rest.as_ref().map_or(0, |(_, rest)| rest.bytes())
    }
}

#[inline(always)]
fn put_together(
    upper: &Table,
    lower: &Table,
    [above, below]: [RowBits; 2],
    closed: u64,
    may_count: impl Fn(Sides, u8) -> bool,
    mut push: impl FnMut(Placement),
) {
    let (ups, downs) = (&upper.placements, &lower.placements);
    let upper_rows = above.len();
    let upper_range = upper.range(rank(above));
    for down in lower.range(rank(below)) {
        let is_open = downs.middle[down] & closed == 0;
        if !is_open || !may_count(downs.sides[down], downs.lowest[down]) {
            continue;
        }
        let [below_left, below_right] = downs.sides[down].map(|side| side << upper_rows);
        for up in upper_range.clone() {
            let attacked = upper.inside[up] & lower.inside[down] | ups.middle[up] & closed;
            if attacked == 0 {
                let [left, right] = ups.sides[up];
                let sides = [below_left | left, below_right | right];
                let seam = ups.seam(up) | downs.seam(down);
                let middle = ups.middle[up] | downs.middle[down];
                push(Placement { seam, middle, sides, lowest: downs.lowest[down] });
            }
        }
    }
}

/// The number of a placement's rows on the side with the smaller one, and that side.
fn smaller([left, right]: Sides) -> (u8, usize) {
    if left <= right { (left, 0) } else { (right, 1) }
}

/// Where the inner strip's placements stand in a table by their rows. Those of each set of columns
/// are in groups: by the smaller of the numbers of the two sides, and for each by its side.
#[derive(Clone, Debug, Default)]
struct ByRows {
    /// How many groups a set of columns may have.
    groups: usize,
    /// For each set, by its rank, where each of its groups begins.
    starts: Vec<u8>,
}

impl ByRows {
    /// Sorts the placements of a table, of strips with so many rows.
    fn sort(table: &mut Table, rows: u32) -> ByRows {
        // No row is on both sides: the smaller number does not have the highest bit.
        let groups = (1 << rows).max(2);
        let sets = table.starts.len().saturating_sub(1);
        let mut by_rows = ByRows { groups, starts: Vec::with_capacity(groups * sets) };
        let (mut order, mut sorted) = (Vec::new(), Placements::default());
        for rank in 0..sets {
            let range = table.range(rank);
            let placements = &mut table.placements;
            order.clear();
            order.extend(range.clone().map(|place| (group(placements.sides[place]), place)));
            order.sort_unstable();
            debug_assert!(order.len() <= usize::from(u8::MAX), "{} placements", order.len());
            by_rows.starts.extend(
                (0..groups).map(|group| order.partition_point(|&(other, _)| other < group) as u8),
            );
            sorted.clear();
            for &(_, place) in &order {
                sorted.push_crossed(placements.seam(place), placements.middle[place]);
            }
            placements.seam[range.clone()].copy_from_slice(&sorted.seam);
            placements.seam_edge[range.clone()].copy_from_slice(&sorted.seam_edge);
            placements.middle[range].copy_from_slice(&sorted.middle);
        }
        by_rows
    }

    /// The groups of a set of columns.
    fn of(&self, rank: usize) -> &[u8] {
        self.starts
            .get(rank * self.groups..)
            .and_then(|starts| starts.get(..self.groups))
            .unwrap_or_default()
    }
}

/// The group of a placement of the inner strip.
fn group(sides: Sides) -> usize {
    let (number, side) = smaller(sides);
    2 * usize::from(number) + side
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

/// A way to divide some columns between the two strips.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Division {
    pub(super) outer: RowBits,
    pub(super) inner: RowBits,
    /// The ranks of the two sets.
    pub(super) ranks: [u32; 2],
    /// The numbers of their members.
    members: [u32; 2],
}

/// For the outer and for the inner strip, its upper and its lower part: the number of rows and the
/// table of all placements, whose rows are not sliced. Strips of no more rows than `largest_table`
/// have a lower part without rows.
pub(super) fn part_tables(size: Size, largest_table: u32) -> [[(u32, Table); 2]; 2] {
    let (strips, seam) = strips_of(size);
    strips.map(|rows| {
        let [above, below] = rows.parts(largest_table);
        let inside = (below.rows > 0).then(|| Line::row(size, above.lowest));
        [above, below].map(|rows| (rows.rows, Table::new(size, rows, inside, seam)))
    })
}

/// The rows of the outer and of the inner strip, and the line between them.
fn strips_of(size: Size) -> ([Rows; 2], Line) {
    let half = size.get() / 2;
    // A single inner row could have its queen in the middle column of an odd board, and would
    // not tell which side has the smaller number.
    let outer_rows = if half > 2 { half / 2 } else { 0 };
    let inner = Rows { lowest: 1, rows: half - outer_rows };
    let outer = Rows { lowest: 1 + inner.rows, rows: outer_rows };
    ([outer, inner], Line::row(size, outer.lowest))
}

/// The rows of the upper half, as two strips.
#[derive(Clone, Debug)]
pub(super) struct Strips {
    /// The rows at the edge.
    outer: Strip,
    /// The rows at the middle.
    inner: Strip,
    /// The order of their table, if they are one.
    by_rows: ByRows,
    /// Whether the tables are larger than the near caches.
    is_far: bool,
}

impl Strips {
    /// The strips of a board; those of more rows than `largest_table` are put together.
    pub(super) fn with_tables(size: Size, largest_table: u32) -> Strips {
        let (strips, seam) = strips_of(size);
        let [mut outer, mut inner] = strips.map(|rows| Strip::new(size, rows, seam, largest_table));
        let mut by_rows = ByRows::default();
        if outer.is_table() {
            outer.table.placements.slice_rows();
            outer.table.placements.forget_order();
            outer.table.placements.close();
        }
        if inner.is_table() {
            by_rows = ByRows::sort(&mut inner.table, inner.rows);
            inner.table.placements.forget_order();
            inner.table.placements.close();
        }
        let mut strips = Strips { outer, inner, by_rows, is_far: false };
        strips.is_far = strips.bytes() > NEAR;
        strips
    }

    /// The rows of the outer and of the inner strip.
    pub(super) fn rows(&self) -> [u32; 2] {
        [self.outer.rows, self.inner.rows]
    }

    /// Whether both are put together from smaller tables.
    pub(super) fn are_put_together(&self) -> bool {
        !self.outer.is_table() && !self.inner.is_table()
    }

    /// All ways to divide these columns, as many as there are rows, between the strips.
    pub(super) fn divide(&self, columns: RowBits, divisions: &mut Vec<Division>) {
        divide(self.outer.rows, columns, divisions);
    }

    /// The outer strip's placements: a part of a table where possible, otherwise of `room`, and there
    /// only those that cross none of the `closed` diagonals of the middle.
    #[inline(always)]
    pub(super) fn outer<'a>(
        &'a self,
        division: &Division,
        closed: u64,
        room: &'a mut Placements,
    ) -> Part<'a> {
        if self.outer.is_table() {
            let table = &self.outer.table;
            let range = table.range(division.ranks[0] as usize);
            return Part { placements: &table.placements, range };
        }
        room.clear();
        let push = |placement| room.push(placement);
        self.outer.put_together(division.outer, closed, |_, _, _| true, push);
        room.slice_rows();
        room.all()
    }

    /// The inner strip's placements whose smaller number of rows is the `key` or above it; without a
    /// key all of them are above. They too are a part of a table where possible, otherwise of `rooms`.
    #[inline(always)]
    pub(super) fn inner<'a>(
        &'a self,
        division: &Division,
        closed: u64,
        key: Option<u32>,
        rooms: &'a mut [Placements; 3],
    ) -> Inner<'a> {
        if self.inner.is_table() {
            return self.inner_of_table(division.ranks[1] as usize, key);
        }
        rooms.iter_mut().for_each(Placements::clear);
        let [above, left, right] = rooms;
        // The rows nearest to the middle are the highest bits of the numbers.
        let least = key.unwrap_or_default() >> self.inner.upper_rows();
        let may_count = |_, sides: Sides, _| u32::from(smaller(sides).0) >= least;
        self.inner.put_together(division.inner, closed, may_count, |placement| {
            let (number, side) = smaller(placement.sides);
            let room = match key.map(|key| u32::from(number).cmp(&key)) {
                Some(Ordering::Less) => return,
                Some(Ordering::Equal) if side == 0 => &mut *left,
                Some(Ordering::Equal) => &mut *right,
                Some(Ordering::Greater) | None => &mut *above,
            };
            room.push(placement);
        });
        Inner { above: above.all(), same: [left.all(), right.all()] }
    }

    #[inline(always)]
    fn inner_of_table(&self, rank: usize, key: Option<u32>) -> Inner<'_> {
        let table = &self.inner.table;
        let (all, groups) = (table.range(rank), self.by_rows.of(rank));
        let start = |group: usize| {
            groups.get(group).map_or(all.end, |&start| all.start + usize::from(start))
        };
        let part = |range| Part { placements: &table.placements, range };
        let Some(key) = key else {
            let none = part(all.start..all.start);
            return Inner { above: part(all), same: [none.clone(), none] };
        };
        let first = 2 * key as usize;
        let [left, right, above] = [first, first + 1, first + 2].map(start);
        Inner { above: part(above..all.end), same: [part(left..right), part(right..above)] }
    }

    /// Prepares for both strips' placements, as far as they are in tables.
    #[inline(always)]
    pub(super) fn fetch(&self, machine: impl Machine, division: &Division) {
        let Strips { outer, inner, by_rows, is_far } = self;
        let [outer_rank, inner_rank] = division.ranks.map(|rank| rank as usize);
        outer.fetch(machine, outer_rank, *is_far);
        inner.fetch(machine, inner_rank, *is_far);
        if *is_far {
            machine.fetch(by_rows.of(inner_rank));
        }
    }

    /// The memory taken by the tables.
    pub(super) fn bytes(&self) -> usize {
        self.outer.bytes() + self.inner.bytes() + self.by_rows.starts.capacity()
    }
}

/// All ways to divide some columns between the strips, so many of them to the outer one.
pub(super) fn divide(outer_rows: u32, columns: RowBits, divisions: &mut Vec<Division>) {
    divisions.clear();
    let mut all = [0; 32];
    for (place, column) in all.iter_mut().zip(columns.columns()) {
        *place = column;
    }
    let all = first(&mut all, columns.len() as usize);
    // Those of the lower columns are made once, and go with all those of the higher ones in which
    // the strips have as many columns as they have rows.
    let (low, high) = all.split_at(all.len() / 2);
    let (mut lows, mut highs) = (Vec::new(), Vec::new());
    divided(low, Division::default(), &mut lows);
    for outer in 0..=low.len() as u32 {
        let members = [outer, low.len() as u32 - outer];
        divided(high, Division { members, ..Division::default() }, &mut highs);
        for high in highs.iter().filter(|high| high.members[0] == outer_rows) {
            let lows = lows.iter().filter(|low| low.members == members);
            divisions.extend(lows.map(|low| Division {
                outer: low.outer | high.outer,
                inner: low.inner | high.inner,
                ranks: [0, 1].map(|strip| low.ranks[strip] + high.ranks[strip]),
                members: high.members,
            }));
        }
    }
}

/// All ways to divide some columns between the strips, which have smaller ones already.
fn divided(columns: &[u32], before: Division, divisions: &mut Vec<Division>) {
    divisions.clear();
    divisions.reserve(1 << columns.len());
    divisions.push(before);
    for &column in columns {
        for place in 0..divisions.len() {
            let Division { outer, inner, ranks, members } = divisions[place];
            let more = [0, 1].map(|strip| binomial(column, members[strip] + 1) as u32);
            divisions.push(Division {
                outer: outer | RowBits::of(column),
                ranks: [ranks[0] + more[0], ranks[1]],
                members: [members[0] + 1, members[1]],
                inner,
            });
            divisions[place] = Division {
                inner: inner | RowBits::of(column),
                ranks: [ranks[0], ranks[1] + more[1]],
                members: [members[0], members[1] + 1],
                outer,
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{collections::BTreeSet, format};

    /// Boards, with strips from tables and put together.
    fn all_strips() -> impl Iterator<Item = (Size, Strips)> {
        let sizes = (1..=if cfg!(miri) { 6 } else { 11 }).map(|n| Size::new(n).unwrap());
        sizes.flat_map(|size| [5, 1].map(|largest| (size, Strips::with_tables(size, largest))))
    }

    /// Each choice of columns for a half, with all its divisions.
    fn divided_halves(size: Size, strips: &Strips) -> Vec<(RowBits, Vec<Division>)> {
        let halves = subsets(size.mask(), size.get() / 2);
        let with_divisions = |columns| {
            let mut divisions = Vec::new();
            strips.divide(columns, &mut divisions);
            (columns, divisions)
        };
        halves.map(with_divisions).collect()
    }

    #[test]
    fn columns_are_divided_in_every_way_once() {
        for (size, strips) in all_strips() {
            let [outer_rows, inner_rows] = strips.rows();
            for (columns, divisions) in divided_halves(size, &strips) {
                let outers: BTreeSet<_> = divisions.iter().map(|way| way.outer.bits()).collect();
                assert_eq!(outers.len(), divisions.len(), "N = {size}, {columns:?}");
                assert_eq!(outers.len() as u64, binomial(outer_rows + inner_rows, outer_rows));
                for Division { outer, inner, ranks, members } in divisions {
                    assert_eq!((outer | inner, columns - outer), (columns, inner), "N = {size}");
                    assert_eq!(ranks.map(|rank| rank as usize), [outer, inner].map(rank));
                    assert_eq!([outer, inner].map(RowBits::len), members);
                    assert_eq!(members, strips.rows());
                }
            }
        }
    }

    /// Placements in any order, as what they cross.
    fn crossed(part: &Part<'_>) -> BTreeSet<(u64, u64)> {
        let of = |block: Block<'_>, place: usize| {
            let seam = u64::from(block.seam[place]) | u64::from(block.seam_edge[place]) << 32;
            (seam, block.middle[place])
        };
        part.blocks()
            .flat_map(|block| (0..block.length).map(move |place| of(block, place)))
            .collect()
    }

    #[test]
    fn the_inner_strip_has_no_smaller_rows_than_the_key() {
        for (size, strips) in all_strips() {
            let [_, [(rows, whole), _]] = part_tables(size, u32::MAX);
            let all: Vec<_> = whole.placements().collect();
            let closed = Line::middle(size).crossed_by(0, size.get() / 2);
            let mut rooms = <[Placements; 3]>::default();
            let halves = divided_halves(size, &strips);
            for division in halves.into_iter().flat_map(|(_, divisions)| divisions).step_by(7) {
                let there = &all[whole.range(division.ranks[1] as usize)];
                for key in [None].into_iter().chain((0..=1 << rows).map(Some)) {
                    let Inner { above, same: [left, right] } =
                        strips.inner(&division, closed, key, &mut rooms);
                    // Only those that are put together leave out what is closed.
                    let expected = |wanted: &dyn Fn(u32, u32) -> bool| {
                        let is_wanted = |&&(_, middle, [left, right]): &&(u64, u64, Sides)| {
                            let is_open = strips.inner.is_table() || middle & closed == 0;
                            is_open && wanted(left.into(), right.into())
                        };
                        let wanted = there.iter().filter(is_wanted);
                        wanted.map(|&(seam, middle, _)| (seam, middle)).collect::<BTreeSet<_>>()
                    };
                    let of = format!("N = {size}, {division:?}, {key:?}");
                    let is_above =
                        |left: u32, right: u32| key.is_none_or(|key| left.min(right) > key);
                    assert_eq!(crossed(&above), expected(&is_above), "above, {of}");
                    let is_left = |left: u32, right: u32| key == Some(left) && left <= right;
                    assert_eq!(crossed(&left), expected(&is_left), "left, {of}");
                    let is_right = |left: u32, right: u32| key == Some(right) && right < left;
                    assert_eq!(crossed(&right), expected(&is_right), "right, {of}");
                }
            }
        }
    }
}
