//! What the hot loops ask of a machine's vectors.

/// A vector of elements of one type, used as sets of diagonals. Whoever has one has had the
/// machine's token: see [`Machine`].
pub(super) trait Lanes<T>: Copy {
    /// The machine that has such vectors.
    type Machine: Machine;

    /// The number of elements, at most 32.
    const LANES: usize;

    /// The same element in every lane.
    fn splat(machine: Self::Machine, value: T) -> Self;

    /// The first elements of a slice; lanes beyond its end are 0.
    fn load(machine: Self::Machine, from: &[T]) -> Self;

    /// The lanes whose sets have nothing in common with those of `other`, as bits.
    fn disjoint(self, other: Self) -> u32;

    /// The sets united, lane by lane.
    fn or(self, other: Self) -> Self;

    /// Writes the `chosen` lanes, side by side, to the front of a slice, and returns their
    /// number. What follows them in the slice, up to the length of a vector, may be overwritten;
    /// what does not fit into the slice is dropped.
    fn compress(self, chosen: u32, to: &mut [T]) -> usize;
}

/// The bits of a vector of 32-bit lanes as one long word.
pub(super) trait Words: Lanes<u32> {
    /// Counters of bits.
    type Counters: Copy;

    /// How many words the counters can count.
    const COUNTED: usize = usize::MAX;

    /// No bits counted yet.
    fn none(machine: Self::Machine) -> Self::Counters;

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
///
/// # The token
///
/// A value of such a type is the proof that the processor has the instructions. It is made by an
/// `unsafe` function, whose caller has asked the processor, or anywhere if every processor has them
/// that the code is compiled for. What uses the instructions takes a token, or a vector, and those
/// are only made with a token. That is all that the `unsafe` blocks of an instruction set rely on,
/// but for what they load and store.
///
/// The functions are to be inlined always: only then are they compiled for the instructions that
/// [`run`](Machine::run) allows, and vectors stay in registers.
pub(super) trait Machine: Copy + 'static {
    /// Sets of up to 64 diagonals.
    type Wide: Lanes<u64, Machine = Self>;
    /// Sets of up to 32 diagonals.
    type Narrow: Lanes<u32, Machine = Self>;
    /// A word of a [block](super::sliced::block), one bit for each of its elements.
    type Long: Words<Machine = Self>;

    /// Whether [`extract`](Machine::extract) is a single fast instruction.
    const EXTRACTS: bool = false;

    /// The bits of a word that stand in `mask`, which has at most 32, side by side from the lowest
    /// bit.
    #[inline(always)]
    fn extract(self, word: u64, mask: u64) -> u32 {
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
    fn fetch<T>(self, soon: &[T]) {
        let _ = soon;
    }

    /// Writes `base` plus the index of each bit of `chosen`, all among the lowest `bits`, to the front of
    /// a slice, in order, and returns their number. What follows them in the slice may be overwritten, up
    /// to 64 words from its start; what does not fit is dropped.
    #[inline(always)]
    fn number(self, chosen: u64, bits: usize, base: u16, to: &mut [u16]) -> usize {
        const AT_ONCE: usize = 4;
        debug_assert!(bits >= 64 || chosen >> bits == 0, "{chosen:b} in {bits} bits");
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

    /// For each bit, how many of at most 255 sets have it.
    #[inline(always)]
    fn tally<T: Element>(self, sets: impl Iterator<Item = T>) -> [[u8; 8]; 8] {
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

    /// Whether [`unite`](Machine::unite) takes few instructions, whatever is chosen.
    const UNITES: bool = false;

    /// Unites each of the `chosen` sets with another one, writes what comes of it side by side to the
    /// front of a slice, and returns its length. There are as many sets as a narrow vector has lanes.
    /// What follows in the slice may be overwritten, up to as many words from its start; what does not
    /// fit is dropped.
    #[inline(always)]
    fn unite(self, sets: &[u64], with: u64, chosen: u32, to: &mut [u64]) -> usize {
        unite(self, sets, with, chosen, to)
    }

    /// Runs a loop, compiled for this instruction set.
    fn run<K: Kernel<Self>>(self, kernel: K) -> K::Output;
}

/// A hot loop. Its `run` must be inlined, so that it is compiled for the instruction set of the
/// function around it.
pub(super) trait Kernel<M> {
    /// What it computes.
    type Output;

    /// The loop.
    fn run(self, machine: M) -> Self::Output;
}

/// A set of diagonals as one element of a list.
pub(super) trait Element: Copy + Default + 'static {
    /// The vector that holds it.
    type Lanes<M: Machine>: Lanes<Self, Machine = M>;

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

/// The bits of a byte, each as a byte.
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

/// [`Machine::unite`] by what all vectors have.
#[inline(always)]
pub(super) fn unite<M: Machine>(
    machine: M,
    sets: &[u64],
    with: u64,
    chosen: u32,
    to: &mut [u64],
) -> usize {
    let with = M::Wide::splat(machine, with);
    let mut united = 0;
    for place in (0..sets.len()).step_by(M::Wide::LANES) {
        let sets = M::Wide::load(machine, sets.get(place..).unwrap_or_default());
        let chosen = chosen >> place & first_lanes(M::Wide::LANES);
        united += sets.or(with).compress(chosen, rest(to, united.min(to.len())));
    }
    united
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
