//! A strip of rows: a table of its placements, or two from which they are put together.

use super::{
    columns::rank,
    divisions::subsets,
    line::Line,
    placements::{BLOCK, Placement, Placements, Sides},
    table::{Rows, Table},
    vector::Machine,
};
use crate::{RowBits, Size};

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
