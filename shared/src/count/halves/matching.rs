//! Counting the pairs of two lists that have no diagonal in common.

use alloc::vec::Vec;

use super::{
    sliced::{self, Sliced},
    vector::{Element, Kernel, Lanes, Machine, first, first_lanes, rest},
};

/// Counts pairs, and keeps the room for it.
pub(super) struct Matcher<M: Machine> {
    machine: M,
    wide: Vec<Level<u64>>,
    narrow: Vec<Level<u32>>,
    packed: [Vec<u32>; 2],
    sliced: Sliced<M>,
}

/// The room of one split.
struct Level<T> {
    /// The elements of the longer list that have the diagonal.
    with: Vec<T>,
    /// Those of the shorter list that do not.
    without: Vec<T>,
}

impl<T> Level<T> {
    fn new() -> Level<T> {
        Level { with: Vec::new(), without: Vec::new() }
    }

    fn bytes(&self) -> usize {
        size_of::<T>() * (self.with.capacity() + self.without.capacity())
    }
}

/// Lists shorter than this are compared one by one.
const FEW: usize = 16;

impl<M: Machine> Matcher<M> {
    pub(super) fn new(machine: M) -> Matcher<M> {
        Matcher {
            machine,
            wide: (0..64).map(|_| Level::new()).collect(),
            narrow: (0..32).map(|_| Level::new()).collect(),
            packed: [Vec::new(), Vec::new()],
            sliced: Sliced::new(),
        }
    }

    /// The memory taken so far.
    pub(super) fn bytes(&self) -> usize {
        let wide: usize = self.wide.iter().map(Level::bytes).sum();
        let narrow: usize = self.narrow.iter().map(Level::bytes).sum();
        let packed: usize = self.packed.iter().map(Vec::capacity).sum();
        wide + narrow + 4 * packed
    }

    /// The number of pairs of an element of `a` and one of `b` that have no bit in common. The
    /// lists are used up.
    pub(super) fn pairs(&mut self, a: &mut [u64], b: &mut [u64]) -> u64 {
        let mut levels = core::mem::take(&mut self.wide);
        let pairs = self.wide_pairs(a, b, &mut levels);
        self.wide = levels;
        pairs
    }

    fn wide_pairs(&mut self, a: &mut [u64], b: &mut [u64], levels: &mut [Level<u64>]) -> u64 {
        let (many, few) = if a.len() < b.len() { (b, a) } else { (a, b) };
        if few.len() < FEW {
            return self.machine.run(OneByOne { many, few });
        }
        // The splits go on until the diagonals that both lists have fit into half a word.
        let shared = self.machine.run(Union { list: many }) & self.machine.run(Union { list: few });
        let (Some((level, deeper)), 33..) = (levels.split_first_mut(), shared.count_ones()) else {
            return self.packed_pairs(many, few, shared);
        };
        let diagonal = most_shared(many, few).unwrap_or(shared.trailing_zeros());
        let (with, without, few_without) = self.split(many, few, diagonal, level);
        let pairs = self.wide_pairs(without, few, deeper);
        pairs + self.wide_pairs(with, few_without, deeper)
    }

    fn packed_pairs(&mut self, many: &[u64], few: &[u64], shared: u64) -> u64 {
        let packing = Packing::new(shared);
        let [mut a, mut b] = core::mem::take(&mut self.packed);
        let many = self.machine.run(Pack { packing, from: many, to: room(&mut a, many.len()) });
        let few = self.machine.run(Pack { packing, from: few, to: room(&mut b, few.len()) });
        let mut levels = core::mem::take(&mut self.narrow);
        let pairs = self.narrow_pairs(many, few, &mut levels);
        self.narrow = levels;
        self.packed = [a, b];
        pairs
    }

    fn narrow_pairs(&mut self, a: &mut [u32], b: &mut [u32], levels: &mut [Level<u32>]) -> u64 {
        let (many, few) = if a.len() < b.len() { (b, a) } else { (a, b) };
        if few.len() < FEW {
            return self.machine.run(OneByOne { many, few });
        }
        let split = if many.len() <= sliced::block::<M>() { None } else { most_shared(many, few) };
        let (Some(diagonal), Some((level, deeper))) = (split, levels.split_first_mut()) else {
            return self.machine.run(self.sliced.pairs(many, few));
        };
        let (with, without, few_without) = self.split(many, few, diagonal, level);
        let pairs = self.narrow_pairs(without, few, deeper);
        pairs + self.narrow_pairs(with, few_without, deeper)
    }

    /// Splits the longer list by a diagonal, and takes from the shorter one what goes with those
    /// that have it.
    fn split<'a, T: Element>(
        &self,
        many: &'a mut [T],
        few: &[T],
        diagonal: u32,
        level: &'a mut Level<T>,
    ) -> (&'a mut [T], &'a mut [T], &'a mut [T]) {
        let with = room(&mut level.with, many.len());
        let (without_length, with_length) =
            self.machine.run(Partition { list: many, diagonal, with });
        let without = room(&mut level.without, few.len());
        let few_length = self.machine.run(Without { list: few, diagonal, without });
        (first(with, with_length), first(many, without_length), first(without, few_length))
    }
}

/// The first `length` elements of a buffer that grows as needed.
fn room<T: Element>(buffer: &mut Vec<T>, length: usize) -> &mut [T] {
    if buffer.len() < length {
        // No more than that, not twice the room before.
        let most = length + length / 4;
        buffer.reserve_exact(most - buffer.len());
        buffer.resize(most, T::default());
    }
    first(buffer, length)
}

/// How many elements of a list are looked at to guess the shares of all.
const SAMPLE: usize = 64;

/// The diagonal whose shares in the two lists have the largest product: splitting by it leaves
/// the fewest pairs. `None` if a sample shows no diagonal in both.
fn most_shared<T: Element>(many: &[T], few: &[T]) -> Option<u32> {
    let (many, few) = (tally(many), tally(few));
    let mut best = (0, 0);
    for (diagonal, (&a, &b)) in (0..).zip(many.as_flattened().iter().zip(few.as_flattened())) {
        let product = u32::from(a) * u32::from(b);
        if product > best.0 {
            best = (product, diagonal);
        }
    }
    (best.0 > 0).then_some(best.1)
}

/// For each bit, how many elements of a sample have it.
fn tally<T: Element>(list: &[T]) -> [[u8; 8]; 8] {
    let mut counts = [0u64; 8];
    let step = list.len().div_ceil(SAMPLE).max(1);
    for element in list.iter().step_by(step) {
        for (count, byte) in
            counts.iter_mut().zip(element.bits().to_le_bytes()).take(size_of::<T>())
        {
            *count += SPREAD[byte as usize];
        }
    }
    counts.map(u64::to_le_bytes)
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

/// Moves up to 32 bits into the low half of a word: those that are there already stay, the
/// others fill the gaps.
#[derive(Clone, Copy)]
struct Packing {
    stay: u64,
    moves: [(u64, u32); 32],
    moved: usize,
}

impl Packing {
    fn new(bits: u64) -> Packing {
        let low = u64::from(u32::MAX);
        let (stay, mut high, mut gaps) = (bits & low, bits & !low, !bits & low);
        let mut packing = Packing { stay, moves: [(0, 0); 32], moved: 0 };
        while high != 0 && gaps != 0 {
            // As many neighbours at once as there are gaps side by side for them.
            let (from, to) = (high.trailing_zeros(), gaps.trailing_zeros());
            let run = (high >> from).trailing_ones().min((gaps >> to).trailing_ones());
            let mask = ((1 << run) - 1) << from;
            debug_assert!(packing.moved < 32, "more moves than bits");
            packing.moves[packing.moved & 31] = (mask, from - to);
            packing.moved += 1;
            high &= !mask;
            gaps &= !(mask >> (from - to));
        }
        debug_assert_eq!(high, 0, "more than 32 bits to pack");
        packing
    }
}

/// Elements packed at a time.
const PACKED: usize = 32;

/// Makes move after move with some elements at once, as it goes best with vectors.
#[inline(always)]
fn packed<const N: usize>(elements: &[u64; N], stay: u64, moves: &[(u64, u32)]) -> [u32; N] {
    let mut packed = elements.map(|element| element & stay);
    for &(mask, by) in moves {
        for (packed, element) in packed.iter_mut().zip(elements) {
            *packed |= (element & mask) >> by;
        }
    }
    packed.map(|element| element as u32)
}

struct Pack<'a, 'b> {
    packing: Packing,
    from: &'a [u64],
    to: &'b mut [u32],
}

impl<'b> Kernel for Pack<'_, 'b> {
    type Output = &'b mut [u32];

    #[inline(always)]
    fn run<M: Machine>(self) -> &'b mut [u32] {
        let Packing { stay, mut moves, moved } = self.packing;
        let moves = first(&mut moves, moved);
        let (whole, rest) = self.from.as_chunks::<PACKED>();
        let (whole_to, rest_to) = self.to.as_chunks_mut::<PACKED>();
        for (from, to) in whole.iter().zip(whole_to) {
            *to = packed(from, stay, moves);
        }
        for (&from, to) in rest.iter().zip(rest_to) {
            [*to] = packed(&[from], stay, moves);
        }
        self.to
    }
}

/// The diagonals that any element has.
struct Union<'a> {
    list: &'a [u64],
}

impl Kernel for Union<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<M: Machine>(self) -> u64 {
        self.list.iter().fold(0, |all, element| all | element)
    }
}

/// Moves the elements without a diagonal to the front of the list, the others to `with`.
struct Partition<'a, T> {
    list: &'a mut [T],
    diagonal: u32,
    with: &'a mut [T],
}

impl<T: Element> Kernel for Partition<'_, T> {
    /// How many are without it, and with it.
    type Output = (usize, usize);

    #[inline(always)]
    fn run<M: Machine>(self) -> (usize, usize) {
        let diagonal = T::Lanes::<M>::splat(T::bit(self.diagonal));
        let lanes = T::Lanes::<M>::LANES;
        let (mut without, mut with) = (0, 0);
        let mut place = 0;
        while place < self.list.len() {
            let left = rest(self.list, place);
            let there = first_lanes(left.len());
            let elements = T::Lanes::<M>::load(left);
            let free = elements.disjoint(diagonal);
            // What this overwrites has been read.
            let to = rest(self.list, without);
            without += elements.compress(free & there, to);
            let to = rest(self.with, with);
            with += elements.compress(!free & there & first_lanes(lanes), to);
            place += lanes;
        }
        (without, with)
    }
}

/// Copies the elements without a diagonal.
struct Without<'a, 'b, T> {
    list: &'a [T],
    diagonal: u32,
    without: &'b mut [T],
}

impl<T: Element> Kernel for Without<'_, '_, T> {
    type Output = usize;

    #[inline(always)]
    fn run<M: Machine>(self) -> usize {
        let diagonal = T::Lanes::<M>::splat(T::bit(self.diagonal));
        let mut length = 0;
        for chunk in self.list.chunks(T::Lanes::<M>::LANES) {
            let elements = T::Lanes::<M>::load(chunk);
            let free = elements.disjoint(diagonal) & first_lanes(chunk.len());
            let to = rest(self.without, length);
            length += elements.compress(free, to);
        }
        length
    }
}

/// Compares every element of one list with every one of another.
struct OneByOne<'a, T> {
    many: &'a [T],
    few: &'a [T],
}

impl<T: Element> Kernel for OneByOne<'_, T> {
    type Output = u64;

    #[inline(always)]
    fn run<M: Machine>(self) -> u64 {
        let mut pairs = 0;
        for &element in self.few {
            let element = T::Lanes::<M>::splat(element);
            for chunk in self.many.chunks(T::Lanes::<M>::LANES) {
                let free = T::Lanes::<M>::load(chunk).disjoint(element);
                pairs += u64::from((free & first_lanes(chunk.len())).count_ones());
            }
        }
        pairs
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::halves::portable::Portable;

    /// Sets of diagonals that look like chance but are always the same: of `width` diagonals,
    /// each is there in one of four.
    fn list(seed: u64, length: usize, width: u32) -> Vec<u64> {
        let mut state = seed;
        let mut word = || {
            // Knuth's multiplier; the high half is the better one.
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 32) << 32 | state.wrapping_mul(state | 5) >> 32
        };
        (0..length).map(|_| word() & word() & (u64::MAX >> (64 - width))).collect()
    }

    fn agrees<M: Machine>(machine: M) {
        let mut matcher = Matcher::new(machine);
        // Enough for Miri, which is slow, to come through all of the code.
        let (lengths, widths): (&[usize], &[u32]) = match cfg!(miri) {
            true => (&[40, 270], &[34]),
            false => (&[0, 1, 15, 16, 17, 64, 255, 256, 257, 600, 2500], &[1, 5, 20, 33, 44, 64]),
        };
        for &width in widths {
            for (seed, &many) in (1..).zip(lengths) {
                let shorter = |&&few: &&usize| few <= many && (few < 50 || !cfg!(miri));
                for &few in lengths.iter().filter(shorter) {
                    let (a, b) = (list(seed, many, width), list(seed + 100, few, width));
                    let of = |element: &u64| b.iter().filter(|&other| element & other == 0).count();
                    let expected: usize = a.iter().map(of).sum();
                    let (a, b) = (&mut a.clone()[..], &mut b.clone()[..]);
                    let found = matcher.pairs(a, b);
                    assert_eq!(found, expected as u64, "{many} and {few} of {width}");
                }
            }
        }
    }

    #[test]
    fn portable_code_finds_the_pairs_that_looking_at_each_finds() {
        agrees(Portable);
    }

    #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
    #[test]
    fn neon_finds_the_pairs_that_looking_at_each_finds() {
        agrees(crate::count::halves::neon::Neon);
    }

    #[cfg(all(target_arch = "x86_64", target_feature = "avx2", target_feature = "bmi2"))]
    #[test]
    fn avx2_finds_the_pairs_that_looking_at_each_finds() {
        // SAFETY: the tests only run on machines that have what AVX2 stands for.
        #[expect(unsafe_code, reason = "see above")]
        agrees(unsafe { crate::count::halves::avx2::Avx2::assume() });
    }
}
