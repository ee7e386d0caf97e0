//! Placements of a strip in a layout for SIMD: one array for each property.

use alloc::vec::Vec;
use core::ops::Range;

use super::vector::{Lanes, SimdIsa, first_lanes, rest};

/// Placements of some rows of a strip. For each placement there are the diagonals on which it
/// crosses the seam, which is the line between the two strips of a half; those on which it crosses
/// the middle of the board; and its *row numbers* (see [`Sides`]).
#[derive(Clone, Debug, Default)]
pub(super) struct Placements {
    /// The crossed diagonals of the seam, those among its 32 central ones.
    pub(super) seam: Vec<u32>,
    /// The crossed diagonals of the seam, all others.
    pub(super) seam_edge: Vec<u32>,
    /// The crossed diagonals of the middle of the board.
    pub(super) middle: Vec<u64>,
    /// The sort keys, until [`forget_order`](Placements::forget_order) drops them. Joined
    /// placements have sort keys only if the table of their upper part still has its own.
    order: Vec<SortKey>,
    /// The row numbers of each group of [`BLOCK`] placements, sliced, and two empty groups behind
    /// the last.
    pub(super) sliced: Vec<SlicedSides>,
}

/// The *row numbers* of a placement, one for the left and one for the right half of the board: a
/// bit for each row, set if the row's queen is in that half. The lowest bit is the row at the edge
/// of the board. A queen in the middle column is in neither.
pub(super) type Sides = [u8; 2];

/// A placement's sort key. From the lowest byte on: the row numbers of the two sides and the column
/// of the lowest queen.
type SortKey = u32;

/// A placement of some rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placement {
    /// The diagonals on which it crosses the line to the other strip.
    pub(super) seam: u64,
    /// The diagonals on which it crosses the middle of the board.
    pub(super) middle: u64,
    pub(super) sides: Sides,
    /// The column of the queen in the lowest row.
    pub(super) lowest: u8,
}

/// The [`Sides`] of [`BLOCK`] placements, bit-sliced: for each side and each bit of its number, a
/// word that says which placements have it.
type SlicedSides = [[u64; MOST_ROWS]; 2];

/// Number of rows of the largest strip, at N = 28.
const MOST_ROWS: usize = 7;

impl Placements {
    pub(super) fn clear(&mut self) {
        self.seam.clear();
        self.seam_edge.clear();
        self.middle.clear();
        self.order.clear();
        self.sliced.clear();
    }

    pub(super) fn push(&mut self, Placement { seam, middle, sides, lowest }: Placement) {
        self.push_crossed(seam, middle);
        let [left, right] = sides;
        self.order.push(SortKey::from_le_bytes([left, right, lowest, 0]));
    }

    /// Appends a placement without its sort key.
    pub(super) fn push_crossed(&mut self, seam: u64, middle: u64) {
        self.seam.push(seam as u32);
        self.seam_edge.push((seam >> 32) as u32);
        self.middle.push(middle);
    }

    /// Returns the number of placements. Not valid after [`close`](Placements::close).
    pub(super) fn len(&self) -> usize {
        self.middle.len()
    }

    /// Returns a placement. Its sort key must still be there.
    pub(super) fn placement(&self, place: usize) -> Placement {
        let [left, right, lowest, _] = self.order[place].to_le_bytes();
        Placement {
            seam: self.seam(place),
            middle: self.middle[place],
            sides: [left, right],
            lowest,
        }
    }

    /// Returns a range of the placements. [`close`](Placements::close) must have been called.
    pub(super) fn part(&self, range: Range<usize>) -> PlacementSlice<'_> {
        PlacementSlice { placements: self, range }
    }

    /// Returns the size of the arrays in bytes.
    pub(super) fn bytes(&self) -> usize {
        4 * (self.seam.capacity() + self.seam_edge.capacity())
            + 8 * self.middle.capacity()
            + size_of::<SortKey>() * self.order.capacity()
            + size_of::<SlicedSides>() * self.sliced.capacity()
    }

    /// Iterates over the row numbers of all placements; empty once the sort keys are dropped.
    pub(super) fn sides(&self) -> impl Iterator<Item = Sides> {
        self.order.iter().map(|order| {
            let [left, right, ..] = order.to_le_bytes();
            [left, right]
        })
    }

    pub(super) fn seam(&self, place: usize) -> u64 {
        u64::from(self.seam[place]) | u64::from(self.seam_edge[place]) << 32
    }

    /// Appends an empty block, so that the last placements can be read as part of a whole block.
    pub(super) fn close(&mut self) {
        self.seam.extend([0; BLOCK]);
        self.seam_edge.extend([0; BLOCK]);
        self.middle.extend([0; BLOCK]);
    }

    /// Drops the sort keys.
    pub(super) fn forget_order(&mut self) {
        self.order = Vec::new();
    }

    /// Slices the row numbers.
    pub(super) fn slice_rows(&mut self) {
        slice(&self.order, &mut self.sliced);
    }
}

/// Slices the row numbers of all placements.
fn slice(order: &[SortKey], all: &mut Vec<SlicedSides>) {
    all.clear();
    all.extend(order.chunks(BLOCK).map(sliced));
    // A block may begin anywhere in one group of [`BLOCK`] and end in the next, so at least one
    // more must follow the last.
    all.extend([[[0; MOST_ROWS]; 2]; 2]);
}

/// Slices up to [`BLOCK`] row numbers of each side.
fn sliced(order: &[SortKey]) -> SlicedSides {
    let mut sliced = [[0; MOST_ROWS]; 2];
    for (eighth, order) in order.chunks(8).enumerate() {
        for (side, words) in sliced.iter_mut().enumerate() {
            let mut bytes = [0; 8];
            for (byte, order) in bytes.iter_mut().zip(order) {
                *byte = order.to_le_bytes()[side];
            }
            let turned = turned(u64::from_le_bytes(bytes)).to_le_bytes();
            for (word, byte) in words.iter_mut().zip(turned) {
                *word |= u64::from(byte) << (8 * eighth);
            }
        }
    }
    sliced
}

/// Transposes a square of 8 by 8 bits, by exchanging ever larger squares.
const fn turned(square: u64) -> u64 {
    const fn exchange(square: u64, by: u32, mask: u64) -> u64 {
        let differ = (square ^ square >> by) & mask;
        square ^ differ ^ differ << by
    }
    let square = exchange(square, 7, 0x00aa_00aa_00aa_00aa);
    let square = exchange(square, 14, 0x0000_cccc_0000_cccc);
    exchange(square, 28, 0x0000_0000_f0f0_f0f0)
}

/// The number of placements of each strip that are joined at once.
pub(super) const BLOCK: usize = 64;

/// A range of closed [`Placements`].
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
        debug_assert!(end + BLOCK <= placements.middle.len(), "the last block is not closed");
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

/// Up to [`BLOCK`] placements side by side. The elements behind `length` belong to others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block<'a> {
    pub(super) length: usize,
    pub(super) seam: &'a [u32; BLOCK],
    pub(super) seam_edge: &'a [u32; BLOCK],
    pub(super) middle: &'a [u64; BLOCK],
    placements: &'a Placements,
    /// The index of the first one in `placements`.
    start: usize,
}

/// The placements of a block whose row number is above a given one, and those whose row number
/// equals it, as bits.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Compared {
    pub(super) above: u64,
    pub(super) same: u64,
}

impl Block<'_> {
    /// Returns the index of the block's first placement among all.
    pub(super) fn start(&self) -> usize {
        self.start
    }

    /// Returns the placements whose queen in one row is on this side, as bits. `bit` is the place
    /// of the row's bit in row numbers. Bits from `length` on are meaningless.
    #[inline(always)]
    pub(super) fn on_side(&self, side: usize, bit: u32) -> u64 {
        let sliced = self.placements.sliced.get(self.start / BLOCK..);
        let sliced = sliced.and_then(<[SlicedSides]>::first_chunk);
        debug_assert!(sliced.is_some(), "the rows are not sliced");
        let Some([begin, end]) = sliced else { return 0 };
        let (first, bit) = ((self.start % BLOCK) as u32, bit as usize);
        let of = |sliced: &SlicedSides| sliced[side & 1].get(bit).copied().unwrap_or_default();
        of(begin) >> first | of(end) << 1 << (BLOCK as u32 - 1 - first)
    }

    /// Compares the row numbers of one `side` with a number of `bits` bits, bit by bit from the
    /// highest one, for all placements at once. Bits from `length` on are meaningless.
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

/// A reusable buffer for placements of a strip that are joined from those of its two parts.
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

    /// Joins the `chosen` placements of a block with one placement of the rows below them, and
    /// appends the results. The row numbers of `below` use the bits of the whole strip. Row numbers
    /// are stored unless those of the block were dropped.
    #[inline(always)]
    pub(super) fn unite<M: SimdIsa>(
        &mut self,
        machine: M,
        above: Block<'_>,
        chosen: u64,
        below: Placement,
    ) {
        if chosen == 0 {
            return;
        }
        self.room(2 * BLOCK);
        let Placements { seam, seam_edge, middle, order, .. } = &mut self.placements;
        let Placement { seam: below_seam, middle: below_middle, sides: [left, right], .. } = below;
        let below_edge = M::Narrow::splat(machine, (below_seam >> 32) as u32);
        let below_seam = M::Narrow::splat(machine, below_seam as u32);
        // The lowest queen's column is not needed for joined placements.
        let below_order = SortKey::from_le_bytes([left, right, 0, 0]);
        let below_order = M::Narrow::splat(machine, below_order);
        let orders = above.placements.order.get(above.start..).unwrap_or_default();
        let lanes = M::Narrow::LANES;
        for place in (0..above.length).step_by(lanes) {
            let (chosen, at) = ((chosen >> place) as u32 & first_lanes(lanes), self.length);
            let seams = M::Narrow::load(machine, &above.seam[place..]);
            seams.or(below_seam).compress(chosen, rest(seam, at));
            let edges = M::Narrow::load(machine, &above.seam_edge[place..]);
            edges.or(below_edge).compress(chosen, rest(seam_edge, at));
            if !orders.is_empty() {
                let orders = M::Narrow::load(machine, orders.get(place..).unwrap_or_default());
                orders.or(below_order).compress(chosen, rest(order, at));
            }
            let middles = above.middle.get(place..place + lanes).unwrap_or_default();
            machine.or_compress(middles, below_middle, chosen, rest(middle, at));
            self.length += chosen.count_ones() as usize;
        }
    }

    /// Makes room for this many more placements.
    #[inline(always)]
    fn room(&mut self, more: usize) {
        if self.placements.middle.len() < self.length + more {
            self.grow(2 * (self.length + more));
        }
    }

    #[cold]
    fn grow(&mut self, length: usize) {
        let Placements { seam, seam_edge, middle, order, .. } = &mut self.placements;
        seam.resize(length, 0);
        seam_edge.resize(length, 0);
        middle.resize(length, 0);
        order.resize(length, 0);
    }

    /// Slices the row numbers.
    pub(super) fn slice_rows(&mut self) {
        let Placements { sliced, order, .. } = &mut self.placements;
        slice(order.get(..self.length).unwrap_or_default(), sliced);
    }

    /// Returns all placements.
    pub(super) fn all(&mut self) -> PlacementSlice<'_> {
        let range = 0..self.length;
        PlacementSlice { placements: self.with_room(), range }
    }

    /// Returns the placements, followed by room for at least a block.
    pub(super) fn with_room(&mut self) -> &Placements {
        self.room(BLOCK);
        &self.placements
    }

    /// Appends the placements of another buffer, without their row numbers.
    pub(super) fn append(&mut self, others: &JoinedPlacements) {
        self.room(others.length + BLOCK);
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
