//! Programs: all placements of the walked board, as flat lists for the kernel.

use alloc::vec::Vec;
use core::ops::Range;

use super::{
    boards::{Board, members},
    vector::{ByteIsa, Bytes as _, HotLoop},
};
use crate::Size;

/// How a walk over the placements of a number of queens is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    /// The number of first queens, called the *root*, for which the lanes are rebuilt.
    pub(super) root: usize,
    /// The number of further queens after which the walk tests for empty lanes.
    pub(super) tested: usize,
    /// The number of last queens that are looked up together, at most 2.
    pub(super) last: usize,
}

/// The limits of the fields of a [leaf](Placements::leaves).
pub(super) const MAX_PREFIXES: usize = 1 << 12;
pub(super) const MAX_LAST: usize = 1 << 8;
pub(super) const MAX_ROWS: usize = 1 << 12;

impl Shape {
    /// The maximum number of queens that are tested for empty lanes.
    const MAX_TESTED: usize = 12;

    /// Returns the fastest shape for a walk of `queens`, found by measurement.
    pub(super) fn of(size: Size, queens: u32) -> Shape {
        let queens = queens as usize;
        let table: &[(usize, usize)] = match size.get() {
            ..=16 => &[(0, 0)],
            17..=18 => &[(0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (1, 1)],
            19 => &[(0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (1, 0), (1, 1), (2, 1)],
            20 => &[(1, 0), (1, 0), (1, 0), (1, 0), (1, 0), (1, 0), (1, 1), (2, 1)],
            21..=24 => {
                &[(0, 0), (1, 0), (1, 0), (1, 0), (1, 0), (1, 1), (1, 1), (2, 0), (2, 1), (3, 1)]
            }
            _ => &[(0, 0), (1, 0), (1, 0), (1, 0), (1, 0), (1, 1), (1, 1), (3, 1)],
        };
        let of_queens = table.get(queens).or(table.last());
        let (root, tested) = of_queens.copied().unwrap_or_default();
        let last = queens.min(2);
        let root = root.min(queens - last);
        // The prefixes of one segment must fit into their field.
        let columns = size.get().div_ceil(2) as usize;
        let fitting = (0..queens).find(|&tested| {
            let walked = (root + tested..queens - last).map(|queen| columns.saturating_sub(queen));
            let all = walked.scan(1, |number, free| {
                *number *= free.max(1);
                Some(*number)
            });
            all.sum::<usize>() < MAX_PREFIXES
        });
        let tested = tested.max(fitting.unwrap_or(0)).min(queens - last - root);
        Shape { root, tested: tested.min(Self::MAX_TESTED), last }
    }
}

/// The number of a square in lists of squares: 0 for none, then row by row.
pub(super) const fn square(board: Board, row: u32, column: u32) -> u8 {
    (1 + row * board.columns + column) as u8
}

/// The placements of one set of rows as lists that are read from front to back.
#[derive(Clone, Debug, Default)]
pub(super) struct Program {
    placements: Placements,
    pub(super) prefixes: Vec<Prefix>,
    /// The squares of the last queens.
    pub(super) last: Vec<[u8; 2]>,
}

/// All placements of a program, or those with some sets of columns.
#[derive(Clone, Debug, Default)]
struct Placements {
    /// The roots with at least one placement, in ascending order.
    roots: Vec<Root>,
    segments: Vec<Segment>,
    /// The placements: 12 bits for the prefix, 8 bits for the last queens, and 12 bits for the number
    /// of the columns.
    leaves: Vec<u32>,
}

impl Placements {
    /// The memory of the lists in bytes.
    fn bytes(&self) -> usize {
        self.leaves.capacity() * size_of::<u32>()
            + self.segments.capacity() * size_of::<Segment>()
            + self.roots.capacity() * size_of::<Root>()
    }
}

/// The placements that begin with the same queens.
#[derive(Clone, Debug)]
pub(super) struct Root {
    /// The number of the root among all placements of the first queens.
    pub(super) number: usize,
    pub(super) segments: Range<usize>,
}

/// The placements of a root that have the same tested queens.
#[derive(Clone, Debug)]
pub(super) struct Segment {
    /// The squares of the tested queens, and 0 for none.
    pub(super) tested: [u8; Shape::MAX_TESTED],
    prefixes: Range<u32>,
    leaves: Range<u32>,
}

impl Segment {
    /// Its prefixes in the list of a program.
    pub(super) fn prefixes(&self) -> Range<usize> {
        self.prefixes.start as usize..self.prefixes.end as usize
    }

    /// Its placements in the list of leaves.
    pub(super) fn leaves(&self) -> Range<usize> {
        self.leaves.start as usize..self.leaves.end as usize
    }
}

/// The queens of a segment before the last ones: another prefix and one more queen. Prefix 0 has no
/// queens; the first one in the list is prefix 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prefix {
    pub(super) parent: u16,
    pub(super) square: u8,
}

impl Program {
    /// Lists the placements with a queen in each of the `rows`. `number_of` numbers the sets of columns,
    /// with [`NO_NUMBER`] for those that are not listed. Memory is reserved for `expected` placements.
    pub(super) fn new(
        board: Board,
        rows: &[u32],
        shape: Shape,
        number_of: &[u16],
        expected: usize,
    ) -> Program {
        let mut program = Program::default();
        program.placements.leaves.reserve(expected + expected / 8);
        program.prefixes.reserve(expected / 2);
        let last = &mut program.last;
        let mut numbers = [0; 256];
        let (walked, end) = rows.split_at(rows.len() - shape.last.min(rows.len()));
        match *end {
            [] => last.push([0; 2]),
            [row] => last.extend((0..board.columns).map(|column| [square(board, row, column), 0])),
            [above, below, ..] => {
                let pairs = (0..board.columns).flat_map(|first| {
                    let free = board.free(below, 1 << first, board.lines(above, first));
                    members(free).map(move |second| (first, second))
                });
                for (first, second) in pairs {
                    if let Some(number) = numbers.get_mut((first << 4 | second) as usize) {
                        *number = last.len() as u32;
                    }
                    last.push([square(board, above, first), square(board, below, second)]);
                }
            }
        }
        debug_assert!(last.len() <= MAX_LAST, "{} last queens", last.len());
        let mut writer = Writer {
            board,
            walked,
            end,
            shape,
            number_of,
            numbers,
            tested: [0; Shape::MAX_TESTED],
            number_of_roots: 0,
            segment: 0,
            program: &mut program,
        };
        writer.descend(0, 0, 0);
        program.placements.leaves.shrink_to_fit();
        program.placements.segments.shrink_to_fit();
        program.prefixes.shrink_to_fit();
        program
    }

    /// The memory of the lists in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.placements.bytes() + self.prefixes.capacity() * size_of::<Prefix>()
    }
}

/// A program with a selection of its placements: those whose columns are counted, and few others.
#[derive(Debug)]
pub(super) struct Selection {
    pub(super) program: Program,
    /// The numbers of columns of the program.
    all: Range<u16>,
    /// The selected numbers of columns.
    numbers: Range<u16>,
    /// The selected placements, unless all are selected.
    selected: Placements,
}

impl Selection {
    /// Selects all placements of a program, whose sets of columns have the numbers `all`.
    pub(super) fn new(program: Program, all: Range<u16>) -> Selection {
        Selection { program, numbers: all.clone(), all, selected: Placements::default() }
    }

    /// Whether the program has exactly the sets of columns with these numbers.
    pub(super) fn is_of(&self, numbers: &Range<u16>) -> bool {
        self.all == *numbers
    }

    /// Selects the placements whose columns have a number in `numbers`. A previous selection that has
    /// hardly more is kept, because selecting takes time, too.
    pub(super) fn select<M: ByteIsa>(&mut self, isa: M, numbers: &Range<u16>) {
        let (has, wanted) = (&self.numbers, numbers);
        let is_part = has.start <= wanted.start && wanted.end <= has.end;
        if is_part && has.len() * 31 / 32 <= wanted.len() {
            return;
        }
        self.numbers = numbers.clone();
        if *numbers == self.all {
            return;
        }
        let Placements { roots, segments, leaves } = &mut self.selected;
        let from = &self.program.placements;
        roots.clear();
        segments.clear();
        if leaves.len() < from.leaves.len() {
            leaves.resize(from.leaves.len(), 0);
        }
        let mut end = 0;
        for root in &from.roots {
            let first = segments.len();
            for segment in from.segments.get(root.segments.clone()).unwrap_or_default() {
                let from = from.leaves.get(segment.leaves()).unwrap_or_default();
                let to = leaves.get_mut(end..).unwrap_or_default();
                let start = end;
                end += isa.run(SelectLeaves { leaves: from, numbers, to });
                if end > start {
                    let leaves = start as u32..end as u32;
                    segments.push(Segment { leaves, ..segment.clone() });
                }
            }
            let segments = first..segments.len();
            if !segments.is_empty() {
                roots.push(Root { number: root.number, segments });
            }
        }
    }

    fn placements(&self) -> &Placements {
        if self.numbers == self.all { &self.program.placements } else { &self.selected }
    }

    /// The segments, and the leaves.
    pub(super) fn lists(&self) -> (&[Segment], &[u32]) {
        let Placements { segments, leaves, .. } = self.placements();
        (segments, leaves)
    }

    /// The roots with numbers in this range.
    pub(super) fn roots(&self, numbers: Range<usize>) -> &[Root] {
        let roots = &self.placements().roots;
        let [start, end] = [numbers.start, numbers.end]
            .map(|number| roots.partition_point(|root| root.number < number));
        roots.get(start..end).unwrap_or_default()
    }

    /// Marks the roots that have placements.
    pub(super) fn mark_roots(&self, is_needed: &mut [bool]) {
        for root in &self.placements().roots {
            if let Some(is_needed) = is_needed.get_mut(root.number) {
                *is_needed = true;
            }
        }
    }

    /// The memory of the lists in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.program.bytes() + self.selected.bytes()
    }
}

/// Copies the leaves whose columns have a number in `numbers` to the front of a list that is at least as
/// long.
struct SelectLeaves<'a> {
    leaves: &'a [u32],
    numbers: &'a Range<u16>,
    to: &'a mut [u32],
}

impl<M: ByteIsa> HotLoop<M> for SelectLeaves<'_> {
    type Output = usize;

    #[inline(always)]
    fn run(self, isa: M) -> usize {
        let SelectLeaves { leaves, numbers, to } = self;
        let (least, amount) = (numbers.start.into(), numbers.len() as u32);
        M::Bytes::select(isa, leaves, least, amount, to)
    }
}

/// The number of columns that are not counted.
pub(super) const NO_NUMBER: u16 = u16::MAX;

/// The search that writes a program.
struct Writer<'a> {
    board: Board,
    /// The rows before the last ones, and the last ones.
    walked: &'a [u32],
    end: &'a [u32],
    shape: Shape,
    number_of: &'a [u16],
    /// For each pair of columns of the last two queens, their number.
    numbers: [u32; 256],
    tested: [u8; Shape::MAX_TESTED],
    number_of_roots: usize,
    /// The first prefix of the segment.
    segment: usize,
    program: &'a mut Program,
}

impl Writer<'_> {
    /// Writes the placements below the queens of the first `depth` rows.
    fn descend(&mut self, depth: usize, columns: u32, lines: u64) {
        let start = self.program.placements.segments.len();
        if depth == self.shape.root + self.shape.tested {
            self.write_segment(depth, columns, lines);
        } else {
            self.place(depth, columns, lines);
        }
        if depth == self.shape.root {
            let segments = start..self.program.placements.segments.len();
            if !segments.is_empty() {
                self.program.placements.roots.push(Root { number: self.number_of_roots, segments });
            }
            self.number_of_roots += 1;
        }
    }

    /// Places the next queen of the root or the next tested queen.
    fn place(&mut self, depth: usize, columns: u32, lines: u64) {
        let Some(&row) = self.walked.get(depth) else { return };
        for column in members(self.board.free(row, columns, lines)) {
            if let Some(tested) = depth.checked_sub(self.shape.root)
                && let Some(place) = self.tested.get_mut(tested)
            {
                *place = square(self.board, row, column);
            }
            let below = lines | self.board.lines(row, column);
            self.descend(depth + 1, columns | 1 << column, below);
        }
    }

    fn write_segment(&mut self, depth: usize, columns: u32, lines: u64) {
        let (prefixes, leaves) =
            (self.program.prefixes.len(), self.program.placements.leaves.len());
        self.segment = prefixes;
        self.walk(depth, columns, lines, 0);
        if self.program.placements.leaves.len() == leaves {
            self.program.prefixes.truncate(prefixes);
            return;
        }
        debug_assert!(self.program.prefixes.len() - prefixes < MAX_PREFIXES);
        self.program.placements.segments.push(Segment {
            tested: self.tested,
            prefixes: prefixes as u32..self.program.prefixes.len() as u32,
            leaves: leaves as u32..self.program.placements.leaves.len() as u32,
        });
    }

    /// Writes the prefixes and leaves of a segment.
    fn walk(&mut self, depth: usize, columns: u32, lines: u64, prefix: u32) {
        let Some(&row) = self.walked.get(depth) else {
            return self.write_leaves(columns, lines, prefix);
        };
        for column in members(self.board.free(row, columns, lines)) {
            let leaves = self.program.placements.leaves.len();
            let parent = prefix as u16;
            self.program.prefixes.push(Prefix { parent, square: square(self.board, row, column) });
            let number = (self.program.prefixes.len() - self.segment) as u32;
            let below = lines | self.board.lines(row, column);
            self.walk(depth + 1, columns | 1 << column, below, number);
            if self.program.placements.leaves.len() == leaves {
                self.program.prefixes.pop();
            }
        }
    }

    /// Writes the leaves with these columns and lines before the last queens.
    #[inline]
    fn write_leaves(&mut self, columns: u32, lines: u64, prefix: u32) {
        let Writer { board, number_of, ref numbers, .. } = *self;
        let leaves = &mut self.program.placements.leaves;
        let mut write = |last: u32, columns: u32| {
            let number = number_of.get(columns as usize).copied().unwrap_or(NO_NUMBER);
            if number != NO_NUMBER {
                leaves.push(prefix << 20 | last << 12 | u32::from(number));
            }
        };
        match *self.end {
            [] => write(0, columns),
            [row] => {
                for column in members(board.free(row, columns, lines)) {
                    write(column, columns | 1 << column);
                }
            }
            [above, below, ..] => {
                for first in members(board.free(above, columns, lines)) {
                    let columns = columns | 1 << first;
                    let free = board.free(below, columns, lines | board.lines(above, first));
                    for second in members(free) {
                        let pair = numbers.get((first << 4 | second) as usize);
                        write(pair.copied().unwrap_or(0), columns | 1 << second);
                    }
                }
            }
        }
    }
}
