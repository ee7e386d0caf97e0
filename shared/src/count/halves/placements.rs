//! Placements of a strip as a structure of arrays, so that vectors can load one property of several
//! placements.

use alloc::vec::Vec;
use core::ops::Range;

use super::vector::{Lanes, SimdIsa, first_lanes, rest};

/// Placements of a strip or of a part of it. A placement consists of two sets of diagonals and its *row
/// numbers* (see [`Sides`]). On the diagonals of the first set, its queens cross the *seam*, the line
/// between the two strips of a half; on the diagonals of the second set, they cross the middle of the
/// board.
#[derive(Clone, Debug, Default)]
pub(super) struct Placements {
    /// The crossed diagonals among the 32 central ones of the seam.
    pub(super) seam: Vec<u32>,
    /// The crossed diagonals among the remaining ones of the seam.
    pub(super) seam_edge: Vec<u32>,
    /// The crossed diagonals of the middle of the board.
    pub(super) middle: Vec<u64>,
    /// The crossed diagonals of the middle, encoded as
    /// [`NarrowDiagonals`](super::line::NarrowDiagonals). Empty on large boards and for joined
    /// placements.
    pub(super) narrow: Vec<u32>,
    /// The sort keys; empty after [`drop_sort_keys`](Placements::drop_sort_keys). Joined placements
    /// have valid sort keys only if the table of their upper part still had its sort keys.
    sort_keys: Vec<SortKey>,
    /// The bit-sliced row numbers of each group of [`BLOCK`] placements, followed by an empty group.
    pub(super) sliced: Vec<SlicedSides>,
}

/// The *row numbers* of a placement, one for each side of the board: a bit for each row, set if the
/// row's queen is on that side. The first side (`left`) has the columns with lower numbers than the
/// middle, the second side (`right`) the columns with higher numbers. The lowest bit is the row nearest
/// to the edge of the board. A queen in the middle column is on neither side.
///
/// At N = 6, the upper half with the columns 1, 3 and 5, from the edge to the middle, has the row
/// numbers `[0b001, 0b110]`, so its smaller row number is 0b001.
pub(super) type Sides = [u8; 2];

/// The properties by which a table's placements are sorted into groups. From the lowest byte on: the
/// row numbers of the two sides, and the column of the queen in the lowest row.
type SortKey = u32;

/// A placement of some rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placement {
    /// The diagonals on which the queens cross the seam.
    pub(super) seam: u64,
    /// The diagonals on which the queens cross the middle of the board.
    pub(super) middle: u64,
    pub(super) sides: Sides,
    /// The column of the queen in the lowest row.
    pub(super) lowest: u8,
}

/// The [`Sides`] of [`BLOCK`] placements, *bit-sliced*: for each side and each bit of its row number,
/// a word in which bit i is that bit of placement i. So one operation on a word processes all
/// placements.
type SlicedSides = [[u64; MAX_ROWS]; 2];

/// Maximum number of rows of a strip, reached from N = 25 on.
const MAX_ROWS: usize = 7;

impl Placements {
    pub(super) fn clear(&mut self) {
        self.seam.clear();
        self.seam_edge.clear();
        self.middle.clear();
        self.sort_keys.clear();
        self.sliced.clear();
    }

    pub(super) fn push(&mut self, Placement { seam, middle, sides, lowest }: Placement) {
        self.push_crossed(seam, middle);
        let [left, right] = sides;
        self.sort_keys.push(SortKey::from_le_bytes([left, right, lowest, 0]));
    }

    /// Appends a placement without its sort key.
    pub(super) fn push_crossed(&mut self, seam: u64, middle: u64) {
        self.seam.push(seam as u32);
        self.seam_edge.push((seam >> 32) as u32);
        self.middle.push(middle);
    }

    /// Returns the number of placements. Not valid after [`pad`](Placements::pad).
    pub(super) fn len(&self) -> usize {
        self.middle.len()
    }

    /// Returns a placement. The sort keys must not have been dropped.
    pub(super) fn placement(&self, index: usize) -> Placement {
        let [left, right, lowest, _] = self.sort_keys[index].to_le_bytes();
        Placement {
            seam: self.seam(index),
            middle: self.middle[index],
            sides: [left, right],
            lowest,
        }
    }

    /// Returns a range of the placements. [`pad`](Placements::pad) must have been called.
    pub(super) fn part(&self, range: Range<usize>) -> PlacementSlice<'_> {
        PlacementSlice { placements: self, range }
    }

    /// Returns the size of the arrays in bytes.
    pub(super) fn bytes(&self) -> usize {
        4 * (self.seam.capacity() + self.seam_edge.capacity())
            + 8 * self.middle.capacity()
            + 4 * self.narrow.capacity()
            + size_of::<SortKey>() * self.sort_keys.capacity()
            + size_of::<SlicedSides>() * self.sliced.capacity()
    }

    /// Iterates over the row numbers of all placements; empty once the sort keys are dropped.
    pub(super) fn sides(&self) -> impl Iterator<Item = Sides> {
        self.sort_keys.iter().map(|key| {
            let [left, right, ..] = key.to_le_bytes();
            [left, right]
        })
    }

    /// Returns all diagonals on which a placement crosses the seam.
    pub(super) fn seam(&self, index: usize) -> u64 {
        u64::from(self.seam[index]) | u64::from(self.seam_edge[index]) << 32
    }

    /// Appends a block of zeros, so that the last placements can be read as part of a whole block.
    pub(super) fn pad(&mut self) {
        self.seam.extend([0; BLOCK]);
        self.seam_edge.extend([0; BLOCK]);
        self.middle.extend([0; BLOCK]);
    }

    /// Frees the memory of the sort keys.
    pub(super) fn drop_sort_keys(&mut self) {
        self.sort_keys = Vec::new();
    }

    /// Computes the bit-sliced row numbers from the sort keys.
    pub(super) fn slice_rows(&mut self) {
        slice(&self.sort_keys, &mut self.sliced);
    }
}

/// Computes the bit-sliced row numbers of all placements.
fn slice(keys: &[SortKey], all: &mut Vec<SlicedSides>) {
    all.clear();
    all.extend(keys.chunks(BLOCK).map(sliced));
    // A block may begin anywhere in one group of `BLOCK` placements and end in the next one, so
    // each group needs a successor.
    all.push([[0; MAX_ROWS]; 2]);
}

/// Computes the bit-sliced row numbers of up to [`BLOCK`] placements.
fn sliced(keys: &[SortKey]) -> SlicedSides {
    let mut sliced = [[0; MAX_ROWS]; 2];
    for (eighth, keys) in keys.chunks(8).enumerate() {
        for (side, words) in sliced.iter_mut().enumerate() {
            let mut bytes = [0; 8];
            for (byte, key) in bytes.iter_mut().zip(keys) {
                *byte = key.to_le_bytes()[side];
            }
            let transposed = transposed(u64::from_le_bytes(bytes)).to_le_bytes();
            for (word, byte) in words.iter_mut().zip(transposed) {
                *word |= u64::from(byte) << (8 * eighth);
            }
        }
    }
    sliced
}

/// Transposes a square of 8 by 8 bits (Warren, *Hacker's Delight*, section 7–3): in each square of 2
/// by 2 bits it exchanges the two bits off the diagonal, then does the same with 2 by 2 squares of 2
/// by 2 bits and of 4 by 4 bits.
const fn transposed(square: u64) -> u64 {
    const fn exchange(square: u64, by: u32, mask: u64) -> u64 {
        let difference = (square ^ square >> by) & mask;
        square ^ difference ^ difference << by
    }
    let square = exchange(square, 7, 0x00aa_00aa_00aa_00aa);
    let square = exchange(square, 14, 0x0000_cccc_0000_cccc);
    exchange(square, 28, 0x0000_0000_f0f0_f0f0)
}

/// Number of placements in a block. The placements of two strips are joined block by block.
pub(super) const BLOCK: usize = 64;

/// A range of [padded](Placements::pad) placements.
#[derive(Clone, Debug)]
pub(super) struct PlacementSlice<'a> {
    placements: &'a Placements,
    range: Range<usize>,
}

impl<'a> PlacementSlice<'a> {
    /// Iterates over the placements, [`BLOCK`] at a time.
    #[inline(always)]
    pub(super) fn blocks(&self) -> impl Iterator<Item = Block<'a>> + use<'a> {
        let PlacementSlice { placements, ref range } = *self;
        let end = range.end;
        debug_assert!(end + BLOCK <= placements.middle.len(), "the placements are not padded");
        range.clone().step_by(BLOCK).filter_map(move |start| {
            Some(Block {
                length: (end - start).min(BLOCK),
                seam: placements.seam.get(start..)?.first_chunk()?,
                seam_edge: placements.seam_edge.get(start..)?.first_chunk()?,
                middle: placements.middle.get(start..)?.first_chunk()?,
                placements,
                start,
            })
        })
    }
}

/// Up to [`BLOCK`] consecutive placements. Array elements from index `length` on do not belong to
/// the block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block<'a> {
    pub(super) length: usize,
    pub(super) seam: &'a [u32; BLOCK],
    pub(super) seam_edge: &'a [u32; BLOCK],
    pub(super) middle: &'a [u64; BLOCK],
    placements: &'a Placements,
    /// The index of the block's first placement in `placements`.
    start: usize,
}

/// The result of comparing the row numbers of a block with one number: the placements with a larger
/// row number, and those with the same row number. Bit i stands for placement i.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Compared {
    pub(super) above: u64,
    pub(super) same: u64,
}

impl Block<'_> {
    pub(super) fn start(&self) -> usize {
        self.start
    }

    /// Returns the narrow middle diagonals of the placements.
    #[inline(always)]
    pub(super) fn narrow(&self) -> &[u32; BLOCK] {
        let narrow = self.placements.narrow.get(self.start..);
        let narrow = narrow.and_then(<[u32]>::first_chunk);
        debug_assert!(narrow.is_some(), "the diagonals are not narrow");
        narrow.unwrap_or(&[0; BLOCK])
    }

    /// Returns the placements whose row number for `side` has this bit set: bit i of the result stands
    /// for placement i. Bits from `length` on are meaningless.
    #[inline(always)]
    pub(super) fn on_side(&self, side: usize, bit: u32) -> u64 {
        let sliced = self.placements.sliced.get(self.start / BLOCK..);
        let sliced = sliced.and_then(<[SlicedSides]>::first_chunk);
        debug_assert!(sliced.is_some(), "the rows are not sliced");
        let Some([begin, end]) = sliced else { return 0 };
        let (first, bit) = ((self.start % BLOCK) as u32, bit as usize);
        let word = |sliced: &SlicedSides| sliced[side & 1].get(bit).copied().unwrap_or_default();
        // Two shifts to the left, because a single shift would be by 64, which overflows, if `first` is 0.
        word(begin) >> first | word(end) << 1 << (BLOCK as u32 - 1 - first)
    }

    /// Compares the row numbers of one `side` with a number of `bits` bits, bit by bit from the
    /// highest one, for all placements at once. The first bit that differs decides. Bits from
    /// `length` on are meaningless.
    ///
    /// Compared with 0b10, three placements with the row numbers 0b11, 0b10 and 0b01 give `above` =
    /// 0b001 and `same` = 0b010.
    #[inline(always)]
    pub(super) fn compare(&self, side: usize, bits: u32, number: u32) -> Compared {
        let mut compared = Compared { above: 0, same: u64::MAX };
        for bit in (0..bits).rev() {
            let theirs = 0u64.wrapping_sub(u64::from(number >> bit & 1));
            let ours = self.on_side(side, bit);
            compared.above |= compared.same & ours & !theirs;
            compared.same &= !(ours ^ theirs);
        }
        compared
    }
}

/// A reusable buffer for placements of a strip that are joined from placements of its two parts.
#[derive(Clone, Debug, Default)]
pub(super) struct JoinedPlacements {
    placements: Placements,
    length: usize,
}

impl JoinedPlacements {
    pub(super) fn clear(&mut self) {
        self.length = 0;
    }

    pub(super) fn len(&self) -> usize {
        self.length
    }

    /// Joins the `selected` placements of a block with one placement of the rows below them, and
    /// appends the results. The row numbers of `lower` must be shifted to their place in the row
    /// numbers of the whole strip. The results have sort keys unless the block's sort keys were
    /// dropped.
    #[inline(always)]
    pub(super) fn join<M: SimdIsa>(
        &mut self,
        machine: M,
        upper: Block<'_>,
        selected: u64,
        lower: Placement,
    ) {
        if selected == 0 {
            return;
        }
        self.reserve(2 * BLOCK);
        let Placements { seam, seam_edge, middle, sort_keys, .. } = &mut self.placements;
        let Placement { seam: lower_seam, middle: lower_middle, sides: [left, right], .. } = lower;
        let lower_edge = M::Narrow::splat(machine, (lower_seam >> 32) as u32);
        let lower_seam = M::Narrow::splat(machine, lower_seam as u32);
        // The column of the lowest queen is needed only until the placements are joined.
        let lower_key = SortKey::from_le_bytes([left, right, 0, 0]);
        let lower_key = M::Narrow::splat(machine, lower_key);
        let keys = upper.placements.sort_keys.get(upper.start..).unwrap_or_default();
        let lanes = M::Narrow::LANES;
        for first in (0..upper.length).step_by(lanes) {
            let (selected, end) = ((selected >> first) as u32 & first_lanes(lanes), self.length);
            let seams = M::Narrow::load(machine, &upper.seam[first..]);
            seams.or(lower_seam).compress(selected, rest(seam, end));
            let edges = M::Narrow::load(machine, &upper.seam_edge[first..]);
            edges.or(lower_edge).compress(selected, rest(seam_edge, end));
            if !keys.is_empty() {
                let keys = M::Narrow::load(machine, keys.get(first..).unwrap_or_default());
                keys.or(lower_key).compress(selected, rest(sort_keys, end));
            }
            let middles = upper.middle.get(first..first + lanes).unwrap_or_default();
            machine.or_compress(middles, lower_middle, selected, rest(middle, end));
            self.length += selected.count_ones() as usize;
        }
    }

    /// Ensures that `more` placements can be appended.
    #[inline(always)]
    fn reserve(&mut self, more: usize) {
        if self.placements.middle.len() < self.length + more {
            self.grow(2 * (self.length + more));
        }
    }

    #[cold]
    fn grow(&mut self, length: usize) {
        let Placements { seam, seam_edge, middle, sort_keys, .. } = &mut self.placements;
        seam.resize(length, 0);
        seam_edge.resize(length, 0);
        middle.resize(length, 0);
        sort_keys.resize(length, 0);
    }

    /// Computes the bit-sliced row numbers.
    pub(super) fn slice_rows(&mut self) {
        let Placements { sliced, sort_keys, .. } = &mut self.placements;
        slice(sort_keys.get(..self.length).unwrap_or_default(), sliced);
    }

    /// Returns all placements.
    pub(super) fn all(&mut self) -> PlacementSlice<'_> {
        let range = 0..self.length;
        PlacementSlice { placements: self.padded(), range }
    }

    /// Returns the placements, followed by unused elements for at least a block, as
    /// [`Placements::pad`] adds them.
    pub(super) fn padded(&mut self) -> &Placements {
        self.reserve(BLOCK);
        &self.placements
    }

    /// Appends the placements of another buffer, without their sort keys.
    pub(super) fn append(&mut self, others: &JoinedPlacements) {
        self.reserve(others.length + BLOCK);
        let Placements { seam, seam_edge, middle, .. } = &mut self.placements;
        let to = self.length..self.length + others.length;
        copy(&others.placements.seam, seam, to.clone());
        copy(&others.placements.seam_edge, seam_edge, to.clone());
        copy(&others.placements.middle, middle, to.clone());
        self.length = to.end;
    }

    pub(super) fn bytes(&self) -> usize {
        self.placements.bytes()
    }
}

/// Copies the first elements of `from` to a range of another list.
fn copy<T: Copy>(from: &[T], list: &mut [T], to: Range<usize>) {
    debug_assert!(to.len() <= from.len() && to.end <= list.len(), "{to:?} of {}", list.len());
    if let (Some(from), Some(to)) = (from.get(..to.len()), list.get_mut(to)) {
        to.copy_from_slice(from);
    }
}
