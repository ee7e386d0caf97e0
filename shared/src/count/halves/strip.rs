//! Placements of a strip of rows, from one table or joined from two.

use super::{
    column_partitions::subsets,
    columns::rank,
    joining::{apart, open},
    line::Seam,
    placements::{BLOCK, Block, Placement, Placements},
    table::{Rows, Table},
    vector::SimdIsa,
};
use crate::{RowBits, Size};

/// The outer or the inner rows of the upper half.
#[derive(Clone, Debug)]
pub(super) struct Strip {
    pub(super) rows: u32,
    pub(super) table: Table,
    /// The lower part, if the strip has more rows than a table can hold: its number of rows and its
    /// table.
    rest: Option<(u32, Table)>,
}

/// Number of rows in the upper part of a joined strip of 5 to 8 rows. A shorter strip has fewer, so
/// that the lower part gets one row; a longer strip has more, so that the lower part is not the
/// larger one.
const UPPER_ROWS: u32 = 4;

/// Largest number of rows of a table. With more, a table of all placements outgrows the caches.
pub(super) const LARGEST_TABLE: u32 = 5;

/// Upper limit for tables that count as near, in bytes. For near tables, prefetching the first
/// placements of a column set is enough.
pub(super) const NEAR: usize = 2 << 20;

/// Number of placements that are prefetched from near tables.
const FIRST: usize = 16;

impl Strip {
    /// Builds a strip. If it has more rows than `largest_table`, its placements are joined from two
    /// tables.
    pub(super) fn new(size: Size, rows: Rows, seam: Seam, largest_table: u32) -> Strip {
        if rows.rows <= largest_table {
            let table = Table::new(size, rows, None, seam);
            return Strip { rows: rows.rows, table, rest: None };
        }
        // With `UPPER_ROWS` rows, the upper part's placements in one column set fill an AVX-512
        // vector.
        let below = rows.rows.saturating_sub(UPPER_ROWS).min(rows.rows / 2).max(1);
        let [above, below] = rows.divide(below);
        let inside = Some(Seam::row(size, above.lowest));
        let mut table = Table::new(size, above, inside, seam);
        table.placements.slice_rows();
        table.placements.close();
        let rest = Table::new(size, below, inside, seam);
        Strip { rows: rows.rows, table, rest: Some((below.rows, rest)) }
    }

    /// Joins the placements in these columns, one for each row, and passes them to `to`. Placements
    /// that cross a `closed` middle diagonal are left out, and so are those whose lower part is
    /// rejected by [`Unite::may_count`]. Does nothing if all placements are in one table.
    #[inline(always)]
    pub(super) fn put_together<M: SimdIsa>(
        &self,
        machine: M,
        columns: RowBits,
        closed: u64,
        to: &mut impl Unite,
    ) {
        let Some((rows, rest)) = &self.rest else { return };
        for below_columns in subsets(columns, *rows) {
            let above_columns = columns - below_columns;
            let above = self.table.part(rank(above_columns));
            for place in rest.range(rank(below_columns)) {
                let mut below = rest.placements.placement(place);
                if below.middle & closed != 0 || !to.may_count(below_columns, below) {
                    continue;
                }
                below.sides = below.sides.map(|side| side << above_columns.len());
                // Swapping the two loops, so that open placements are found only once, took 3 %
                // longer at N = 22.
                for above in above.blocks() {
                    let inside = self.table.inside_of(above);
                    let apart = apart(machine, inside, above.length, rest.inside[place]);
                    let chosen = apart & open(machine, above, closed);
                    let below = Below { columns: below_columns, placement: below };
                    to.unite(machine, above, chosen, below);
                }
            }
        }
    }

    /// Returns the number of rows in the upper part, or 0 if there is only one part.
    pub(super) fn upper_rows(&self) -> u32 {
        self.rest.as_ref().map_or(0, |(rows, _)| self.rows - rows)
    }

    /// Returns whether all placements are in one table.
    pub(super) fn is_table(&self) -> bool {
        self.rest.is_none()
    }

    /// Prefetches the placements of the column set with this rank if they are in one table: all of
    /// them if the table `is_far`, otherwise the first ones.
    #[inline(always)]
    pub(super) fn fetch(&self, machine: impl SimdIsa, rank: usize, is_far: bool) {
        if !self.is_table() {
            return;
        }
        let Placements { seam, seam_edge, middle, sliced, .. } = &self.table.placements;
        let all = self.table.range(rank);
        if is_far {
            machine.prefetch(sliced.get(all.start / BLOCK..=all.end / BLOCK).unwrap_or_default());
            machine.prefetch(seam.get(all.clone()).unwrap_or_default());
            machine.prefetch(seam_edge.get(all.clone()).unwrap_or_default());
            machine.prefetch(middle.get(all).unwrap_or_default());
        } else {
            let first = all.start..all.start + FIRST;
            machine.prefetch(seam.get(first.start..=first.start).unwrap_or_default());
            machine.prefetch(seam_edge.get(first.start..=first.start).unwrap_or_default());
            machine.prefetch(middle.get(first).unwrap_or_default());
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.table.bytes() + self.rest.as_ref().map_or(0, |(_, rest)| rest.bytes())
    }
}

/// A placement of a strip's lower part.
#[derive(Clone, Copy)]
pub(super) struct Below {
    pub(super) columns: RowBits,
    /// Its `sides` have one bit for each row of the whole strip.
    pub(super) placement: Placement,
}

/// Receives the placements of a strip that is joined from two parts.
pub(super) trait Unite {
    /// Returns whether a placement of the lower part, in these columns, can become a placement that
    /// counts. Its `sides` have one bit for each row of the lower part only.
    fn may_count(&self, columns: RowBits, placement: Placement) -> bool;

    /// Receives the `chosen` placements of a block of the upper part, all joined with the same
    /// lower placement.
    fn unite<M: SimdIsa>(&mut self, machine: M, above: Block<'_>, chosen: u64, below: Below);
}
