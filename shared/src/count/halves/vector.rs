//! What the hot loops ask of a machine's vectors.

/// A vector of elements of one type, used as sets of diagonals.
pub(super) trait Lanes<T>: Copy {
    /// The number of elements, at most 32.
    const LANES: usize;

    /// The same element in every lane.
    fn splat(value: T) -> Self;

    /// The first elements of a slice; lanes beyond its end are 0.
    fn load(from: &[T]) -> Self;

    /// The lanes whose sets have nothing in common with those of `other`, as bits.
    fn disjoint(self, other: Self) -> u32;

    /// Writes the `chosen` lanes, side by side, to the front of a slice, and returns their
    /// number. What follows them in the slice, up to the length of a vector, may be overwritten;
    /// what does not fit into the slice is dropped.
    fn compress(self, chosen: u32, to: &mut [T]) -> usize;
}

/// The bits of a vector of 32-bit lanes as one long word, one bit for each element of a block.
pub(super) trait Words: Lanes<u32> {
    /// Counters of bits.
    type Counters: Copy;

    /// How many words the counters can count.
    const COUNTED: usize = usize::MAX;

    /// No bits.
    const ZERO: Self;

    /// No bits counted yet.
    const NONE: Self::Counters;

    /// The bits that either has.
    fn or(self, other: Self) -> Self;

    /// The bits that differ.
    fn xor(self, other: Self) -> Self;

    /// The bits that both have.
    fn and(self, other: Self) -> Self;

    /// Each lane shifted towards its highest bit by 1, 2, 4, 8 or 16.
    fn up<const BY: i32>(self) -> Self;

    /// Each lane shifted towards its lowest bit by 1, 2, 4, 8 or 16.
    fn down<const BY: i32>(self) -> Self;

    /// Adds the number of bits in the word.
    fn count(self, counters: Self::Counters) -> Self::Counters;

    /// The number of all bits counted.
    fn sum(counters: Self::Counters) -> u64;
}

/// An instruction set: its vectors, and how code is compiled for it.
pub(super) trait Machine: Copy + 'static {
    /// Sets of up to 64 diagonals.
    type Wide: Lanes<u64>;
    /// Sets of up to 32 diagonals.
    type Narrow: Words;

    /// Whether [`extract`](Machine::extract) is a single fast instruction.
    const EXTRACTS: bool = false;

    /// The bits of a word that stand in `mask`, which has at most 32, side by side from the lowest
    /// bit.
    #[inline(always)]
    fn extract(word: u64, mask: u64) -> u32 {
        let (mut extracted, mut left, mut place) = (0, mask, 0);
        while left != 0 {
            extracted |= ((word >> left.trailing_zeros() & 1) as u32) << (place & 31);
            left &= left - 1;
            place += 1;
        }
        extracted
    }

    /// Tells the machine that a slice will soon be read.
    #[inline(always)]
    fn fetch<T>(soon: &[T]) {
        let _ = soon;
    }

    /// Writes `base` plus the index of each bit of `chosen` to the front of a slice, in order, and
    /// returns their number. What follows them in the slice may be overwritten, up to 64 words
    /// from its start; what does not fit is dropped.
    #[inline(always)]
    fn number(chosen: u64, base: u16, to: &mut [u16]) -> usize {
        const AT_ONCE: usize = 4;
        debug_assert!(chosen.count_ones() as usize <= to.len(), "{chosen:b} to {}", to.len());
        let mut left = chosen;
        // A few at once, so that the end of the loop can mostly be foreseen.
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

    /// Runs a loop, compiled for this instruction set.
    fn run<K: Kernel>(self, kernel: K) -> K::Output;
}

/// A hot loop. Its `run` must be inlined, so that it is compiled for the instruction set of the
/// function around it.
pub(super) trait Kernel {
    /// What it computes.
    type Output;

    /// The loop.
    fn run<M: Machine>(self) -> Self::Output;
}

/// A set of diagonals as one element of a list.
pub(super) trait Element: Copy + Default + 'static {
    /// The vector that holds it.
    type Lanes<M: Machine>: Lanes<Self>;

    /// The set of a single diagonal.
    fn bit(index: u32) -> Self;

    /// The diagonals as bits.
    fn bits(self) -> u64;
}

impl Element for u64 {
    type Lanes<M: Machine> = M::Wide;

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
    type Lanes<M: Machine> = M::Narrow;

    #[inline(always)]
    fn bit(index: u32) -> u32 {
        1 << (index & 31)
    }

    #[inline(always)]
    fn bits(self) -> u64 {
        self.into()
    }
}

/// [`Lanes::compress`] for vectors that have no instruction for it.
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

/// The first `length` elements of a list, which has as many.
#[inline(always)]
pub(super) fn first<T>(list: &mut [T], length: usize) -> &mut [T] {
    debug_assert!(length <= list.len(), "{length} of {} elements", list.len());
    list.get_mut(..length).unwrap_or_default()
}

/// The first `length` elements of a list, and the others.
pub(super) fn cut<T>(list: &mut [T], length: usize) -> (&mut [T], &mut [T]) {
    debug_assert!(length <= list.len(), "{length} of {} elements", list.len());
    list.split_at_mut(length.min(list.len()))
}

/// A list from `start` on, which is at most its end.
#[inline(always)]
pub(super) fn rest<T>(list: &mut [T], start: usize) -> &mut [T] {
    debug_assert!(start <= list.len(), "from {start} of {} elements", list.len());
    list.get_mut(start..).unwrap_or_default()
}

/// The lanes from which `left` elements are still to be taken, as bits.
#[inline(always)]
pub(super) fn first_lanes(left: usize) -> u32 {
    if left >= 32 { u32::MAX } else { (1 << left) - 1 }
}
