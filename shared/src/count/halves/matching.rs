//! Counting the pairs of two lists that have no diagonal in common.

use alloc::vec::Vec;

use super::{
    portable::Portable,
    sliced::{self, Sliced},
    vector::{Element, Kernel, Lanes, Machine, cut, first, first_lanes, rest},
};

/// Counts pairs, and keeps the room for it: what splits take out of the lists is laid one upon the
/// other, and makes room again as soon as it has been counted.
pub(super) struct Matcher<M: Machine> {
    machine: M,
    narrow: Vec<u32>,
    sliced: Sliced<M>,
}

/// Lists shorter than this are compared one by one.
const FEW: usize = 16;

impl<M: Machine> Matcher<M> {
    pub(super) fn new(machine: M) -> Matcher<M> {
        Matcher { machine, narrow: Vec::new(), sliced: Sliced::new(machine) }
    }

    /// The memory taken so far.
    pub(super) fn bytes(&self) -> usize {
        4 * self.narrow.capacity()
    }

    /// The number of pairs of an element of `a` and one of `b` that have no bit in common. Copies of
    /// the lists are matched, of parts of them if there is little room.
    pub(super) fn pairs_of_copies(&mut self, a: &[u64], b: &[u64], room: &mut [u64]) -> u64 {
        // The splits take as much as the copies.
        let copied = room.len() / 2;
        if copied < FEW {
            return self.machine.run(OneByOne { many: a, few: b });
        }
        let mut sum = 0;
        for b in b.chunks(copied / 2) {
            for a in a.chunks(copied - b.len()) {
                let (a, left) = copy(a, room);
                let (b, left) = copy(b, left);
                sum += self.pairs(a, b, left);
            }
        }
        sum
    }

    /// The same for lists that are used up. There is best as much room as [`for_splits`] says.
    pub(super) fn pairs(&mut self, a: &mut [u64], b: &mut [u64], room: &mut [u64]) -> u64 {
        let (many, few) = if a.len() < b.len() { (b, a) } else { (a, b) };
        if few.len() < FEW {
            return self.machine.run(OneByOne { many, few });
        }
        // The splits go on until the diagonals that both lists have fit into half a word.
        let mut shared = self.machine.run(Sample { many, few });
        let is_short = many.len() + few.len() <= PACKED_LISTS;
        if shared.diagonals.count_ones() <= 32 && (is_short || shared.most.is_none()) {
            shared.diagonals =
                self.machine.run(Union { list: many }) & self.machine.run(Union { list: few });
            if shared.diagonals == 0 {
                return many.len() as u64 * few.len() as u64;
            }
            if shared.diagonals.count_ones() <= 32 && is_short {
                return self.packed_pairs(many, few, shared.diagonals);
            }
        }
        let diagonal = shared.most.unwrap_or(shared.diagonals.trailing_zeros());
        let mut more = Vec::new();
        let room = self.enough(room, &mut more, many, few, diagonal);
        let Parts { without, with, few_without, left } = self.split(many, few, diagonal, room);
        let pairs = self.pairs(with, few_without, left);
        pairs + self.pairs(without, few, room)
    }

    fn packed_pairs(&mut self, many: &[u64], few: &[u64], shared: u64) -> u64 {
        let mut narrow = core::mem::take(&mut self.narrow);
        let both = many.len() + few.len();
        let all = room(&mut narrow, both + for_splits(both));
        let (to_many, left) = cut(all, many.len());
        let (to_few, left) = cut(left, few.len());
        let many = self.machine.run(Pack { shared, from: many, to: to_many });
        let few = self.machine.run(Pack { shared, from: few, to: to_few });
        let pairs = self.narrow_pairs(many, few, left);
        self.narrow = narrow;
        pairs
    }

    fn narrow_pairs(&mut self, a: &mut [u32], b: &mut [u32], room: &mut [u32]) -> u64 {
        let (many, few) = if a.len() < b.len() { (b, a) } else { (a, b) };
        if few.len() < FEW {
            return self.machine.run(OneByOne { many, few });
        }
        let in_one = many.len() <= sliced::block::<M>();
        let split = if in_one { None } else { self.machine.run(Sample { many, few }).most };
        let Some(diagonal) = split else {
            return self.machine.run(self.sliced.pairs(many, few));
        };
        let mut more = Vec::new();
        let room = self.enough(room, &mut more, many, few, diagonal);
        let Parts { without, with, few_without, left } = self.split(many, few, diagonal, room);
        let pairs = self.narrow_pairs(with, few_without, left);
        pairs + self.narrow_pairs(without, few, room)
    }

    /// The room as it is if it is enough for a split, otherwise `more` of it.
    fn enough<'a, T: Element>(
        &self,
        room: &'a mut [T],
        more: &'a mut Vec<T>,
        many: &[T],
        few: &[T],
        diagonal: u32,
    ) -> &'a mut [T] {
        if room.len() >= many.len() + few.len() {
            return room;
        }
        let without = |list| self.machine.run(OneByOne { many: list, few: &[T::bit(diagonal)] });
        let need = many.len() as u64 - without(many) + without(few);
        if room.len() as u64 >= need {
            return room;
        }
        // With the work of counting it again for every split that takes much out: so it is no more
        // than the elements themselves.
        more.resize(need as usize, T::default());
        more
    }

    /// Splits the longer list by a diagonal, and takes from the shorter one what goes with those
    /// that have it. There is enough room for what is taken out.
    fn split<'a, 'b, T: Element>(
        &self,
        many: &'a mut [T],
        few: &[T],
        diagonal: u32,
        room: &'b mut [T],
    ) -> Parts<'a, 'b, T> {
        let diagonal = T::bit(diagonal);
        let (without, with) =
            self.machine.run(Partition { list: many, diagonal, with: &mut *room });
        let (with, left) = cut(room, with);
        let few_without = self.machine.run(Without { list: few, diagonal, without: &mut *left });
        let (few_without, left) = cut(left, few_without);
        Parts { without: first(many, without), with, few_without, left }
    }
}

/// What comes of a split.
struct Parts<'a, 'b, T> {
    /// The elements of the longer list that do not have the diagonal, where they were.
    without: &'a mut [T],
    /// Those that have it.
    with: &'b mut [T],
    /// Those of the shorter list that do not.
    few_without: &'b mut [T],
    /// The room that is left.
    left: &'b mut [T],
}

/// The room that all splits of two lists take, but for very uneven ones: each needs as much as it
/// may take out, which is about half of the lists, and keeps that until what has the diagonal is
/// counted. Short lists can have it; of long ones it is counted what they need.
pub(super) const fn for_splits(both: usize) -> usize {
    both + if both < LONG { both } else { LONG }
}

/// Long lists.
const LONG: usize = 1 << 18;

/// The most elements of two lists that are packed: with their splits they take 10 MB.
const PACKED_LISTS: usize = 1 << 20;

/// The first `length` elements of a buffer that grows as needed.
fn room<T: Element>(buffer: &mut Vec<T>, length: usize) -> &mut [T] {
    if buffer.len() < length {
        // No more than that, not twice the room before.
        let most = length + length / 16;
        buffer.reserve_exact(most - buffer.len());
        buffer.resize(most, T::default());
    }
    buffer
}

/// A copy of a list in the front of a room, and the room that is left.
fn copy<'a>(list: &[u64], room: &'a mut [u64]) -> (&'a mut [u64], &'a mut [u64]) {
    let (copy, left) = cut(room, list.len());
    for (place, &element) in copy.iter_mut().zip(list) {
        *place = element;
    }
    (copy, left)
}

/// How many elements of a list are looked at to guess the shares of all.
const SAMPLE: usize = 64;

/// The diagonals that a sample shows in both of two lists.
struct Shared {
    diagonals: u64,
    /// The one whose shares in the two lists have the largest product: splitting by it leaves
    /// the fewest pairs.
    most: Option<u32>,
}

/// The diagonal by which it is best to split, as far as a sample of the lists tells.
pub(super) fn most_shared(many: &[u64], few: &[u64]) -> Option<u32> {
    Portable.run(Sample { many, few }).most
}

/// Looks at some elements of two lists for what both have.
struct Sample<'a, T> {
    many: &'a [T],
    few: &'a [T],
}

impl<T: Element, M: Machine> Kernel<M> for Sample<'_, T> {
    type Output = Shared;

    #[inline(always)]
    fn run(self, machine: M) -> Shared {
        let (in_many, many) = tally(machine, self.many);
        let (in_few, few) = tally(machine, self.few);
        // The product in the high bits; below it 63 less the diagonal, so that of equal products the one
        // of the lowest diagonal wins.
        let mut best = 0;
        let pairs = many.as_flattened().iter().zip(few.as_flattened());
        for (diagonal, (&many, &few)) in (0..64).zip(pairs) {
            best = best.max((u32::from(many) * u32::from(few)) << 6 | (63 - diagonal));
        }
        let diagonals = in_many & in_few;
        Shared { diagonals, most: (diagonals != 0).then_some(63 - best % 64) }
    }
}

/// The bits that the elements of a sample have, and for each bit how many have it.
#[inline(always)]
fn tally<M: Machine, T: Element>(machine: M, list: &[T]) -> (u64, [[u8; 8]; 8]) {
    let step = list.len().div_ceil(SAMPLE).max(1);
    let mut all = 0;
    let sample = list.iter().step_by(step).inspect(|element| all |= element.bits());
    let tally = machine.tally(sample.copied());
    (all, tally)
}

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

/// Packs what the elements of a list have of some diagonals, at most 32.
struct Pack<'a, 'b> {
    shared: u64,
    from: &'a [u64],
    to: &'b mut [u32],
}

impl<'b, M: Machine> Kernel<M> for Pack<'_, 'b> {
    type Output = &'b mut [u32];

    #[inline(always)]
    fn run(self, machine: M) -> &'b mut [u32] {
        if M::EXTRACTS {
            for (&from, to) in self.from.iter().zip(&mut *self.to) {
                *to = machine.extract(from, self.shared);
            }
            return self.to;
        }
        let Packing { stay, mut moves, moved } = Packing::new(self.shared);
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

impl<M: Machine> Kernel<M> for Union<'_> {
    type Output = u64;

    #[inline(always)]
    fn run(self, _: M) -> u64 {
        self.list.iter().fold(0, |all, element| all | element)
    }
}

/// Moves the elements without a diagonal to the front of the list, the others to `with`.
struct Partition<'a, T> {
    list: &'a mut [T],
    diagonal: T,
    with: &'a mut [T],
}

impl<T: Element, M: Machine> Kernel<M> for Partition<'_, T> {
    /// How many are without it, and with it.
    type Output = (usize, usize);

    #[inline(always)]
    fn run(self, machine: M) -> (usize, usize) {
        let diagonal = T::Lanes::<M>::splat(machine, self.diagonal);
        let lanes = T::Lanes::<M>::LANES;
        let (mut without, mut with) = (0, 0);
        let mut place = 0;
        while place < self.list.len() {
            let left = rest(self.list, place);
            let there = first_lanes(left.len());
            let elements = T::Lanes::<M>::load(machine, left);
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
    diagonal: T,
    without: &'b mut [T],
}

impl<T: Element, M: Machine> Kernel<M> for Without<'_, '_, T> {
    type Output = usize;

    #[inline(always)]
    fn run(self, machine: M) -> usize {
        let diagonal = T::Lanes::<M>::splat(machine, self.diagonal);
        let mut length = 0;
        for chunk in self.list.chunks(T::Lanes::<M>::LANES) {
            let elements = T::Lanes::<M>::load(machine, chunk);
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

impl<T: Element, M: Machine> Kernel<M> for OneByOne<'_, T> {
    type Output = u64;

    #[inline(always)]
    fn run(self, machine: M) -> u64 {
        let mut pairs = 0;
        for &element in self.few {
            let element = T::Lanes::<M>::splat(machine, element);
            for chunk in self.many.chunks(T::Lanes::<M>::LANES) {
                let free = T::Lanes::<M>::load(machine, chunk).disjoint(element);
                pairs += u64::from((free & first_lanes(chunk.len())).count_ones());
            }
        }
        pairs
    }
}
