//! A strip of rows: a table of its placements, or two from which they are put together.

use super::{
    columns::rank,
    divisions::subsets,
    joining::{apart, open},
    line::Line,
    placements::{BLOCK, Block, Placement, Placements},
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

/// The rows of the upper part of a strip that is put together, if the lower one has no more than it and
/// at least one.
const UPPER_ROWS: u32 = 4;

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
        if rows.rows <= largest_table {
            let table = Table::new(size, rows, None, seam);
            return Strip { rows: rows.rows, table, rest: None };
        }
        // The upper part's placements in some columns fill a vector of AVX-512.
        let below = rows.rows.saturating_sub(UPPER_ROWS).min(rows.rows / 2).max(1);
        let [above, below] = rows.divide(below);
        let inside = Some(Line::row(size, above.lowest));
        let mut table = Table::new(size, above, inside, seam);
        table.placements.slice_rows();
        table.placements.close();
        let rest = Table::new(size, below, inside, seam);
        Strip { rows: rows.rows, table, rest: Some((below.rows, rest)) }
    }

    /// Hands over all placements in these columns, as many as there are rows, that cross none of the
    /// `closed` diagonals of the middle and whose lower part may count, if they have to be put together.
    #[inline(always)]
    pub(super) fn put_together<M: Machine>(
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
                // The loops the other way round, with what is open found once, took 3 % longer at N = 22.
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

/// A placement of a strip's lower part.
#[derive(Clone, Copy)]
pub(super) struct Below {
    pub(super) columns: RowBits,
    /// Its rows' bits are those of the whole strip.
    pub(super) placement: Placement,
}

/// Takes what is put together.
pub(super) trait Unite {
    /// Whether a placement of the lower part alone, in these columns, may become one that is wanted. Its
    /// rows' bits are those of the lower part.
    fn may_count(&self, columns: RowBits, placement: Placement) -> bool;

    /// Takes the `chosen` placements of a block of the upper part, all with the same one below.
    fn unite<M: Machine>(&mut self, machine: M, above: Block<'_>, chosen: u64, below: Below);
}
