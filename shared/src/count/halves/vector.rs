//! SIMD abstraction: vectors and bit operations of one instruction set.

/// A vector whose elements are sets of diagonals. Creating one requires the token of its instruction
/// set, see [`SimdIsa`].
pub(in crate::count) trait Lanes<T>: Copy {
    /// The instruction set that has such vectors.
    type SimdIsa: SimdIsa;

    /// The number of elements, at most 32.
    const LANES: usize;

    /// Returns a vector with the same element in every lane.
    fn splat(machine: Self::SimdIsa, value: T) -> Self;

    /// Loads the first elements of a slice; lanes beyond its end are 0.
    fn load(machine: Self::SimdIsa, from: &[T]) -> Self;

    /// Returns the lanes whose sets are disjoint from those of `other`, as bits.
    fn disjoint(self, other: Self) -> u32;

    /// Returns the union of the sets, lane by lane.
    fn or(self, other: Self) -> Self;

    /// Writes the `chosen` lanes side by side to the front of a slice, and returns their number.
    /// May overwrite as many elements of the slice as the vector has lanes. Lanes that do not fit
    /// are dropped. With four lanes a to d and `chosen` = 0b1010, the slice begins with b, d.
    fn compress(self, chosen: u32, to: &mut [T]) -> usize;

    /// Whether [`partition`](Lanes::partition) is a single fast permutation.
    const HAS_FAST_PARTITION: bool = false;

    /// Writes the lanes of `front` side by side to the front of a slice and the others to the end
    /// of another one, and returns the number of lanes of `front`. The order of the others does not
    /// matter. May overwrite as many elements at the front of the first slice, and at the end of
    /// the second one, as the vector has lanes. Lanes that do not fit are dropped.
    #[inline(always)]
    fn partition(self, front: u32, to_front: &mut [T], to_end: &mut [T]) -> usize {
        let others = !front & first_lanes(Self::LANES);
        let start = to_end.len().saturating_sub(others.count_ones() as usize);
        self.compress(others, rest(to_end, start));
        self.compress(front, to_front)
    }
}

/// A vector of 32-bit lanes used as a word of bits, or as part of one.
pub(in crate::count) trait Words: Lanes<u32> {
    /// Counters that add up the set bits of several words.
    type Counters: Copy;

    /// The maximum number of words that can be counted before the counters overflow.
    const MAX_COUNTED_WORDS: usize = usize::MAX;

    /// Returns counters at zero.
    fn zero(machine: Self::SimdIsa) -> Self::Counters;

    /// Returns the bits that are set in exactly one of the two.
    fn xor(self, other: Self) -> Self;

    /// Returns the bits that are set in both.
    fn and(self, other: Self) -> Self;

    /// Shifts each lane towards its highest bit by 1, 2, 4, 8 or 16.
    fn shift_left<const BY: i32>(self) -> Self;

    /// Shifts each lane towards its lowest bit by 1, 2, 4, 8 or 16.
    fn shift_right<const BY: i32>(self) -> Self;

    /// Adds the number of set bits in a word of up to [`WORD_VECTORS`](SimdIsa::WORD_VECTORS)
    /// vectors to the counters (*population count*).
    fn count<const N: usize>(word: [Self; N], counters: Self::Counters) -> Self::Counters;

    /// Returns the sum of the counters.
    fn sum(counters: Self::Counters) -> u64;

    /// Gathers the bytes of all elements of 32 vectors: afterwards, vectors 8·i to 8·i + 7 have byte i
    /// of every element. Implementations differ in the order of the elements, but each uses the same
    /// order for all four bytes.
    #[inline(always)]
    fn transpose_bytes(machine: Self::SimdIsa, rows: &mut [Self; 32]) {
        exchange_bytes(machine, rows);
    }
}

/// The first two steps of a [transposition](super::sliced::transpose), which move whole bytes.
#[inline(always)]
fn exchange_bytes<V: Words>(machine: V::SimdIsa, rows: &mut [V; 32]) {
    exchange::<V, 16>(machine, rows, 0x0000_ffff);
    exchange::<V, 8>(machine, rows, 0x00ff_00ff);
}

/// Exchanges the two off-diagonal quarters of each square of 2·`BY` by 2·`BY` bits. `low` is a mask of
/// the low `BY` bits in each group of 2·`BY` bits.
#[inline(always)]
pub(super) fn exchange<V: Words, const BY: i32>(machine: V::SimdIsa, rows: &mut [V], low: u32) {
    let (low, by) = (V::splat(machine, low), BY as usize);
    for square in rows.chunks_exact_mut(2 * by) {
        let (upper, lower) = square.split_at_mut(by);
        for (a, b) in upper.iter_mut().zip(lower) {
            let differ = a.shift_right::<BY>().xor(*b).and(low);
            *a = a.xor(differ.shift_left::<BY>());
            *b = b.xor(differ);
        }
    }
}

/// An instruction set: its vectors, and how code is compiled for it.
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
/// [`run`](SimdIsa::run) enables, and do vectors stay in registers.
pub(in crate::count) trait SimdIsa: Copy + 'static {
    /// Sets of up to 64 diagonals.
    type Wide: Lanes<u64, SimdIsa = Self>;
    /// Sets of up to 32 diagonals.
    type Narrow: Words<SimdIsa = Self>;

    /// The maximum number of vectors in a word of a [block](super::sliced::block), at most 4.
    const WORD_VECTORS: usize;

    /// Whether [`extract_bits`](SimdIsa::extract_bits) is a single fast instruction.
    const HAS_PEXT: bool = false;

    /// Returns the bits of `word` selected by `mask`, moved together from the lowest bit on
    /// (`PEXT`). `mask` has at most 32 bits. With `word` = 0b1101 and `mask` = 0b1010 the result is
    /// 0b10.
    #[inline(always)]
    fn extract_bits(self, word: u64, mask: u64) -> u32 {
        let (mut extracted, mut left, mut place) = (0, mask, 0);
        while left != 0 {
            extracted |= ((word >> left.trailing_zeros() & 1) as u32) << (place & 31);
            left &= left - 1;
            place += 1;
        }
        extracted
    }

    /// Prefetches a slice into the caches. Does nothing by default.
    #[inline(always)]
    fn prefetch<T>(self, soon: &[T]) {
        let _ = soon;
    }

    /// Writes `base` + i to the front of a slice for each set bit i of `chosen`, in order, and
    /// returns the number of set bits. All set bits must be among the lowest `bits`. The slice must
    /// have at least 64 words, and the first 64 may be overwritten.
    #[inline(always)]
    fn write_bit_indices(self, chosen: u64, bits: usize, base: u16, to: &mut [u16]) -> usize {
        const AT_ONCE: usize = 4;
        debug_assert!(bits >= 64 || chosen >> bits == 0, "{chosen:b} in {bits} bits");
        debug_assert!(chosen.count_ones() as usize <= to.len(), "{chosen:b} to {}", to.len());
        let mut left = chosen;
        // Each iteration writes four numbers, even if fewer are left. With fewer iterations, the branch
        // at the end is mostly predicted correctly.
        for places in to.chunks_mut(AT_ONCE) {
            for place in places {
                *place = base + (left.trailing_zeros() as u16 & 63);
                left &= left.wrapping_sub(1);
            }
            if left == 0 {
                break;
            }
        }
        chosen.count_ones() as usize
    }

    /// Counts, for each bit, the sets that have it (*positional population count*), of at most 255
    /// sets. The counts of 0b11, 0b01 and 0b01 are 3 for bit 0 and 1 for bit 1. The result has 64
    /// counts, in groups of 8.
    #[inline(always)]
    fn positional_popcount<T: Element>(self, sets: impl Iterator<Item = T>) -> [[u8; 8]; 8] {
        let mut counts = [0u64; 8];
        for set in sets {
            for (count, byte) in
                counts.iter_mut().zip(set.bits().to_le_bytes()).take(size_of::<T>())
            {
                *count += SPREAD[byte as usize];
            }
        }
        counts.map(u64::to_le_bytes)
    }

    /// Whether [`compress`](Lanes::compress) of narrow vectors is so fast that joining one placement
    /// with whole vectors of others pays.
    const HAS_FAST_NARROW_COMPRESS: bool = false;

    /// Whether [`or_compress`](SimdIsa::or_compress) packs lanes by a single instruction.
    const HAS_FAST_COMPRESS: bool = false;

    /// Writes `sets[i] | with` to the front of a slice for each set bit i of `chosen`, in order,
    /// and returns the number of set bits. There are as many sets as a narrow vector has lanes; up to
    /// that many words of the slice may be overwritten. Results that do not fit are dropped.
    #[inline(always)]
    fn or_compress(self, sets: &[u64], with: u64, chosen: u32, to: &mut [u64]) -> usize {
        or_compress_generic(self, sets, with, chosen, to)
    }

    /// Runs a loop that is compiled for this instruction set.
    fn run<K: HotLoop<Self>>(self, hot_loop: K) -> K::Output;
}

/// A hot loop. Its `run` must be inlined, so that it is compiled for the instruction set of the
/// function around it.
pub(in crate::count) trait HotLoop<M> {
    /// The result of the loop.
    type Output;

    /// Runs the loop.
    fn run(self, machine: M) -> Self::Output;
}

/// A set of diagonals as one element of a list.
pub(in crate::count) trait Element: Copy + Default + 'static {
    /// The vector of such elements.
    type Lanes<M: SimdIsa>: Lanes<Self, SimdIsa = M>;

    /// Returns the set of a single diagonal.
    fn bit(index: u32) -> Self;

    /// Returns the diagonals as bits.
    fn bits(self) -> u64;
}

impl Element for u64 {
    type Lanes<M: SimdIsa> = M::Wide;

    #[inline(always)]
    fn bit(index: u32) -> u64 {
        1 << (index & 63)
    }

    #[inline(always)]
    fn bits(self) -> u64 {
        self
    }
}

impl Element for u32 {
    type Lanes<M: SimdIsa> = M::Narrow;

    #[inline(always)]
    fn bit(index: u32) -> u32 {
        1 << (index & 31)
    }

    #[inline(always)]
    fn bits(self) -> u64 {
        self.into()
    }
}

/// Table that spreads the bits of a byte, each to a byte of its own.
const SPREAD: [u64; 256] = {
    let mut spread = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            spread[byte] |= (byte as u64 >> bit & 1) << (8 * bit);
            bit += 1;
        }
        byte += 1;
    }
    spread
};

/// Implements [`SimdIsa::or_compress`] with operations that all vectors have.
#[inline(always)]
pub(super) fn or_compress_generic<M: SimdIsa>(
    machine: M,
    sets: &[u64],
    with: u64,
    chosen: u32,
    to: &mut [u64],
) -> usize {
    let with = M::Wide::splat(machine, with);
    let mut length = 0;
    for place in (0..sets.len()).step_by(M::Wide::LANES) {
        let sets = M::Wide::load(machine, sets.get(place..).unwrap_or_default());
        let chosen = chosen >> place & first_lanes(M::Wide::LANES);
        length += sets.or(with).compress(chosen, rest(to, length.min(to.len())));
    }
    length
}

/// [`Lanes::compress`] for vectors without an instruction for it.
#[inline(always)]
pub(super) fn compress<T: Copy, const N: usize>(lanes: [T; N], chosen: u32, to: &mut [T]) -> usize {
    let mut length = 0;
    for (lane, element) in lanes.into_iter().enumerate() {
        if let Some(place) = to.get_mut(length) {
            *place = element;
        }
        length += (chosen >> lane & 1) as usize;
    }
    length
}

/// Returns the first `length` elements of a list, which must be that long.
#[inline(always)]
pub(super) fn first<T>(list: &mut [T], length: usize) -> &mut [T] {
    debug_assert!(length <= list.len(), "{length} of {} elements", list.len());
    list.get_mut(..length).unwrap_or_default()
}

/// Divides a list after its first `length` elements.
pub(super) fn cut<T>(list: &mut [T], length: usize) -> (&mut [T], &mut [T]) {
    debug_assert!(length <= list.len(), "{length} of {} elements", list.len());
    list.split_at_mut(length.min(list.len()))
}

/// Returns a list from `start` on, which must not be beyond its end.
#[inline(always)]
pub(super) fn rest<T>(list: &mut [T], start: usize) -> &mut [T] {
    debug_assert!(start <= list.len(), "from {start} of {} elements", list.len());
    list.get_mut(start..).unwrap_or_default()
}

/// Returns the bits of the first `length` lanes, or of all 32 if `length` is greater.
#[inline(always)]
pub(super) fn first_lanes(length: usize) -> u32 {
    if length >= 32 { u32::MAX } else { (1 << length) - 1 }
}
