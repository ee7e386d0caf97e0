//! What the kernels are told of a board, and of a launch.

use std::ops::Range;

use queens_core::halves::{Enter, Node, Splits, Tables};

/// Where a board's index has what, and how lists are put in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    size: u32,
    /// The ways to divide a half's columns between the strips, and those of the outer and of the
    /// inner strip between its parts.
    divisions: [u32; 3],
    /// Where the index has the divisions, and then the starts of each part.
    divisions_at: u32,
    starts_at: [u32; 4],
    insides: u32,
    outer_rows: u32,
    upper_rows: [u32; 2],
    /// Where the index has the tree of splits, and its nodes, leaves and copies of a placement.
    nodes_at: u32,
    nodes: u32,
    pub(super) leaves: u32,
    pub(super) copies: u32,
    /// The diagonals that placements of both halves may cross.
    pub diagonals: u32,
    bin_bits: u32,
}

/// What a launch of the join, or of the splits, is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Join {
    /// To know how many placements each list has, or each leaf.
    Count,
    /// To put each in its place.
    Place,
}

/// A launch, as the kernels read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Launch([u32; Launch::WORDS]);

impl Launch {
    /// The number of words in a record.
    pub const WORDS: usize = 24;

    const IS_PLACING: usize = 16;

    /// The words.
    pub fn words(&self) -> [u32; Launch::WORDS] {
        self.0
    }

    /// Whether it puts placements in their places.
    pub fn is_placing(&self) -> bool {
        self.0[Launch::IS_PLACING] != 0
    }

    /// The leaves of the splits that it looks at.
    pub fn leaves(&self) -> Range<u32> {
        let [.., first, end, _] = self.0;
        first..end
    }

    /// The workgroups that it is for: those before this number would do nothing.
    pub fn workgroups(&self) -> u32 {
        let [first, end, ..] = self.0;
        end - first
    }
}

/// What stands for the number of a leaf where a node is none.
const INNER: u32 = u32::MAX;

/// The bits of a diagonal's number in what enters a node; above them is whether it is crossed.
const DIAGONAL_BITS: u32 = 6;

impl Shape {
    /// Of a board with these tables and splits.
    pub fn new(tables: &Tables, splits: &Splits) -> Shape {
        let n = tables.size.get();
        let lengths = Shape::sections(tables).map(|section| section.len() as u32);
        let [ranks, divisions @ .., _, _, _, _] = lengths;
        let mut end = ranks + divisions.iter().sum::<u32>();
        let [.., a, b, c, d] = lengths;
        let starts_at = [a, b, c, d].map(|length| {
            let start = end;
            end += length;
            start
        });
        Shape {
            size: n,
            divisions,
            divisions_at: ranks,
            starts_at,
            insides: tables.insides,
            outer_rows: tables.rows[0],
            upper_rows: tables.upper_rows,
            nodes_at: end,
            nodes: splits.nodes().len() as u32,
            leaves: splits.leaves(),
            copies: splits.copies(),
            diagonals: tables.diagonals,
            // Lists are seven times as long for each two more columns; a bin is a tile or less.
            bin_bits: (n / 2 * 3).saturating_sub(24).clamp(2, 8),
        }
    }

    /// The words of the index: binomials, the divisions, the starts of the parts' placements, the
    /// nodes of the splits.
    pub fn index(tables: &Tables, splits: &Splits) -> Vec<u32> {
        let mut index = Shape::sections(tables).concat();
        let enter = |Enter { diagonal, crosses }| diagonal | u32::from(crosses) << DIAGONAL_BITS;
        index.extend(splits.nodes().iter().flat_map(
            |&Node { after, leaf, enter: [top, bottom] }| {
                [after, leaf.unwrap_or(INNER), enter(top), enter(bottom)]
            },
        ));
        index
    }

    fn sections(tables: &Tables) -> [&[u32]; 8] {
        let [outer, inner] = &tables.part_divisions;
        let [a, b, c, d] = &tables.starts;
        [tables.ranks.as_flattened(), &tables.divisions, outer, inner, a, b, c, d]
    }

    /// The ways to divide the columns of a half between the strips.
    pub(super) fn divisions(self) -> u32 {
        self.divisions[0]
    }

    /// The workgroups of the join for one of them.
    pub(super) fn workgroups(self) -> usize {
        self.divisions[1] as usize
    }

    /// The words of the bins of so many halves, with what stands behind them.
    pub fn bins(self, halves: usize) -> usize {
        self.leaves_of(halves, halves)
    }

    /// Where the bins of a half's leaves are, of so many halves, in words: one for each, and one more.
    pub(super) fn leaves_of(self, half: usize, halves: usize) -> usize {
        self.lost_at(halves) + 1 + half * (self.leaves as usize + 1)
    }

    /// Where the bins of so many halves end and their lengths begin, in words.
    pub(super) fn lengths_at(self, halves: usize) -> usize {
        halves * ((1 << self.bin_bits) + 2)
    }

    /// Where the number of placements without a place is, in words.
    pub(super) fn lost_at(self, halves: usize) -> usize {
        self.lengths_at(halves) + 2 * halves
    }

    /// How many elements there is to be room for, for each one of a list.
    pub(super) fn with_copies(self) -> u64 {
        if self.leaves == 0 { 1 } else { 1 + u64::from(self.copies) }
    }

    /// A launch of these workgroups, of so many halves in all.
    pub(super) fn launch(self, workgroups: Range<usize>, halves: usize, join: Join) -> Launch {
        self.launch_on(workgroups, halves, join, 0..0)
    }

    /// A launch that looks at these leaves only.
    pub(super) fn launch_on(
        self,
        workgroups: Range<usize>,
        halves: usize,
        join: Join,
        leaves: Range<u32>,
    ) -> Launch {
        let [divisions, outer_divisions, inner_divisions] = self.divisions;
        let [outer_upper, outer_lower, inner_upper, inner_lower] = self.starts_at;
        Launch([
            workgroups.start as u32,
            workgroups.end as u32,
            self.divisions_at,
            divisions,
            outer_divisions,
            inner_divisions,
            outer_upper,
            outer_lower,
            inner_upper,
            inner_lower,
            self.insides,
            self.outer_rows,
            self.upper_rows[0],
            self.upper_rows[1],
            self.diagonals,
            self.bin_bits,
            u32::from(join == Join::Place),
            halves as u32,
            self.nodes_at,
            self.nodes,
            self.leaves,
            leaves.start,
            leaves.end,
            u32::from(!leaves.is_empty()),
        ])
    }
}
