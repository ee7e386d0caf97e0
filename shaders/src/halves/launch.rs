//! What the kernels are told of a board, and of a launch.

use std::ops::Range;

use queens_core::halves::Tables;

/// Where a board's index has what, and how lists are put in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    size: u32,
    divisions: u32,
    starts: [u32; 2],
    outer_rows: u32,
    /// The diagonals that placements of both halves may cross.
    pub diagonals: u32,
    bin_bits: u32,
}

/// What a launch of the join is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Join {
    /// To know how many placements each list has.
    Count,
    /// To put each in its place.
    Place,
}

/// A launch, as the kernels read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Launch([u32; Launch::WORDS]);

impl Launch {
    /// The number of words in a record.
    pub const WORDS: usize = 12;

    /// The words.
    pub fn words(&self) -> [u32; Launch::WORDS] {
        self.0
    }

    /// The workgroups that it is for: those before this number would do nothing.
    pub fn workgroups(&self) -> u32 {
        let [first, end, ..] = self.0;
        end - first
    }
}

impl Shape {
    /// Of a board with these tables.
    pub fn new(tables: &Tables) -> Shape {
        let n = tables.size.get();
        let ranks = tables.ranks.as_flattened().len() as u32;
        let divisions = tables.divisions.len() as u32;
        let outer = ranks + divisions;
        Shape {
            size: n,
            divisions,
            starts: [outer, outer + tables.starts[0].len() as u32],
            outer_rows: tables.rows[0],
            diagonals: tables.diagonals,
            // Lists are seven times as long for each two more columns; a bin is a tile or less.
            bin_bits: (n / 2 * 3).saturating_sub(24).clamp(2, 8),
        }
    }

    /// The words of the index: binomials, the divisions, the strips' starts.
    pub fn index(tables: &Tables) -> Vec<u32> {
        let [outer, inner] = &tables.starts;
        [tables.ranks.as_flattened(), &tables.divisions, outer, inner].concat()
    }

    /// The ways to divide the columns of a half, each of which is a workgroup of the join.
    pub fn divisions(self) -> usize {
        self.divisions as usize
    }

    /// The words of the bins of so many halves, with what stands behind them.
    pub fn bins(self, halves: usize) -> usize {
        self.lost_at(halves) + 1
    }

    /// Where the bins of so many halves end and their lengths begin, in words.
    pub(super) fn lengths_at(self, halves: usize) -> usize {
        halves * ((1 << self.bin_bits) + 2)
    }

    /// Where the number of placements without a place is, in words.
    pub(super) fn lost_at(self, halves: usize) -> usize {
        self.lengths_at(halves) + 2 * halves
    }

    /// A launch of these workgroups, of so many halves in all.
    pub(super) fn launch(self, workgroups: Range<usize>, halves: usize, join: Join) -> Launch {
        let Shape { divisions, starts, outer_rows, diagonals, bin_bits, .. } = self;
        let (first, end) = (workgroups.start as u32, workgroups.end as u32);
        let ranks = starts[0] - divisions;
        let is_placing = u32::from(join == Join::Place);
        Launch([
            first,
            end,
            ranks,
            divisions,
            starts[0],
            starts[1],
            outer_rows,
            diagonals,
            bin_bits,
            is_placing,
            halves as u32,
            0,
        ])
    }
}
