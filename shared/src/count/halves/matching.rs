//! Counts the pairs of disjoint bit sets of two lists by *divide and conquer*: splits the lists by one
//! diagonal after another until they are so short that a bit-sliced comparison of all pairs is
//! faster.

use alloc::vec::Vec;

use super::{
    packing::Pack,
    portable::Portable,
    radix::{ClassSet, Classes, DividedList, MAX_RADIX, extend},
    sliced::{self, Sliced},
    vector::{Element, HotLoop, Lanes, SimdIsa, cut, first, first_lanes, rest},
};

/// An element of lists whose disjoint pairs a [`Matcher`] counts.
pub(super) trait MatchElement: Element {
    /// Counts the disjoint pairs of two lists, see [`Matcher::pairs`].
    fn pairs<M: SimdIsa>(
        matcher: &mut Matcher<M>,
        a: &mut [Self],
        b: &mut [Self],
        scratch: &mut [Self],
    ) -> u64;
}

impl MatchElement for u64 {
    fn pairs<M: SimdIsa>(
        matcher: &mut Matcher<M>,
        a: &mut [u64],
        b: &mut [u64],
        scratch: &mut [u64],
    ) -> u64 {
        matcher.pairs(a, b, scratch)
    }
}

impl MatchElement for u32 {
    fn pairs<M: SimdIsa>(
        matcher: &mut Matcher<M>,
        a: &mut [u32],
        b: &mut [u32],
        scratch: &mut [u32],
    ) -> u64 {
        matcher.narrow_pairs(a, b, scratch)
    }
}

/// Counts the disjoint pairs of two lists, with reusable buffers.
///
/// The elements that a split takes out of the lists are stored in a scratch buffer, which is used
/// like a stack: their pairs are counted before the remaining elements are split, and then their
/// space is free again.
pub(super) struct Matcher<M: SimdIsa> {
    machine: M,
    narrow: Vec<u32>,
    classified: [ClassifiedList; 2],
    divided: [Classes<LONG_PAGE>; 2],
    sliced: Sliced<M>,
}

/// If one of two lists is shorter than this, all pairs are compared.
const MIN_SPLIT_LENGTH: usize = 16;

impl<M: SimdIsa> Matcher<M> {
    pub(super) fn new(machine: M) -> Matcher<M> {
        let (narrow, classified, divided) = (Vec::new(), Default::default(), Default::default());
        Matcher { machine, narrow, classified, divided, sliced: Sliced::new(machine) }
    }

    /// Returns the size of the buffers in bytes.
    pub(super) fn bytes(&self) -> usize {
        let classified: usize = self.classified.iter().map(ClassifiedList::bytes).sum();
        let divided: usize = self.divided.iter().map(Classes::bytes).sum();
        4 * self.narrow.capacity() + classified + divided + self.sliced.bytes()
    }

    /// Counts the pairs of an element of `a` and an element of `b` that have no bit in common. Does
    /// not change the lists: it copies them to `scratch` first, in chunks if `scratch` is short.
    pub(super) fn pairs_of_copies<T: MatchElement>(
        &mut self,
        a: &[T],
        b: &[T],
        scratch: &mut [T],
    ) -> u64 {
        // The splits need as much space as the copies, so half of `scratch` is for the copies.
        let copied = scratch.len() / 2;
        if copied < MIN_SPLIT_LENGTH {
            return self.machine.run(OneByOne { many: a, few: b });
        }
        let mut sum = 0;
        for b in b.chunks(copied / 2) {
            for a in a.chunks(copied - b.len()) {
                let (a, left) = copy(a, scratch);
                let (b, left) = copy(b, left);
                sum += T::pairs(self, a, b, left);
            }
        }
        sum
    }

    /// Counts the pairs like [`pairs_of_copies`](Matcher::pairs_of_copies), but overwrites the
    /// lists. `scratch` should be as long as [`scratch_length`] returns; if it is shorter, more
    /// memory is allocated.
    pub(super) fn pairs(&mut self, a: &mut [u64], b: &mut [u64], scratch: &mut [u64]) -> u64 {
        let (many, few) = if a.len() < b.len() { (b, a) } else { (a, b) };
        if few.len() < MIN_SPLIT_LENGTH {
            return self.machine.run(OneByOne { many, few });
        }
        // The lists are split until they have at most `PACKED_LISTS` elements, which share few enough
        // diagonals to be packed or classified.
        let mut shared = self.machine.run(OverlapSample { many, few });
        let both = many.len() + few.len();
        let is_short = both <= PACKED_LISTS;
        // The union may share more diagonals than the sample, but only these numbers are worth two passes.
        let is_worth_a_pass =
            matches!(shared.diagonals.count_ones(), 0..=32 | MIN_CLASSIFIED..=MAX_CLASSIFIED);
        if is_short && is_worth_a_pass || shared.best.is_none() {
            shared.diagonals =
                self.machine.run(Union { list: many }) & self.machine.run(Union { list: few });
            match shared.diagonals.count_ones() {
                0 => return many.len() as u64 * few.len() as u64,
                ..=32 if is_short => return self.packed_pairs(many, few, shared.diagonals),
                MIN_CLASSIFIED..=MAX_CLASSIFIED if is_short => {
                    return self.classified_pairs(many, few, shared.diagonals);
                }
                _ => {}
            }
        }
        if both >= MIN_DIVIDED && scratch.len() >= both + SPARE_PLACES {
            return self.divided_pairs(many, few, shared.diagonals, scratch);
        }
        let diagonal = shared.best.unwrap_or(shared.diagonals.trailing_zeros());
        let mut more = Vec::new();
        let scratch = self.scratch_for_split(scratch, &mut more, many, few, diagonal);
        let Parts { without, with, few_without, left } = self.split(many, few, diagonal, scratch);
        let pairs = self.pairs(with, few_without, left);
        pairs + self.pairs(without, few, scratch)
    }

    /// Counts the pairs of lists that share at most 32 diagonals, after packing these diagonals of
    /// each element into a `u32`.
    fn packed_pairs(&mut self, many: &[u64], few: &[u64], shared: u64) -> u64 {
        let mut narrow = core::mem::take(&mut self.narrow);
        let both = many.len() + few.len();
        let all = scratch(&mut narrow, both + scratch_length(both));
        let (to_many, left) = cut(all, many.len());
        let (to_few, left) = cut(left, few.len());
        let many = self.machine.run(Pack { shared, from: many, to: to_many });
        let few = self.machine.run(Pack { shared, from: few, to: to_few });
        let pairs = self.narrow_pairs(many, few, left);
        self.narrow = narrow;
        pairs
    }

    /// Counts the pairs of lists that share at most [`MAX_CLASSIFIED`] diagonals, after dividing both by
    /// several diagonals at once and packing the other ones into a `u32`.
    fn classified_pairs(&mut self, many: &[u64], few: &[u64], shared: u64) -> u64 {
        let count = (shared.count_ones().saturating_sub(32) + MORE_DIVIDED).min(MAX_RADIX);
        let by = self.machine.run(MostShared { many, few, shared, count });
        let mut classified = core::mem::take(&mut self.classified);
        let mut narrow = core::mem::take(&mut self.narrow);
        let [a, b] = &mut classified;
        let lists = [(a, many), (b, few)].map(|(ClassifiedList { classes, pages }, list)| {
            extend(pages, Classes::<PAGE>::max_pages(list.len(), count), [0; PAGE]);
            classes.divide(self.machine, list, by, shared & !by, pages)
        });
        let all = [ClassSet::all(count); 2];
        let pairs = self.pairs_of_classes(lists, all, count, &mut |matcher, sets, both| {
            let space = scratch(&mut narrow, both + scratch_length(both));
            let [a, b, left] = copies_of_classes(lists, sets, space);
            matcher.narrow_pairs(a, b, left)
        });
        (self.classified, self.narrow) = (classified, narrow);
        pairs
    }

    /// Counts the pairs of long lists after dividing both by several diagonals at once. The pages are in
    /// `scratch`, which must have [`SPARE_PLACES`] in addition to the length of the lists.
    fn divided_pairs(
        &mut self,
        many: &mut [u64],
        few: &[u64],
        shared: u64,
        scratch: &mut [u64],
    ) -> u64 {
        let by = self.machine.run(MostShared { many, few, shared, count: LONG_RADIX });
        let mut classes = core::mem::take(&mut self.divided);
        let [a, b] = &mut classes;
        let places = Classes::<LONG_PAGE>::max_pages(many.len(), LONG_RADIX) * LONG_PAGE;
        let (pages, more_pages) = cut(scratch, places);
        let lists = [(a, &*many, pages), (b, few, more_pages)].map(|(classes, list, pages)| {
            classes.divide(self.machine, list, by, 0, pages.as_chunks_mut().0)
        });
        let count = by.count_ones();
        let all = [ClassSet::all(count); 2];
        let pairs = self.pairs_of_classes(lists, all, count, &mut |matcher, sets, both| {
            let mut more = Vec::new();
            // The longer list is in the pages now, so its space is free.
            let space =
                if both <= many.len() { &mut *many } else { self::scratch(&mut more, 2 * both) };
            let [a, b, left] = copies_of_classes(lists, sets, space);
            matcher.pairs(a, b, left)
        });
        self.divided = classes;
        pairs
    }

    /// Counts the pairs of two sets of classes. Splits by the first `left` of the dividing diagonals, each
    /// time the set with more elements. After the last split, no class of one set shares a dividing
    /// diagonal with a class of the other one; their pairs are counted by `count`, which receives the sets
    /// and the number of their elements.
    fn pairs_of_classes<T: Copy, const PAGE: usize>(
        &mut self,
        lists: [DividedList<'_, T, PAGE>; 2],
        sets: [ClassSet; 2],
        left: u32,
        count: &mut impl FnMut(&mut Self, [ClassSet; 2], usize) -> u64,
    ) -> u64 {
        let [a, b] = [0, 1].map(|side: usize| lists[side].length(sets[side]));
        if a == 0 || b == 0 {
            return 0;
        }
        let Some(diagonal) = left.checked_sub(1) else {
            return count(self, sets, a + b);
        };
        let (many, few) = if a < b { (1, 0) } else { (0, 1) };
        let (mut with, mut without) = (sets, sets);
        with[many] = sets[many].with(diagonal);
        with[few] = sets[few].without(diagonal);
        without[many] = sets[many].without(diagonal);
        self.pairs_of_classes(lists, with, diagonal, count)
            + self.pairs_of_classes(lists, without, diagonal, count)
    }

    /// Counts the pairs like [`pairs`](Matcher::pairs), but of 32-bit elements.
    pub(super) fn narrow_pairs(
        &mut self,
        a: &mut [u32],
        b: &mut [u32],
        scratch: &mut [u32],
    ) -> u64 {
        let (many, few) = if a.len() < b.len() { (b, a) } else { (a, b) };
        if few.len() < MIN_SPLIT_LENGTH {
            return self.machine.run(OneByOne { many, few });
        }
        let fits_block = many.len() <= sliced::block::<M>();
        let split =
            if fits_block { None } else { self.machine.run(OverlapSample { many, few }).best };
        let Some(diagonal) = split else {
            return self.machine.run(self.sliced.pairs(many, few));
        };
        let mut more = Vec::new();
        let scratch = self.scratch_for_split(scratch, &mut more, many, few, diagonal);
        let Parts { without, with, few_without, left } = self.split(many, few, diagonal, scratch);
        let pairs = self.narrow_pairs(with, few_without, left);
        pairs + self.narrow_pairs(without, few, scratch)
    }

    /// Returns `scratch` if it is long enough for a split by this diagonal, otherwise `more`, resized
    /// to the number of elements that the split takes out.
    fn scratch_for_split<'a, T: Element>(
        &self,
        scratch: &'a mut [T],
        more: &'a mut Vec<T>,
        many: &[T],
        few: &[T],
        diagonal: u32,
    ) -> &'a mut [T] {
        if scratch.len() >= many.len() + few.len() {
            return scratch;
        }
        // Counting the elements takes an extra pass over the lists, but saves memory.
        let without = |list| self.machine.run(OneByOne { many: list, few: &[T::bit(diagonal)] });
        let need = many.len() as u64 - without(many) + without(few);
        if scratch.len() as u64 >= need {
            return scratch;
        }
        more.resize(need as usize, T::default());
        more
    }

    /// Splits the longer list by a diagonal, and copies the elements of the shorter list that can match
    /// an element with the diagonal. `scratch` must be long enough for the elements of the longer list
    /// with the diagonal and for the copies.
    fn split<'a, 'b, T: Element>(
        &self,
        many: &'a mut [T],
        few: &[T],
        diagonal: u32,
        scratch: &'b mut [T],
    ) -> Parts<'a, 'b, T> {
        let diagonal = T::bit(diagonal);
        let (without, with) =
            self.machine.run(Partition { list: many, diagonal, with: &mut *scratch });
        let (with, left) = if T::Lanes::<M>::HAS_FAST_PARTITION {
            let (left, with) = cut(scratch, scratch.len().saturating_sub(with));
            (with, left)
        } else {
            cut(scratch, with)
        };
        let few_without =
            self.machine.run(CopyWithout { list: few, diagonal, without: &mut *left });
        let (few_without, left) = cut(left, few_without);
        Parts { without: first(many, without), with, few_without, left }
    }
}

/// A list of packed elements, divided into classes.
#[derive(Default)]
struct ClassifiedList {
    classes: Classes<PAGE>,
    pages: Vec<[u32; PAGE]>,
}

impl ClassifiedList {
    /// Returns the size of the buffers in bytes.
    fn bytes(&self) -> usize {
        size_of::<[u32; PAGE]>() * self.pages.capacity() + self.classes.bytes()
    }
}

/// Copies a set of classes of each list to the front of `space`. Returns both copies and the remaining
/// space.
fn copies_of_classes<'a, T: Copy, const PAGE: usize>(
    lists: [DividedList<'_, T, PAGE>; 2],
    sets: [ClassSet; 2],
    mut space: &'a mut [T],
) -> [&'a mut [T]; 3] {
    let [a, b] = [0, 1].map(|side: usize| {
        let length = lists[side].copy(sets[side], space);
        let (copy, rest) = cut(core::mem::take(&mut space), length);
        space = rest;
        copy
    });
    [a, b, space]
}

/// The result of a split.
struct Parts<'a, 'b, T> {
    /// The elements of the longer list without the diagonal, in place.
    without: &'a mut [T],
    /// The elements of the longer list with the diagonal.
    with: &'b mut [T],
    /// The elements of the shorter list without the diagonal.
    few_without: &'b mut [T],
    /// The rest of the scratch buffer.
    left: &'b mut [T],
}

/// Returns the length of a scratch buffer that suffices for all splits of two lists, of `both`
/// elements together, unless a split of long lists is very uneven. A split needs space for the
/// elements that it takes out, about half of the lists, until their pairs are counted. For short
/// lists the result is the worst case; for long lists [`Matcher`] allocates more if a split needs it.
pub(super) const fn scratch_length(both: usize) -> usize {
    both + if both < LONG { both } else { LONG }
}

/// Minimum total length of two lists that count as long, see [`scratch_length`].
const LONG: usize = 1 << 18;

/// Maximum number of elements of two lists that are packed or classified. With their scratch space, packed
/// lists take about 10 MB, and classified ones about 7 MB more.
const PACKED_LISTS: usize = 1 << 20;

/// Maximum number of diagonals that two lists share if they are classified.
const MAX_CLASSIFIED: u32 = 32 + MAX_RADIX;

/// Minimum number of diagonals that two lists share if they are classified. If they share fewer, they
/// are split once or twice and then packed, which takes as long.
const MIN_CLASSIFIED: u32 = 35;

/// Number of packed elements in a page.
const PAGE: usize = 64;

/// Number of 64-bit elements in a page. Long pages are copied with fewer misses of the address cache (TLB).
const LONG_PAGE: usize = 512;

/// Number of diagonals that divide long lists at once. With eight, elements are copied more often before
/// they are packed, and counts took longer.
const LONG_RADIX: u32 = 6;

/// Number of places in the pages of two long lists that may stay unused.
const SPARE_PLACES: usize = (2 * LONG_PAGE) << LONG_RADIX;

/// Minimum number of elements of two lists of 64-bit elements that are divided at once. Shorter ones, as those of
/// N = 23, took about 5 % longer than with single splits.
const MIN_DIVIDED: usize = 1 << 21;

/// Number of dividing diagonals in addition to those that do not fit into a packed element. They
/// replace splits of packed lists at hardly any cost.
const MORE_DIVIDED: u32 = 2;

/// Returns a buffer of at least `length` elements, which grows as needed.
fn scratch<T: Element>(buffer: &mut Vec<T>, length: usize) -> &mut [T] {
    if buffer.len() < length {
        // `Vec` itself would double the buffer; a sixteenth more than needed is enough.
        let new_length = length + length / 16;
        buffer.reserve_exact(new_length - buffer.len());
        buffer.resize(new_length, T::default());
    }
    buffer
}

/// Copies a list to the front of a buffer, and returns the copy and the remaining buffer.
fn copy<'a, T: Element>(list: &[T], scratch: &'a mut [T]) -> (&'a mut [T], &'a mut [T]) {
    let (copy, left) = cut(scratch, list.len());
    for (place, &element) in copy.iter_mut().zip(list) {
        *place = element;
    }
    (copy, left)
}

/// Number of elements of a list that are sampled to estimate how many have each diagonal.
const SAMPLE: usize = 64;

/// The diagonals that samples of two lists have in common.
struct SharedDiagonals {
    diagonals: u64,
    /// The diagonal whose frequencies in the two samples have the largest product: splitting by it
    /// excludes the most pairs.
    best: Option<u32>,
}

/// Returns the best diagonal to split by, estimated from samples of the lists; `None` if the samples
/// share no diagonal.
pub(super) fn most_shared(many: &[u64], few: &[u64]) -> Option<u32> {
    Portable.run(OverlapSample { many, few }).best
}

/// Estimates from samples of two lists which diagonals they share.
struct OverlapSample<'a, T> {
    many: &'a [T],
    few: &'a [T],
}

impl<T: Element, M: SimdIsa> HotLoop<M> for OverlapSample<'_, T> {
    type Output = SharedDiagonals;

    #[inline(always)]
    fn run(self, machine: M) -> SharedDiagonals {
        let (in_many, many) = count_diagonals(machine, self.many, SAMPLE);
        let (in_few, few) = count_diagonals(machine, self.few, SAMPLE);
        // The high bits are the product. The low bits are 63 minus the diagonal, so that the lowest
        // diagonal wins among equal products.
        let mut best = 0;
        let pairs = many.as_flattened().iter().zip(few.as_flattened());
        for (diagonal, (&many, &few)) in (0..64).zip(pairs) {
            best = best.max((u32::from(many) * u32::from(few)) << 6 | (63 - diagonal));
        }
        let diagonals = in_many & in_few;
        SharedDiagonals { diagonals, best: (diagonals != 0).then_some(63 - best % 64) }
    }
}

/// Estimates from samples of two lists which `count` of the `shared` diagonals exclude the most pairs if
/// the lists are split by them. Returns their set.
struct MostShared<'a> {
    many: &'a [u64],
    few: &'a [u64],
    shared: u64,
    count: u32,
}

/// Number of elements of a list that are sampled for [`MostShared`].
const LARGE_SAMPLE: usize = 255;

impl<M: SimdIsa> HotLoop<M> for MostShared<'_> {
    type Output = u64;

    #[inline(always)]
    fn run(self, machine: M) -> u64 {
        let MostShared { many, few, shared, count } = self;
        let [many, few] = [many, few].map(|list| count_diagonals(machine, list, LARGE_SAMPLE).1);
        let (many, few) = (many.as_flattened(), few.as_flattened());
        let mut chosen = 0;
        for _ in 0..count {
            let left = (0..64).filter(|diagonal| (shared & !chosen) >> diagonal & 1 == 1);
            let product = |&diagonal: &usize| u32::from(many[diagonal]) * u32::from(few[diagonal]);
            chosen |= left.max_by_key(product).map_or(0, |diagonal| 1 << diagonal);
        }
        chosen
    }
}

/// Samples a list at regular steps. Returns the union of the sampled elements, and for each diagonal
/// the number of sampled elements that have it.
#[inline(always)]
fn count_diagonals<M: SimdIsa, T: Element>(
    machine: M,
    list: &[T],
    sample: usize,
) -> (u64, [[u8; 8]; 8]) {
    let step = list.len().div_ceil(sample).max(1);
    let mut all = 0;
    let sample = list.iter().step_by(step).inspect(|element| all |= element.bits());
    let counts = machine.positional_popcount(sample.copied());
    (all, counts)
}

/// Computes the union of all elements.
struct Union<'a> {
    list: &'a [u64],
}

impl<M: SimdIsa> HotLoop<M> for Union<'_> {
    type Output = u64;

    #[inline(always)]
    fn run(self, _: M) -> u64 {
        self.list.iter().fold(0, |all, element| all | element)
    }
}

/// *Partitions* a list by a diagonal, as quicksort does: moves the elements without it to the front
/// of the list and the others to `with`. It writes the others to the end of `with` if the vectors
/// have a [fast partition](Lanes::HAS_FAST_PARTITION), otherwise to the front.
struct Partition<'a, T> {
    list: &'a mut [T],
    diagonal: T,
    with: &'a mut [T],
}

impl<T: Element, M: SimdIsa> HotLoop<M> for Partition<'_, T> {
    /// The numbers of elements without and with the diagonal.
    type Output = (usize, usize);

    #[inline(always)]
    fn run(self, machine: M) -> (usize, usize) {
        if T::Lanes::<M>::HAS_FAST_PARTITION {
            return self.run_with_partitions(machine);
        }
        let diagonal = T::Lanes::<M>::splat(machine, self.diagonal);
        let lanes = T::Lanes::<M>::LANES;
        let (mut without, mut with) = (0, 0);
        let mut place = 0;
        while place < self.list.len() {
            let left = rest(self.list, place);
            let valid = first_lanes(left.len());
            let elements = T::Lanes::<M>::load(machine, left);
            let free = elements.disjoint(diagonal);
            // The overwritten elements have been read already.
            let to = rest(self.list, without);
            without += elements.compress(free & valid, to);
            let to = rest(self.with, with);
            with += elements.compress(!free & valid & first_lanes(lanes), to);
            place += lanes;
        }
        (without, with)
    }
}

impl<T: Element> Partition<'_, T> {
    /// Writes both parts of a vector after one permutation. The elements with the diagonal fill `with`
    /// from its end downwards.
    #[inline(always)]
    fn run_with_partitions<M: SimdIsa>(self, machine: M) -> (usize, usize) {
        let Partition { list, diagonal, with } = self;
        let diagonal = T::Lanes::<M>::splat(machine, diagonal);
        let lanes = T::Lanes::<M>::LANES;
        let whole = list.len() - list.len() % lanes;
        // The incomplete last vector is read first, and its elements with the diagonal are written
        // first. `partition` needs all lanes, so the missing lanes count as elements without the
        // diagonal. This call drops all elements without the diagonal; the valid ones are written at
        // the end.
        let last = rest(list, whole);
        let valid = first_lanes(last.len());
        let last = T::Lanes::<M>::load(machine, last);
        let last_free = last.disjoint(diagonal);
        let mut end = with.len();
        let mut dropped = [T::default(); 32];
        let free_or_missing = last_free | !valid & first_lanes(lanes);
        end -= lanes - last.partition(free_or_missing, &mut dropped, with);
        let mut without = 0;
        for place in (0..whole).step_by(lanes) {
            let elements = T::Lanes::<M>::load(machine, rest(list, place));
            let free = elements.disjoint(diagonal);
            // The overwritten elements have been read already.
            let found = elements.partition(free, rest(list, without), first(with, end));
            without += found;
            end -= lanes - found;
        }
        without += last.compress(last_free & valid, rest(list, without));
        (without, with.len() - end)
    }
}

/// Copies the elements without a diagonal to the front of `without`, and returns their number.
struct CopyWithout<'a, 'b, T> {
    list: &'a [T],
    diagonal: T,
    without: &'b mut [T],
}

impl<T: Element, M: SimdIsa> HotLoop<M> for CopyWithout<'_, '_, T> {
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

/// Compares all elements of one list with all of another, and counts the disjoint pairs.
struct OneByOne<'a, T> {
    many: &'a [T],
    few: &'a [T],
}

/// Number of elements of the shorter list that are compared in one pass over the longer one.
const AT_ONCE: usize = 4;

impl<T: Element, M: SimdIsa> HotLoop<M> for OneByOne<'_, T> {
    type Output = u64;

    #[inline(always)]
    fn run(self, machine: M) -> u64 {
        let (all_at_once, others) = if T::Lanes::<M>::LANES >= AT_ONCE {
            self.few.as_chunks::<AT_ONCE>()
        } else {
            // With vectors this short, comparing several elements in one pass does not pay.
            (&[][..], self.few)
        };
        let mut pairs = 0;
        for few in all_at_once {
            pairs += compare(machine, self.many, few);
        }
        for few in others.as_chunks::<1>().0 {
            pairs += compare(machine, self.many, few);
        }
        pairs
    }
}

/// Counts the disjoint pairs of a list and a few elements.
#[inline(always)]
fn compare<M: SimdIsa, T: Element, const FEW: usize>(
    machine: M,
    many: &[T],
    few: &[T; FEW],
) -> u64 {
    let lanes = T::Lanes::<M>::LANES;
    let mut vectors = [T::Lanes::<M>::splat(machine, T::default()); FEW];
    for (vector, &element) in vectors.iter_mut().zip(few) {
        *vector = T::Lanes::<M>::splat(machine, element);
    }
    let mut pairs = 0;
    for chunk in many.chunks(lanes) {
        let (elements, valid) = (T::Lanes::<M>::load(machine, chunk), first_lanes(chunk.len()));
        // The results of several comparisons, up to 64 lanes, are collected in a word and counted
        // together.
        let (mut free, mut place) = (0, 0);
        for &vector in &vectors {
            if place + lanes > 64 {
                pairs += u64::from(u64::count_ones(free));
                (free, place) = (0, 0);
            }
            free |= u64::from(elements.disjoint(vector) & valid) << (place % 64);
            place += lanes;
        }
        pairs += u64::from(free.count_ones());
    }
    pairs
}
