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
    vector::{HotLoop, SimdIsa},
};

/// Maximum number of dividing diagonals.
pub(super) const MAX_RADIX: u32 = 8;

/// Maximum number of classes.
const CLASSES: usize = 1 << MAX_RADIX;

/// Number of elements in a page.
const PAGE: usize = 64;

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

/// A list of packed elements, divided into classes.
///
/// Each class is a chain of *pages*, so its length need not be known in advance.
pub(super) struct ClassifiedList {
    /// The pages of all classes. The first page of class i is page i.
    pages: Vec<[u32; PAGE]>,
    /// For each page, the page before it in its class.
    previous: Vec<u32>,
    /// For each class, the place after its last element: the page times [`PAGE`] plus the index.
    ends: [u32; CLASSES],
    /// For each class, the number of its full pages.
    full: [u32; CLASSES],
}

impl Default for ClassifiedList {
    fn default() -> ClassifiedList {
        let (pages, previous) = (Vec::new(), Vec::new());
        ClassifiedList { pages, previous, ends: [0; CLASSES], full: [0; CLASSES] }
    }
}

impl ClassifiedList {
    /// Returns the size of the buffers in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of::<[u32; PAGE]>() * self.pages.capacity() + 4 * self.previous.capacity()
    }

    /// Replaces the list. Divides the elements by the diagonals `by`, at most [`MAX_RADIX`], and stores
    /// only their `kept` diagonals, at most 32.
    pub(super) fn fill<M: SimdIsa>(&mut self, machine: M, list: &[u64], by: u64, kept: u64) {
        let classes = 1 << by.count_ones();
        let pages = classes + list.len() / PAGE;
        if self.pages.len() < pages {
            // `Vec` itself would double the buffers; a sixteenth more than needed is enough.
            let length = pages + pages / 16;
            self.pages.reserve_exact(length - self.pages.len());
            self.pages.resize(length, [0; PAGE]);
            self.previous.reserve_exact(length - self.previous.len());
            self.previous.resize(length, 0);
        }
        self.full = [0; CLASSES];
        for (class, end) in self.ends.iter_mut().enumerate() {
            *end = (class * PAGE) as u32;
        }
        let ClassifiedList { pages, previous, ends, full } = self;
        let places = pages.as_flattened_mut();
        let to = Writer { places, previous, ends, full, next_page: classes as u32 };
        machine.run(Classify { list, by, kept, to });
    }

    /// Returns the number of elements in a set of classes.
    pub(super) fn length(&self, set: ClassSet) -> usize {
        let lengths = set.classes().map(|class| {
            let class = class % CLASSES;
            self.full[class] as usize * PAGE + self.ends[class] as usize % PAGE
        });
        lengths.sum()
    }

    /// Copies the elements of a set of classes to the front of a slice, and returns their number.
    pub(super) fn copy(&self, set: ClassSet, to: &mut [u32]) -> usize {
        let mut length = 0;
        for class in set.classes() {
            let class = class % CLASSES;
            let end = self.ends[class] as usize;
            let (mut number, mut used) = (end / PAGE, end % PAGE);
            // The last page first.
            for _ in 0..=self.full[class] {
                let (Some(page), Some(&previous)) =
                    (self.pages.get(number), self.previous.get(number))
                else {
                    debug_assert!(false, "page {number} is missing");
                    break;
                };
                let to = to.get_mut(length..).unwrap_or_default();
                match to.first_chunk_mut::<PAGE>() {
                    // Copying a whole page takes less time than copying a part of it.
                    Some(to) => *to = *page,
                    None => to.iter_mut().zip(page).take(used).for_each(|(to, &from)| *to = from),
                }
                length += used;
                (number, used) = (previous as usize, PAGE);
            }
        }
        length
    }
}

/// The state of a loop that appends elements to the classes of a list.
struct Writer<'a> {
    places: &'a mut [u32],
    previous: &'a mut [u32],
    ends: &'a mut [u32; CLASSES],
    full: &'a mut [u32; CLASSES],
    /// The first unused page.
    next_page: u32,
}

impl Writer<'_> {
    /// Appends an element to a class.
    #[inline(always)]
    fn push<M: SimdIsa>(&mut self, machine: M, class: usize, element: u32) {
        const SIZE: u32 = PAGE as u32;
        let class = class % CLASSES;
        let place = self.ends[class];
        debug_assert!((place as usize) < self.places.len(), "there are too few pages");
        if let Some(to) = self.places.get_mut(place as usize) {
            *to = element;
        }
        let mut end = place + 1;
        if end.is_multiple_of(SIZE) {
            if let Some(previous) = self.previous.get_mut(self.next_page as usize) {
                *previous = place / SIZE;
            }
            self.full[class] += 1;
            end = self.next_page * SIZE;
            self.next_page += 1;
            // Pages are used in order, so the next one is known.
            let next = (self.next_page * SIZE) as usize;
            machine.prefetch(self.places.get(next..next + PAGE).unwrap_or_default());
        }
        self.ends[class] = end;
    }
}

/// Appends elements to the classes of a list.
struct Classify<'a> {
    list: &'a [u64],
    by: u64,
    kept: u64,
    to: Writer<'a>,
}

impl<M: SimdIsa> HotLoop<M> for Classify<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, machine: M) {
        let Classify { list, by, kept, mut to } = self;
        if M::HAS_PEXT {
            let mut push = |element| {
                let class = machine.extract_bits(element, by) as usize;
                to.push(machine, class, machine.extract_bits(element, kept));
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
            let packed = plan.pack(elements);
            for (class, packed) in classes(elements, by).into_iter().zip(packed) {
                to.push(machine, class as usize, packed);
            }
        }
        for &element in rest {
            let ([class], [packed]) = (classes(&[element], by), plan.pack(&[element]));
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
        let mut classified = ClassifiedList::default();
        for length in [0, 1, 63, 64, 65, 600, 5000, 40] {
            let list: Vec<u64> = (0..length)
                .map(|number| ((number * number) << 30) | (number << 1) | (number % 2))
                .collect();
            classified.fill(Portable, &list, by, kept);
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
                assert_eq!(classified.length(set), expected.len());
                assert_eq!(classified.copy(set, &mut copy), expected.len());
                expected.sort_unstable();
                copy.sort_unstable();
                assert_eq!(copy, expected, "{length} elements");
            }
        }
    }
}
