//! Placements of a few rows side by side, as vectors read them.

use alloc::vec::Vec;
use core::ops::Range;

/// Placements of some rows: for each the diagonals on which it crosses two lines, and the rows
/// that have their queen on either side of the board.
#[derive(Clone, Debug, Default)]
pub(super) struct Placements {
    /// The line to the other strip, its 32 central diagonals.
    pub(super) seam: Vec<u32>,
    /// The line to the other strip, all other diagonals.
    pub(super) seam_edge: Vec<u32>,
    /// The middle of the board.
    pub(super) middle: Vec<u64>,
    /// The rows, until they are sliced or sorted by.
    pub(super) sides: Vec<Sides>,
    /// The column of the lowest row, until they are sorted by it.
    pub(super) lowest: Vec<u8>,
    /// For each of [`BLOCK`] placements in turn, and the next ones, their rows.
    pub(super) sliced: Vec<SlicedSides>,
}

/// The rows with a queen in the left and in the right half of the board, as two numbers: the row
/// at the edge of the board is the lowest bit. The queen of the middle column is in neither.
pub(super) type Sides = [u8; 2];

/// A placement of some rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placement {
    /// The diagonals on which it crosses the line to the other strip.
    pub(super) seam: u64,
    /// Those on which it crosses the middle of the board.
    pub(super) middle: u64,
    pub(super) sides: Sides,
    /// The column of the queen in the lowest row.
    pub(super) lowest: u8,
}

/// The same of [`BLOCK`] placements: for each side and each bit of its number, which placements
/// have it.
type SlicedSides = [[u64; MOST_ROWS]; 2];

/// The rows of the largest strip, at N = 28.
const MOST_ROWS: usize = 7;

impl Placements {
    pub(super) fn clear(&mut self) {
        self.seam.clear();
        self.seam_edge.clear();
        self.middle.clear();
        self.sides.clear();
        self.lowest.clear();
        self.sliced.clear();
    }

    pub(super) fn push(&mut self, Placement { seam, middle, sides, lowest }: Placement) {
        self.push_crossed(seam, middle);
        self.sides.push(sides);
        self.lowest.push(lowest);
    }

    /// Puts a placement behind the others, without what it may be sorted by.
    pub(super) fn push_crossed(&mut self, seam: u64, middle: u64) {
        self.seam.push(seam as u32);
        self.seam_edge.push((seam >> 32) as u32);
        self.middle.push(middle);
    }

    /// Puts the placements of others behind these.
    pub(super) fn append(&mut self, others: &Placements) {
        self.seam.extend_from_slice(&others.seam);
        self.seam_edge.extend_from_slice(&others.seam_edge);
        self.middle.extend_from_slice(&others.middle);
    }

    /// The number of placements, until they are closed.
    pub(super) fn len(&self) -> usize {
        self.middle.len()
    }

    /// One of them, with what it may be sorted by.
    pub(super) fn placement(&self, place: usize) -> Placement {
        let (seam, middle) = (self.seam(place), self.middle[place]);
        Placement { seam, middle, sides: self.sides[place], lowest: self.lowest[place] }
    }

    /// Some of them, which have been closed.
    pub(super) fn part(&self, range: Range<usize>) -> Part<'_> {
        Part { placements: self, range }
    }

    /// The memory taken.
    pub(super) fn bytes(&self) -> usize {
        4 * (self.seam.capacity() + self.seam_edge.capacity())
            + 8 * self.middle.capacity()
            + size_of::<Sides>() * self.sides.capacity()
            + self.lowest.capacity()
            + size_of::<SlicedSides>() * self.sliced.capacity()
    }

    pub(super) fn seam(&self, place: usize) -> u64 {
        u64::from(self.seam[place]) | u64::from(self.seam_edge[place]) << 32
    }

    /// Makes the last placements part of a whole block.
    pub(super) fn close(&mut self) {
        self.seam.extend([0; BLOCK]);
        self.seam_edge.extend([0; BLOCK]);
        self.middle.extend([0; BLOCK]);
    }

    /// All of them.
    pub(super) fn all(&mut self) -> Part<'_> {
        let range = 0..self.middle.len();
        self.close();
        Part { placements: self, range }
    }

    /// Gives up what they are sorted by.
    pub(super) fn forget_order(&mut self) {
        self.sides = Vec::new();
        self.lowest = Vec::new();
    }

    /// Slices the rows.
    pub(super) fn slice_rows(&mut self) {
        self.sliced.extend(self.sides.chunks(BLOCK).map(sliced));
        // A block may begin anywhere in one of them and end in the next.
        self.sliced.extend([[[0; MOST_ROWS]; 2]; 2]);
    }
}

/// Up to [`BLOCK`] numbers of each side, by their bits.
fn sliced(sides: &[Sides]) -> SlicedSides {
    let mut sliced = [[0; MOST_ROWS]; 2];
    for (eighth, sides) in sides.chunks(8).enumerate() {
        for (side, words) in sliced.iter_mut().enumerate() {
            let mut bytes = [0; 8];
            for (byte, sides) in bytes.iter_mut().zip(sides) {
                *byte = sides[side];
            }
            let turned = turned(u64::from_le_bytes(bytes)).to_le_bytes();
            for (word, byte) in words.iter_mut().zip(turned) {
                *word |= u64::from(byte) << (8 * eighth);
            }
        }
    }
    sliced
}

/// A square of 8 by 8 bits turned over its main diagonal, by exchanging ever larger squares.
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

/// Some of the [`Placements`], which have been closed.
#[derive(Clone, Debug)]
pub(super) struct Part<'a> {
    placements: &'a Placements,
    range: Range<usize>,
}

impl<'a> Part<'a> {
    /// The placements in turn, [`BLOCK`] at a time.
    #[inline(always)]
    pub(super) fn blocks(&self) -> impl Iterator<Item = Block<'a>> + use<'a> {
        let Part { placements, ref range } = *self;
        let end = range.end;
        debug_assert!(end + BLOCK <= placements.middle.len(), "the last block is not closed");
        range.clone().step_by(BLOCK).filter_map(move |start| {
            Some(Block {
                length: (end - start).min(BLOCK),
                seam: placements.seam.get(start..)?.first_chunk()?,
                seam_edge: placements.seam_edge.get(start..)?.first_chunk()?,
                middle: placements.middle.get(start..)?.first_chunk()?,
                sliced: &placements.sliced,
                start,
            })
        })
    }
}

/// Up to [`BLOCK`] placements side by side; what follows them belongs to others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block<'a> {
    pub(super) length: usize,
    pub(super) seam: &'a [u32; BLOCK],
    pub(super) seam_edge: &'a [u32; BLOCK],
    pub(super) middle: &'a [u64; BLOCK],
    sliced: &'a [SlicedSides],
    /// Where the first placement stands in `sliced`.
    start: usize,
}

/// Which placements of a block have a number above another one, and which have that one, as bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Compared {
    pub(super) above: u64,
    pub(super) same: u64,
}

impl Block<'_> {
    /// Compares the rows that have their queen on one `side` with a number of `bits` bits, bit by bit
    /// from the highest one, for all placements at once. What is said of places beyond the length is
    /// of no account.
    #[inline(always)]
    pub(super) fn compare(&self, side: usize, bits: u32, number: u32) -> Compared {
        let mut compared = Compared { above: 0, same: u64::MAX };
        let sliced = self.sliced.get(self.start / BLOCK..).and_then(<[SlicedSides]>::first_chunk);
        debug_assert!(sliced.is_some(), "the rows are not sliced");
        let Some([begin, end]) = sliced else { return compared };
        let first = (self.start % BLOCK) as u32;
        for bit in (0..(bits as usize).min(MOST_ROWS)).rev() {
            let theirs = 0u64.wrapping_sub(u64::from(number >> bit & 1));
            let (begin, end) = (begin[side & 1][bit] >> first, end[side & 1][bit] << 1);
            let ours = begin | end << (BLOCK as u32 - 1 - first);
            compared.above |= compared.same & ours & !theirs;
            compared.same &= !(ours ^ theirs);
        }
        compared
    }
}
