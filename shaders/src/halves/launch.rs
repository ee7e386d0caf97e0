//! The layout of a board's tables and bins, and the parameters of a kernel launch.

use std::ops::Range;

use queens_core::halves::{Enter, Node, Splits, Tables};

/// The constants of a board that the kernels need, most of them offsets in its
/// [index](Shape::index).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    size: u32,
    /// The numbers of column partitions: of a half between its strips, of the outer strip between its
    /// parts, and of the inner strip between its parts.
    divisions: [u32; 3],
    /// The offset of these partitions in the index.
    divisions_at: u32,
    /// The offsets of [`Tables::starts`] in the index.
    starts_at: [u32; 4],
    /// The value of [`Tables::insides`].
    insides: u32,
    /// The number of rows of the outer strip.
    outer_rows: u32,
    /// The value of [`Tables::upper_rows`].
    upper_rows: [u32; 2],
    /// The offset of the split tree's nodes in the index.
    nodes_at: u32,
    /// The numbers of the tree's nodes and leaves.
    nodes: u32,
    pub(super) leaves: u32,
    /// The value of [`Splits::copies`].
    pub(super) copies: u32,
    /// The number of diagonals that placements of both halves may cross.
    pub diagonals: u32,
    /// The number of central diagonals by which placements are sorted into bins.
    bin_bits: u32,
}

/// A pass of the join or split kernel over its placements. Each of the two kernels runs twice: once to
/// count and, when the positions are known, once to write. The other kernels ignore the pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pass {
    /// Count the placements of each list or leaf.
    Count,
    /// Write each placement to its position.
    Place,
}

/// The parameters of a launch, as the record that the kernels read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Launch([u32; Launch::WORDS]);

impl Launch {
    /// The number of words in the record.
    pub const WORDS: usize = 24;

    const IS_PLACING: usize = 16;

    /// Returns the words of the record.
    pub fn words(&self) -> [u32; Launch::WORDS] {
        self.0
    }

    /// Returns whether the launch writes placements to their positions.
    pub fn is_placing(&self) -> bool {
        self.0[Launch::IS_PLACING] != 0
    }

    /// Returns the leaves that the launch processes.
    pub fn leaves(&self) -> Range<u32> {
        let [.., first, end, _] = self.0;
        first..end
    }

    /// Returns the number of workgroups to launch. The kernels number them starting at the first
    /// workgroup of the range, not at 0.
    pub fn workgroups(&self) -> u32 {
        let [first, end, ..] = self.0;
        end - first
    }
}

/// The leaf number of a node that is not a leaf.
const INNER: u32 = u32::MAX;

/// The number of bits for the diagonal in an [`Enter`] condition. The next bit is set if placements
/// must cross it.
const DIAGONAL_BITS: u32 = 6;

impl Shape {
    /// Computes the layout for a board with these tables and splits.
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
            // Lists get about seven times as long with every two columns. With these bits, a bin
            // has at most about as many placements as a tile.
            bin_bits: (n / 2 * 3).saturating_sub(24).clamp(2, 8),
        }
    }

    /// Builds the index: the ranks of columns, the partitions, the starts of the parts' placements,
    /// and the nodes of the split tree.
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

    /// Returns the sections of the index before the split tree's nodes.
    fn sections(tables: &Tables) -> [&[u32]; 8] {
        let [outer, inner] = &tables.part_divisions;
        let [a, b, c, d] = &tables.starts;
        [tables.ranks.as_flattened(), &tables.divisions, outer, inner, a, b, c, d]
    }

    /// Returns the number of partitions of a half's columns between the strips.
    pub(super) fn divisions(self) -> u32 {
        self.divisions[0]
    }

    /// Returns the number of workgroups that join one partition.
    pub(super) fn workgroups(self) -> usize {
        self.divisions[1] as usize
    }

    /// Returns the number of words of the bins for `halves` halves, including everything stored
    /// behind them.
    pub fn bins(self, halves: usize) -> usize {
        self.leaves_of(halves, halves)
    }

    /// Returns the index of the first word of a half's leaf bins, among those of `halves` halves.
    /// Each half has a word for each leaf and one for the end of the last leaf.
    pub(super) fn leaves_of(self, half: usize, halves: usize) -> usize {
        self.lost_at(halves) + 1 + half * (self.leaves as usize + 1)
    }

    /// Returns the index of the first word behind the bins of `halves` halves, where the lengths of
    /// their lists start.
    pub(super) fn lengths_at(self, halves: usize) -> usize {
        halves * ((1 << self.bin_bits) + 2)
    }

    /// Returns the index of the word that counts placements beyond the end of their list.
    pub(super) fn lost_at(self, halves: usize) -> usize {
        self.lengths_at(halves) + 2 * halves
    }

    /// Returns the number of elements to allocate for each element of a list: itself and its copies
    /// in the leaves.
    pub(super) fn with_copies(self) -> u64 {
        if self.leaves == 0 { 1 } else { 1 + u64::from(self.copies) }
    }

    /// Returns the parameters of a launch of these workgroups, for `halves` halves in all.
    pub(super) fn launch(self, workgroups: Range<usize>, halves: usize, pass: Pass) -> Launch {
        self.launch_on(workgroups, halves, pass, 0..0)
    }

    /// Returns the parameters of a launch that processes only these leaves.
    pub(super) fn launch_on(
        self,
        workgroups: Range<usize>,
        halves: usize,
        pass: Pass,
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
            u32::from(pass == Pass::Place),
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
