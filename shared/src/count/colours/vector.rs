//! Vectors of bytes: the operations of the kernel.

use super::lanes::Span;

/// An instruction set: its vectors of bytes, and how code is compiled for it.
///
/// # Tokens
///
/// A value of a type with this trait is a *token*: it proves that the processor has the
/// instructions. It is created by an `unsafe` function whose caller has queried the processor, or
/// safely if every processor that the code is compiled for has the instructions. Functions that use
/// the instructions take a token or a vector, and vectors are created only with a token. The
/// `unsafe` blocks of an instruction set rely on this, and on the lengths of the memory that they
/// load and store.
///
/// All functions must be inlined. Only then are they compiled for the instructions that
/// [`run`](ByteIsa::run) enables, and do vectors stay in registers.
pub(super) trait ByteIsa: Copy + 'static {
    /// The vector.
    type Bytes: Bytes<Isa = Self>;

    /// Runs a loop that is compiled for this instruction set.
    fn run<K: HotLoop<Self>>(self, hot_loop: K) -> K::Output;
}

/// A hot loop. Its `run` must be inlined, so that it is compiled for the instruction set of the
/// function around it.
pub(super) trait HotLoop<M> {
    /// The result of the loop.
    type Output;

    /// Runs the loop.
    fn run(self, isa: M) -> Self::Output;
}

/// A vector of bytes. A byte, or *lane*, is a set of up to [`SLOTS`](Bytes::SLOTS) placements, or a
/// number. Creating one requires the token of its instruction set.
pub(super) trait Bytes: Copy {
    /// The instruction set that has such vectors.
    type Isa: ByteIsa;
    /// A sum for each group of four neighbouring bytes.
    type Sums: Copy;

    /// The number of bytes, a multiple of 4 and at most 64.
    const LANES: usize;
    /// The number of placements in a byte, at most 8. With fewer, the population count is cheaper.
    const SLOTS: usize;

    /// Returns a vector with the same byte in every lane.
    fn splat(isa: Self::Isa, byte: u8) -> Self;

    /// Loads the first bytes of a slice; lanes beyond its end are 0.
    fn load(isa: Self::Isa, from: &[u8]) -> Self;

    /// The bits that are set in both.
    fn and(self, other: Self) -> Self;

    /// The bits that are set in `self` and not in `other`.
    fn and_not(self, other: Self) -> Self;

    /// The bits that are set in at least one of both.
    fn or(self, other: Self) -> Self;

    /// The sums of the bytes, without the carry.
    fn add(self, other: Self) -> Self;

    /// The sums of the bytes, at most 255.
    fn add_saturating(self, other: Self) -> Self;

    /// 1 for each byte of a sum whose [addition](Bytes::add) has exceeded 255.
    fn carry(self, addend: Self) -> Self;

    /// The number of placements in each byte.
    fn count(self) -> Self;

    /// Whether all bytes are 0.
    fn is_zero(self) -> bool;

    /// Whether a byte is 255.
    fn is_any_full(self) -> bool;

    /// Sums at zero.
    fn no_sums(isa: Self::Isa) -> Self::Sums;

    /// Adds the products of the bytes of two vectors. Those of `counts` must be less than 65, so that
    /// each sum grows by at most 4 · 255 · 64.
    fn add_products(sums: Self::Sums, bytes: Self, counts: Self) -> Self::Sums;

    /// The sums of the groups; unused ones at the end are 0.
    fn groups(sums: Self::Sums) -> [u32; 16];

    /// Transposes a square of as many vectors as a vector has bytes.
    fn transpose(isa: Self::Isa, rows: &mut [Self]);

    /// Copies the leaves whose lowest 12 bits are at least `least` and less than `least` + `amount` to
    /// the front of a list that is at least as long. Returns their number. May overwrite the rest of
    /// that list.
    #[inline(always)]
    fn select(_: Self::Isa, leaves: &[u32], least: u32, amount: u32, to: &mut [u32]) -> usize {
        let mut length = 0;
        for &leaf in leaves {
            if let Some(place) = to.get_mut(length) {
                *place = leaf;
            }
            length += usize::from((leaf & 0xfff).wrapping_sub(least) < amount);
        }
        length
    }

    /// Copies the masks that have no bit in common with `lines` to the front of a list that is at least
    /// as long. Returns their number. May overwrite the rest of that list.
    #[inline(always)]
    fn select_disjoint(_: Self::Isa, masks: &[u64], lines: u64, to: &mut [u64]) -> usize {
        let mut length = 0;
        for &mask in masks {
            if let Some(place) = to.get_mut(length) {
                *place = mask;
            }
            length += usize::from(mask & lines == 0);
        }
        length
    }

    /// Reads placements number `first` to `first` + [`SLOTS`](Bytes::SLOTS) − 1 of the list of each
    /// lane. Writes a vector for each line, whose bits tell which of these placements have a queen on
    /// the line, and returns which placements exist.
    #[inline(always)]
    fn planes(
        isa: Self::Isa,
        masks: &[u64],
        lanes: &[Span],
        first: usize,
        planes: &mut [Self; 64],
    ) -> Self {
        let mut bytes = [[0u8; 64]; 64];
        let mut existing = [0u8; 64];
        for (lane, (span, existing)) in lanes.iter().zip(&mut existing).enumerate() {
            let list = span.of(masks).get(first..).unwrap_or_default();
            for (slot, &lines) in list.iter().take(Self::SLOTS).enumerate() {
                let bit = 1 << slot;
                *existing |= bit;
                let mut left = lines;
                while left != 0 {
                    bytes[left.trailing_zeros() as usize & 63][lane & 63] |= bit;
                    left &= left - 1;
                }
            }
        }
        for (plane, bytes) in planes.iter_mut().zip(&bytes) {
            *plane = Self::load(isa, bytes);
        }
        Self::load(isa, &existing)
    }
}
