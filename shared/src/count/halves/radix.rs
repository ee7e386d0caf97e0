//! *Radix partitioning*: divides a list by several diagonals at once. Each element is read and written
//! once, not once for each diagonal.
//!
//! The subset of the dividing diagonals that an element has is its *class*. If lists are divided by the
//! diagonals 4 and 7, there are four classes:
//!
//! ```text
//! class 0b00: neither   class 0b01: 4   class 0b10: 7   class 0b11: both
//! ```

use alloc::vec::Vec;

use super::{
    packing::{PACK_WIDTH, PackPlan},
    vector::{Element, HotLoop, SimdIsa},
};

/// Maximum number of dividing diagonals.
pub(super) const MAX_RADIX: u32 = 8;

/// Maximum number of classes.
const CLASSES: usize = 1 << MAX_RADIX;

/// A set of classes: those with all `required` diagonals and any of the `optional` ones.
#[derive(Clone, Copy)]
pub(super) struct ClassSet {
    required: usize,
    optional: usize,
}

impl ClassSet {
    /// Returns the set of all classes of this number of diagonals.
    pub(super) fn all(diagonals: u32) -> ClassSet {
        ClassSet { required: 0, optional: (1 << diagonals) - 1 }
    }

    /// Returns the classes with a diagonal, which must be optional.
    pub(super) fn with(self, diagonal: u32) -> ClassSet {
        ClassSet { required: self.required | 1 << diagonal, ..self.without(diagonal) }
    }

    /// Returns the classes without a diagonal, which must be optional.
    pub(super) fn without(self, diagonal: u32) -> ClassSet {
        ClassSet { optional: self.optional & !(1 << diagonal), ..self }
    }

    fn classes(self) -> impl Iterator<Item = usize> {
        let ClassSet { required, optional } = self;
        // The subsets of the optional diagonals, in ascending order.
        let next = move |subset: &usize| Some(subset.wrapping_sub(optional) & optional);
        let subsets = core::iter::successors(Some(0), next);
        subsets.take(1 << optional.count_ones()).map(move |subset| required | subset)
    }
}

/// The places of the elements of a divided list.
///
/// Each class is a chain of *pages* with `PAGE` elements, so its length need not be known in advance.
pub(super) struct Classes<const PAGE: usize> {
    /// For each page, the page before it in its class. The first page of class i is page i.
    previous: Vec<u32>,
    /// For each class, the place after its last element: the page times `PAGE` plus the index.
    ends: [u32; CLASSES],
    /// For each class, the number of its full pages.
    full: [u32; CLASSES],
}

impl<const PAGE: usize> Default for Classes<PAGE> {
    fn default() -> Self {
        Classes { previous: Vec::new(), ends: [0; CLASSES], full: [0; CLASSES] }
    }
}

impl<const PAGE: usize> Classes<PAGE> {
    /// Returns the size of the buffer in bytes.
    pub(super) fn bytes(&self) -> usize {
        4 * self.previous.capacity()
    }

    /// Returns the maximum number of pages of a list.
    pub(super) const fn max_pages(length: usize, diagonals: u32) -> usize {
        (1 << diagonals) + length / PAGE
    }

    /// Divides a list by the diagonals `by`, at most [`MAX_RADIX`]. Writes its elements to `pages`, of which
    /// there must be [`max_pages`](Classes::max_pages). Elements of 32 bits receive only the `kept`
    /// diagonals, at most 32.
    pub(super) fn divide<'a, M: SimdIsa, T: ClassElement>(
        &'a mut self,
        machine: M,
        list: &[u64],
        by: u64,
        kept: u64,
        pages: &'a mut [[T; PAGE]],
    ) -> DividedList<'a, T, PAGE> {
        extend(&mut self.previous, pages.len(), 0);
        self.full = [0; CLASSES];
        for (class, end) in self.ends.iter_mut().enumerate() {
            *end = (class * PAGE) as u32;
        }
        let Classes { previous, ends, full } = self;
        let (places, next_page) = (pages.as_flattened_mut(), 1 << by.count_ones());
        let to = Writer::<T, PAGE> { places, previous, ends, full, next_page };
        machine.run(Classify { list, by, kept, to });
        DividedList { classes: self, pages }
    }
}

/// Extends a buffer to at least this length, and a sixteenth more than needed. `Vec` itself would double it.
pub(super) fn extend<T: Copy>(buffer: &mut Vec<T>, length: usize, empty: T) {
    if buffer.len() < length {
        let new_length = length + length / 16;
        buffer.reserve_exact(new_length - buffer.len());
        buffer.resize(new_length, empty);
    }
}

/// A list divided into classes.
#[derive(Clone, Copy)]
pub(super) struct DividedList<'a, T, const PAGE: usize> {
    classes: &'a Classes<PAGE>,
    pages: &'a [[T; PAGE]],
}

impl<T: Copy, const PAGE: usize> DividedList<'_, T, PAGE> {
    /// Returns the number of elements in a set of classes.
    pub(super) fn length(&self, set: ClassSet) -> usize {
        let Classes { ends, full, .. } = self.classes;
        let lengths = set.classes().map(|class| {
            let class = class % CLASSES;
            full[class] as usize * PAGE + ends[class] as usize % PAGE
        });
        lengths.sum()
    }

    /// Copies the elements of a set of classes to the front of a slice, and returns their number.
    pub(super) fn copy(&self, set: ClassSet, to: &mut [T]) -> usize {
        let Classes { previous, ends, full } = self.classes;
        let mut length = 0;
        for class in set.classes() {
            let class = class % CLASSES;
            let end = ends[class] as usize;
            let (mut number, mut used) = (end / PAGE, end % PAGE);
            // The last page first.
            for _ in 0..=full[class] {
                let (Some(page), Some(&before)) = (self.pages.get(number), previous.get(number))
                else {
                    debug_assert!(false, "page {number} is missing");
                    break;
                };
                let to = to.get_mut(length..).unwrap_or_default();
                match to.first_chunk_mut::<PAGE>() {
                    // Copying a whole page takes less time than copying a part of it, unless it is long.
                    Some(to) if PAGE <= SHORT_PAGE => *to = *page,
                    _ => to.iter_mut().zip(page).take(used).for_each(|(to, &from)| *to = from),
                }
                length += used;
                (number, used) = (before as usize, PAGE);
            }
        }
        length
    }
}

/// Maximum number of elements in a page that is always copied as a whole.
const SHORT_PAGE: usize = 64;

/// An element of a divided list.
pub(super) trait ClassElement: Element {
    /// How many places behind the last element of a class the next ones are prefetched.
    const PREFETCHED: Option<u32>;

    /// Returns the `kept` diagonals of an element by `PEXT`.
    fn extract<M: SimdIsa>(machine: M, element: u64, kept: u64) -> Self;

    /// Returns the diagonals of a few elements that a plan packs.
    fn pack<const N: usize>(plan: &PackPlan, elements: &[u64; N]) -> [Self; N];
}

impl ClassElement for u32 {
    // The caches hold the last pages of all classes.
    const PREFETCHED: Option<u32> = None;

    #[inline(always)]
    fn extract<M: SimdIsa>(machine: M, element: u64, kept: u64) -> u32 {
        machine.extract_bits(element, kept)
    }

    #[inline(always)]
    fn pack<const N: usize>(plan: &PackPlan, elements: &[u64; N]) -> [u32; N] {
        plan.pack(elements)
    }
}

/// Elements of 64 bits keep all their diagonals.
impl ClassElement for u64 {
    // Two cache lines.
    const PREFETCHED: Option<u32> = Some(16);

    #[inline(always)]
    fn extract<M: SimdIsa>(_: M, element: u64, _: u64) -> u64 {
        element
    }

    #[inline(always)]
    fn pack<const N: usize>(_: &PackPlan, elements: &[u64; N]) -> [u64; N] {
        *elements
    }
}

/// The state of a loop that appends elements to the classes of a list.
struct Writer<'a, T, const PAGE: usize> {
    places: &'a mut [T],
    previous: &'a mut [u32],
    ends: &'a mut [u32; CLASSES],
    full: &'a mut [u32; CLASSES],
    /// The first unused page.
    next_page: u32,
}

impl<T: ClassElement, const PAGE: usize> Writer<'_, T, PAGE> {
    /// Appends an element to a class.
    #[inline(always)]
    fn push<M: SimdIsa>(&mut self, machine: M, class: usize, element: T) {
        let size = PAGE as u32;
        let class = class % CLASSES;
        let place = self.ends[class];
        debug_assert!((place as usize) < self.places.len(), "there are too few pages");
        if let Some(to) = self.places.get_mut(place as usize) {
            *to = element;
        }
        let mut end = place + 1;
        if end.is_multiple_of(size) {
            if let Some(previous) = self.previous.get_mut(self.next_page as usize) {
                *previous = place / size;
            }
            self.full[class] += 1;
            end = self.next_page * size;
            self.next_page += 1;
            // Pages are used in order, so the next one is known.
            let next = (self.next_page * size) as usize;
            machine.prefetch(self.places.get(next..next + SHORT_PAGE).unwrap_or_default());
        }
        if let Some(distance) = T::PREFETCHED {
            let soon = (place + distance) as usize;
            machine.prefetch(self.places.get(soon..=soon).unwrap_or_default());
        }
        self.ends[class] = end;
    }
}

/// Appends elements to the classes of a list.
struct Classify<'a, T, const PAGE: usize> {
    list: &'a [u64],
    by: u64,
    kept: u64,
    to: Writer<'a, T, PAGE>,
}

impl<M: SimdIsa, T: ClassElement, const PAGE: usize> HotLoop<M> for Classify<'_, T, PAGE> {
    type Output = ();

    #[inline(always)]
    fn run(self, machine: M) {
        let Classify { list, by, kept, mut to } = self;
        if M::HAS_PEXT {
            let mut push = |element| {
                let class = machine.extract_bits(element, by) as usize;
                to.push(machine, class, T::extract(machine, element, kept));
            };
            // Neighbouring elements often have the same class, and the next place of a class is known
            // only after its previous element. Elements from four parts of the list hide that latency.
            let quarter = list.len() / 4;
            let (first, others) = list.split_at(quarter);
            let (second, others) = others.split_at(quarter);
            let (third, others) = others.split_at(quarter);
            for (((&a, &b), &c), &d) in first.iter().zip(second).zip(third).zip(others) {
                push(a);
                push(b);
                push(c);
                push(d);
            }
            others.iter().skip(quarter).for_each(|&element| push(element));
            return;
        }
        let plan = PackPlan::new(kept);
        let (whole, rest) = list.as_chunks::<PACK_WIDTH>();
        for elements in whole {
            let packed = T::pack(&plan, elements);
            for (class, packed) in classes(elements, by).into_iter().zip(packed) {
                to.push(machine, class as usize, packed);
            }
        }
        for &element in rest {
            let ([class], [packed]) = (classes(&[element], by), T::pack(&plan, &[element]));
            to.push(machine, class as usize, packed);
        }
    }
}

/// Returns the classes of a few elements.
#[inline(always)]
fn classes<const N: usize>(elements: &[u64; N], by: u64) -> [u64; N] {
    let (mut classes, mut left, mut bit) = ([0; N], by, 0);
    while left != 0 {
        let diagonal = left.trailing_zeros();
        for (class, element) in classes.iter_mut().zip(elements) {
            *class |= (element >> diagonal & 1) << bit;
        }
        left &= left - 1;
        bit += 1;
    }
    classes
}

#[cfg(test)]
mod tests {
    use std::{vec, vec::Vec};

    use super::*;
    use crate::count::halves::portable::Portable;

    #[test]
    fn class_sets_have_the_required_and_any_optional_diagonals() {
        let classes = |set: ClassSet| set.classes().collect::<Vec<_>>();
        assert_eq!(classes(ClassSet::all(0)), [0]);
        assert_eq!(classes(ClassSet::all(2)), [0b00, 0b01, 0b10, 0b11]);
        let set = ClassSet::all(4).with(1).without(2);
        assert_eq!(classes(set), [0b0010, 0b0011, 0b1010, 0b1011]);
    }

    #[test]
    fn copies_the_elements_of_a_set_of_classes() {
        // Diagonals 0, 34 and 35 divide the list, and diagonals 1 to 32 are kept.
        let (by, kept) = (1 | 0b11 << 34, 0xffff_ffff << 1);
        let mut classes = Classes::<64>::default();
        for length in [0, 1, 63, 64, 65, 600, 5000, 40] {
            let list: Vec<u64> = (0..length)
                .map(|number| ((number * number) << 30) | (number << 1) | (number % 2))
                .collect();
            let mut pages = vec![[0; 64]; Classes::<64>::max_pages(list.len(), 3)];
            let divided = classes.divide(Portable, &list, by, kept, &mut pages);
            for set in
                [ClassSet::all(3), ClassSet::all(3).with(0), ClassSet::all(3).with(2).without(0)]
            {
                let has = |element: &&u64| {
                    let class = **element & 1 | **element >> 34 << 1 & 0b110;
                    set.classes().any(|other| other as u64 == class)
                };
                let mut expected: Vec<u32> = list
                    .iter()
                    .filter(has)
                    .map(|element| (element & kept) as u32 | (element >> 32 & 1) as u32)
                    .collect();
                let mut copy = vec![0; expected.len()];
                assert_eq!(divided.length(set), expected.len());
                assert_eq!(divided.copy(set, &mut copy), expected.len());
                expected.sort_unstable();
                copy.sort_unstable();
                assert_eq!(copy, expected, "{length} elements");
            }
        }
    }

    #[test]
    fn elements_of_64_bits_keep_all_diagonals() {
        let by = 0b101 << 40;
        let list: Vec<u64> =
            (0..3000).map(|number: u64| (number.pow(4) << 5) | (number % 7)).collect();
        let mut classes = Classes::<128>::default();
        let mut pages = vec![[0; 128]; Classes::<128>::max_pages(list.len(), 2)];
        let divided = classes.divide(Portable, &list, by, 0, &mut pages);
        let set = ClassSet::all(2).with(1);
        let mut expected: Vec<u64> =
            list.iter().copied().filter(|element| element >> 42 & 1 == 1).collect();
        assert!(expected.len() > 1000);
        let mut copy = vec![0; expected.len()];
        assert_eq!(divided.length(set), expected.len());
        assert_eq!(divided.copy(set, &mut copy), expected.len());
        expected.sort_unstable();
        copy.sort_unstable();
        assert_eq!(copy, expected);
    }
}
