//! A strip of rows: its placements are in one table or, for many rows, joined from two.

use super::{
    column_partitions::subsets,
    columns::rank,
    joining::{allowed, disjoint},
    line::{NarrowDiagonals, Seam},
    placements::{BLOCK, Block, Placement, Placements},
    table::{Rows, Table},
    vector::SimdIsa,
};
use crate::{RowBits, Size};

/// The outer or the inner strip of the upper half, with the tables of its placements.
///
/// A strip with too many rows for one table has two parts: the upper one, nearer to the board's
/// edge, and the lower one.
#[derive(Clone, Debug)]
pub(super) struct Strip {
    pub(super) rows: u32,
    /// The table of the whole strip or, if it has two parts, of the upper part.
    pub(super) table: Table,
    /// The lower part, if there are two: its number of rows and its table.
    lower: Option<(u32, Table)>,
}

/// Number of rows in the upper part of a strip of 5 to 8 rows with two parts. In a shorter strip, the
/// upper part has all rows but one; in a longer strip, half of the rows, rounded up.
const UPPER_ROWS: u32 = 4;

/// Largest number of rows of a table. A table of all placements of more rows outgrows the caches.
pub(super) const LARGEST_TABLE: u32 = 5;

/// Maximum size in bytes of tables that probably stay in the level 2 cache. For them, prefetching
/// the first placements of a column set is enough.
pub(super) const CACHED_TABLE_BYTES: usize = 2 << 20;

/// Number of placements that are prefetched from tables of at most [`CACHED_TABLE_BYTES`] bytes.
const PREFETCHED_PLACEMENTS: usize = 16;

impl Strip {
    /// Builds a strip. If it has more rows than `max_single_table_rows`, its placements are joined
    /// from two tables.
    pub(super) fn new(size: Size, rows: Rows, seam: Seam, max_single_table_rows: u32) -> Strip {
        if rows.rows <= max_single_table_rows {
            let table = Table::new(size, rows, None, seam);
            return Strip { rows: rows.rows, table, lower: None };
        }
        // With `UPPER_ROWS` rows, the upper part's placements in one column set about fill an AVX-512
        // vector.
        let below = rows.rows.saturating_sub(UPPER_ROWS).min(rows.rows / 2).max(1);
        let [above, below] = rows.divide(below);
        let inside = Some(Seam::row(size, above.lowest));
        let mut table = Table::new(size, above, inside, seam);
        table.placements.slice_rows();
        table.placements.pad();
        let lower = Table::new(size, below, inside, seam);
        Strip { rows: rows.rows, table, lower: Some((below.rows, lower)) }
    }

    /// Adds the narrow middle diagonals of all placements, which must be in one table.
    pub(super) fn encode_narrow(&mut self, size: Size, diagonals: NarrowDiagonals) {
        debug_assert!(self.is_table(), "joined placements have no narrow diagonals");
        self.table.encode_narrow(size, self.rows, diagonals);
    }

    /// Joins the placements of the two parts in these columns, one column for each row, and passes
    /// the results to `to`. Leaves out placements that cross a `forbidden` middle diagonal, and those
    /// whose lower part [`JoinSink::may_count`] rejects. Does nothing if all placements are in one
    /// table.
    #[inline(always)]
    pub(super) fn join_parts<M: SimdIsa>(
        &self,
        machine: M,
        columns: RowBits,
        forbidden: u64,
        to: &mut impl JoinSink,
    ) {
        let Some((rows, lower)) = &self.lower else { return };
        for below_columns in subsets(columns, *rows) {
            let above_columns = columns - below_columns;
            let above = self.table.part(rank(above_columns));
            for index in lower.range(rank(below_columns)) {
                let mut below = lower.placements.placement(index);
                if below.middle & forbidden != 0 || !to.may_count(below_columns, below) {
                    continue;
                }
                below.sides = below.sides.map(|side| side << above_columns.len());
                // With the upper part in the outer loop, `allowed` would be called only once for each
                // block, but counts took 3 % longer at N = 22.
                for above in above.blocks() {
                    let inside = self.table.inside_of(above);
                    let disjoint = disjoint(machine, inside, above.length, lower.inside[index]);
                    let selected = disjoint & allowed(machine, above, forbidden);
                    let below = LowerPlacement { columns: below_columns, placement: below };
                    to.add(machine, above, selected, below);
                }
            }
        }
    }

    /// Returns the number of rows in the upper part, or 0 if there is only one part.
    pub(super) fn upper_rows(&self) -> u32 {
        self.lower.as_ref().map_or(0, |(rows, _)| self.rows - rows)
    }

    /// Returns whether all placements are in one table.
    pub(super) fn is_table(&self) -> bool {
        self.lower.is_none()
    }

    /// Prefetches the placements of the column set with this rank if they are in one table: all of
    /// them if `exceeds_cache` (the tables exceed [`CACHED_TABLE_BYTES`]), otherwise only the first
    /// ones.
    #[inline(always)]
    pub(super) fn prefetch(&self, machine: impl SimdIsa, rank: usize, exceeds_cache: bool) {
        if !self.is_table() {
            return;
        }
        let Placements { seam, seam_edge, middle, narrow, sliced, .. } = &self.table.placements;
        let all = self.table.range(rank);
        if exceeds_cache {
            machine.prefetch(sliced.get(all.start / BLOCK..=all.end / BLOCK).unwrap_or_default());
            machine.prefetch(seam.get(all.clone()).unwrap_or_default());
            machine.prefetch(seam_edge.get(all.clone()).unwrap_or_default());
            if narrow.is_empty() {
                machine.prefetch(middle.get(all).unwrap_or_default());
            } else {
                machine.prefetch(narrow.get(all).unwrap_or_default());
            }
        } else {
            let first = all.start..all.start + PREFETCHED_PLACEMENTS;
            machine.prefetch(seam.get(first.start..=first.start).unwrap_or_default());
            machine.prefetch(seam_edge.get(first.start..=first.start).unwrap_or_default());
            if narrow.is_empty() {
                machine.prefetch(middle.get(first).unwrap_or_default());
            } else {
                machine.prefetch(narrow.get(first).unwrap_or_default());
            }
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.table.bytes() + self.lower.as_ref().map_or(0, |(_, lower)| lower.bytes())
    }
}

/// A placement of a strip's lower part.
#[derive(Clone, Copy)]
pub(super) struct LowerPlacement {
    pub(super) columns: RowBits,
    /// The placement. Its `sides` are shifted to their place in the row numbers of the whole strip.
    pub(super) placement: Placement,
}

/// Receives the placements of a strip that is joined from two parts.
pub(super) trait JoinSink {
    /// Returns whether a placement of the lower part, in these columns, can be part of a placement
    /// of the strip that counts. Its `sides` have bits for the rows of the lower part only.
    fn may_count(&self, columns: RowBits, placement: Placement) -> bool;

    /// Adds the `selected` placements of a block of the upper part, each joined with the same lower
    /// placement.
    fn add<M: SimdIsa>(
        &mut self,
        machine: M,
        upper: Block<'_>,
        selected: u64,
        lower: LowerPlacement,
    );
}
