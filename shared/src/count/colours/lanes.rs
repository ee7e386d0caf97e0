//! The listed board: its placements in lanes, one set of columns each, and their rebuilding for the
//! roots of a walk.

use alloc::{collections::BinaryHeap, vec, vec::Vec};
use core::ops::Range;

use super::{
    boards::{Board, members},
    vector::{ByteIsa, Bytes, HotLoop},
    walk::{NO_NUMBER, square},
};

/// A part of a list.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Span {
    start: u32,
    length: u32,
}

impl Span {
    /// The part of this list.
    #[inline(always)]
    pub(super) fn of(self, list: &[u64]) -> &[u64] {
        let (start, length) = (self.start as usize, self.length as usize);
        list.get(start..start + length).unwrap_or_default()
    }
}

/// All placements of the listed board with given rows, as sets of lines. A *lane* has placements with
/// the same columns.
#[derive(Debug, Default)]
pub(super) struct Lanes {
    /// The set of columns of each lane as the caller numbers them, or [`NO_NUMBER`] for an empty lane.
    pub(super) sets: Vec<u16>,
    /// The number of all placements, also of those that are not listed because of their columns.
    pub(super) all: usize,
    lists: Lists,
}

/// A list of sets of lines for each lane.
#[derive(Debug, Default)]
struct Lists {
    masks: Vec<u64>,
    lanes: Vec<Span>,
}

/// The number of lanes of the audited set of columns, which are the last ones: a group whose sum can
/// be [read](Bytes::groups) from a vector of sums.
pub(super) const AUDIT_LANES: usize = 4;

impl Lanes {
    /// Lists the placements with a queen in each of the `rows`. `number_of` numbers the sets of
    /// columns from 0 to `sets` − 1, with [`NO_NUMBER`] for those that are not counted. The number of
    /// lanes is a multiple of `block`.
    ///
    /// Lanes are in the order of their lengths, so that the lanes of a block are about equally long.
    /// The spare lanes of the last block take halves of the longest lists. The last four lanes
    /// share the placements of the `audited` set.
    pub(super) fn new(
        board: Board,
        rows: &[u32],
        (number_of, sets): (&[u16], usize),
        audited: Option<u16>,
        block: usize,
    ) -> Lanes {
        let number_of =
            |columns: u32| number_of.get(columns as usize).copied().unwrap_or(NO_NUMBER);
        // Placements are listed twice: first to find the length of each list.
        let (mut ends, mut all) = (vec![0; sets], 0);
        board.placements(rows, &mut |columns, _| {
            all += 1;
            if let Some(length) = ends.get_mut(usize::from(number_of(columns))) {
                *length += 1;
            }
        });
        let mut heap = BinaryHeap::new();
        let (mut audited_list, mut start) = (0..0, 0);
        for (number, end) in (0..).zip(&mut ends) {
            let length = core::mem::replace(end, start);
            if audited == Some(number) {
                audited_list = start..start + length;
            } else if length > 0 {
                heap.push((length, start, number));
            }
            start += length;
        }
        let mut masks = vec![0; start];
        board.placements(rows, &mut |columns, lines| {
            if let Some(end) = ends.get_mut(usize::from(number_of(columns))) {
                if let Some(place) = masks.get_mut(*end) {
                    *place = lines;
                }
                *end += 1;
            }
        });
        let reserved = if audited.is_some() { AUDIT_LANES } else { 0 };
        let lanes = (heap.len() + reserved).next_multiple_of(block);
        while heap.len() + reserved < lanes
            && let Some((length, start, number)) = heap.pop()
        {
            let half = length / 2;
            heap.push((half, start, number));
            heap.push((length - half, start + half, number));
            if length < 4 {
                break;
            }
        }
        let mut lists = heap.into_sorted_vec();
        lists.reverse();
        lists.resize(lanes - reserved, (0, 0, NO_NUMBER));
        let (quarter, number) =
            (audited_list.len().div_ceil(AUDIT_LANES), audited.unwrap_or(NO_NUMBER));
        lists.extend((0..reserved).map(|part| {
            let start = (audited_list.start + part * quarter).min(audited_list.end);
            let end = (start + quarter).min(audited_list.end);
            (end - start, start, number)
        }));
        let span = |&(length, start, _): &(usize, usize, u16)| Span {
            start: start as u32,
            length: length as u32,
        };
        Lanes {
            sets: lists.iter().map(|&(.., number)| number).collect(),
            all,
            lists: Lists { masks, lanes: lists.iter().map(span).collect() },
        }
    }

    /// The number of placements.
    pub(super) fn len(&self) -> usize {
        self.lists.masks.len()
    }
}

/// The placements of a block of lanes that remain for some roots.
///
/// For each root and each square of the walked board, it has a word of one or more vectors: the
/// placements that a queen on the square does not attack.
#[derive(Debug)]
pub(super) struct Sets<V> {
    vectors: Vec<V>,
    words: Vec<Words>,
    /// The words of each root, from root number `first_root` on.
    roots: Vec<Range<u32>>,
    first_root: usize,
}

/// A part of the placements that remain for a root.
#[derive(Clone, Copy, Debug)]
pub(super) struct Words {
    start: usize,
    /// The number of vectors of a word.
    pub(super) length: usize,
}

/// The maximum number of vectors in a word.
pub(super) const MAX_WORD: usize = 6;

impl<V: Bytes> Sets<V> {
    pub(super) const fn new() -> Sets<V> {
        Sets { vectors: Vec::new(), words: Vec::new(), roots: Vec::new(), first_root: 0 }
    }

    /// The numbers of the roots.
    pub(super) fn roots(&self) -> Range<usize> {
        self.first_root..self.first_root + self.roots.len()
    }

    /// The words of a root.
    #[inline(always)]
    pub(super) fn words(&self, root: usize) -> &[Words] {
        let range = root.checked_sub(self.first_root).and_then(|root| self.roots.get(root));
        let range = range.map_or(0..0, |range| range.start as usize..range.end as usize);
        self.words.get(range).unwrap_or_default()
    }

    /// The vectors of all squares: first a word for no square, which has all placements, and then a
    /// word for each square.
    #[inline(always)]
    pub(super) fn vectors(&self, words: Words) -> &[V] {
        self.vectors.get(words.start..).unwrap_or_default()
    }

    /// The memory in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.vectors.capacity() * size_of::<V>()
    }
}

/// The first queens of the walks of a group, in all ways.
pub(super) struct Roots<'a> {
    /// The walked board.
    board: Board,
    /// The rows of these queens.
    rows: &'a [u32],
    /// The other rows of all walks, as a set.
    other_rows: u32,
    /// The columns of the queens of each root, by its number.
    columns: Vec<Vec<u32>>,
}

impl<'a> Roots<'a> {
    pub(super) fn new(board: Board, rows: &'a [u32], other_rows: u32) -> Roots<'a> {
        let mut roots = vec![(Vec::new(), 0, 0)];
        for &row in rows {
            roots = roots
                .into_iter()
                .flat_map(|(placed, columns, lines): (Vec<u32>, u32, u64)| {
                    members(board.free(row, columns, lines)).map(move |column| {
                        let mut placed = placed.clone();
                        placed.push(column);
                        (placed, columns | 1 << column, lines | board.lines(row, column))
                    })
                })
                .collect();
        }
        let columns = roots.into_iter().map(|(placed, ..)| placed).collect();
        Roots { board, rows, other_rows, columns }
    }

    /// The number of roots.
    pub(super) fn len(&self) -> usize {
        self.columns.len()
    }
}

/// Rebuilds the sets of a block for the roots of a walk.
pub(super) struct Rebuilder<'a> {
    lists: &'a Lists,
    block: Range<usize>,
    roots: &'a Roots<'a>,
    /// Whether a walk has placements with this root.
    is_needed: &'a [bool],
    next_root: usize,
    levels: &'a mut Vec<Level>,
}

/// Scratch space: the placements that remain for the first queens of a root.
#[derive(Debug, Default)]
pub(super) struct Level {
    lists: Lists,
    /// The columns of these queens.
    columns: Vec<u32>,
}

impl<'a> Rebuilder<'a> {
    pub(super) fn new(
        lanes: &'a Lanes,
        block: Range<usize>,
        roots: &'a Roots<'a>,
        is_needed: &'a [bool],
        levels: &'a mut Vec<Level>,
    ) -> Rebuilder<'a> {
        levels.resize_with(roots.rows.len().max(levels.len()), Level::default);
        levels.iter_mut().for_each(|level| level.columns.clear());
        Rebuilder { lists: &lanes.lists, block, roots, is_needed, next_root: 0, levels }
    }

    /// Rebuilds the sets of the next roots, as many as fit into `bytes` and at least one. Returns
    /// false if there are no more roots.
    pub(super) fn rebuild<M: ByteIsa>(
        &mut self,
        isa: M,
        bytes: usize,
        sets: &mut Sets<M::Bytes>,
    ) -> bool {
        sets.words.clear();
        sets.roots.clear();
        sets.first_root = self.next_root;
        let (mut end, limit) = (0, bytes / size_of::<M::Bytes>());
        while end < limit
            && let Some(root) = self.roots.columns.get(self.next_root)
        {
            let first = sets.words.len() as u32;
            if self.is_needed.get(self.next_root).is_some_and(|&is_needed| is_needed) {
                self.filter(isa, root);
                let last = self.roots.rows.len().checked_sub(1);
                let (lists, block) = match last.and_then(|last| self.levels.get(last)) {
                    Some(level) => (&level.lists, 0..self.block.len()),
                    None => (self.lists, self.block.clone()),
                };
                let lanes = lists.lanes.get(block).unwrap_or_default();
                let (board, rows) = (self.roots.board, self.roots.other_rows);
                end = isa.run(Build { masks: &lists.masks, lanes, board, rows, end, sets });
            }
            sets.roots.push(first..sets.words.len() as u32);
            self.next_root += 1;
        }
        !sets.roots.is_empty()
    }

    /// Filters the lists of the block for the queens of a root.
    fn filter<M: ByteIsa>(&mut self, isa: M, root: &[u32]) {
        for (depth, (&row, &column)) in self.roots.rows.iter().zip(root).enumerate() {
            let (above, below) = self.levels.split_at_mut(depth);
            let Some(level) = below.first_mut() else { return };
            let placed = root.get(..=depth).unwrap_or_default();
            if level.columns == placed {
                continue;
            }
            level.columns.clear();
            level.columns.extend_from_slice(placed);
            let (from, block) = match above.last() {
                Some(above) => (&above.lists, 0..self.block.len()),
                None => (self.lists, self.block.clone()),
            };
            let lanes = from.lanes.get(block).unwrap_or_default();
            let lines = self.roots.board.lines(row, column);
            let to = &mut level.lists;
            isa.run(Filter { masks: &from.masks, lanes, lines, to });
            below.iter_mut().skip(1).for_each(|level| level.columns.clear());
        }
    }
}

/// Copies the placements that are on none of the `lines`.
struct Filter<'a> {
    masks: &'a [u64],
    lanes: &'a [Span],
    lines: u64,
    to: &'a mut Lists,
}

impl<M: ByteIsa> HotLoop<M> for Filter<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, isa: M) {
        let Filter { masks, lanes, lines, to } = self;
        let number: usize = lanes.iter().map(|lane| lane.length as usize).sum();
        if to.masks.len() < number {
            to.masks.resize(number, 0);
        }
        to.lanes.clear();
        let mut end = 0;
        for lane in lanes {
            let start = end;
            let room = to.masks.get_mut(end..).unwrap_or_default();
            end += M::Bytes::select_disjoint(isa, lane.of(masks), lines, room);
            to.lanes.push(Span { start: start as u32, length: (end - start) as u32 });
        }
    }
}

/// Appends the words of one root to the sets, from vector number `end` on, and returns the new end.
struct Build<'a, V> {
    masks: &'a [u64],
    lanes: &'a [Span],
    board: Board,
    rows: u32,
    end: usize,
    sets: &'a mut Sets<V>,
}

impl<M: ByteIsa> HotLoop<M> for Build<'_, M::Bytes> {
    type Output = usize;

    #[inline(always)]
    fn run(self, isa: M) -> usize {
        let Build { masks, lanes, board, rows, mut end, sets } = self;
        let longest = lanes.iter().map(|lane| lane.length).max().unwrap_or(0) as usize;
        let slices = longest.div_ceil(M::Bytes::SLOTS);
        let words = slices.div_ceil(MAX_WORD);
        let squares = (1 + board.rows * board.columns) as usize;
        let zero = M::Bytes::splat(isa, 0);
        let mut planes = [zero; 64];
        for word in 0..words {
            let first = slices * word / words;
            let length = slices * (word + 1) / words - first;
            let start = end;
            end += length * squares;
            sets.words.push(Words { start, length });
            if sets.vectors.len() < end {
                sets.vectors.resize(end, zero);
            }
            let vectors = sets.vectors.get_mut(start..end).unwrap_or_default();
            for at in 0..length {
                let slot = (first + at) * M::Bytes::SLOTS;
                let existing = M::Bytes::planes(isa, masks, lanes, slot, &mut planes);
                let mut put = |square: u8, vector| {
                    if let Some(place) = vectors.get_mut(usize::from(square) * length + at) {
                        *place = vector;
                    }
                };
                put(0, existing);
                for row in members(rows) {
                    for column in 0..board.columns {
                        let lines = board.lines(row, column);
                        let [a, b] = [lines.trailing_zeros(), 63 - lines.leading_zeros()];
                        let attacked = planes[a as usize & 63].or(planes[b as usize & 63]);
                        put(square(board, row, column), existing.and_not(attacked));
                    }
                }
            }
        }
        end
    }
}
