//! Counts the solutions of one column set (*meet in the middle*): enumerates the placements of both
//! halves, in parts if they do not fit in memory, and counts the matching pairs.
//!
//! A *column set* is the set of columns used by the upper half of the board. At N = 6 the set
//! {0, 2, 5} puts the queens of rows 0 to 2 (from the top) in columns 0, 2 and 5, and those of rows 3
//! to 5 in columns 1, 3 and 4. Each placement of a half is stored as a bit set: the diagonals on
//! which its queens cross the middle of the board. Two placements form a solution if their bit sets
//! are disjoint.

use super::{
    ColumnSets, Symmetries,
    joining::{List, ListElement, MAX_LENGTH, PlacementFilter},
    line::exchanged,
    lists::{BothHalves, EnumerationLimit, EnumerationProgress, PlacementEnumerator},
    matching::{MatchElement, Matcher, most_shared, scratch_length},
    vector::{SimdIsa, cut},
};
use crate::{RowBits, Size};
use alloc::vec::Vec;

/// Board size and strip tables: everything needed to enumerate the halves.
#[derive(Clone, Copy)]
pub(super) struct HalfContext<'a> {
    pub(super) size: Size,
    pub(super) strips: &'a BothHalves,
}

impl<'a> HalfContext<'a> {
    /// Adds the columns and the key of one column set.
    fn with_columns(self, sets: &ColumnSets) -> ChosenHalves<'a> {
        let HalfContext { size, strips } = self;
        let symmetries = Symmetries::of(size);
        ChosenHalves { symmetries, strips, columns: [sets.top, sets.bottom], key: sets.key(size) }
    }
}

/// Counts column sets one after another with the vectors of one instruction set.
pub(super) trait CountColumnSet {
    /// Returns the number of solutions with these columns, each multiplied by its factor (see
    /// [`Symmetries`]).
    ///
    /// Solutions whose upper half crosses an `excluded` middle diagonal are left out. With random
    /// diagonals, this recounts a fraction of a large set.
    fn count(&mut self, half: HalfContext<'_>, sets: &ColumnSets, excluded: u64) -> u64;

    /// Counts one part of the set, without restriction, and returns its solutions and the number of
    /// parts.
    ///
    /// A set is divided into parts only if its lists exceed the memory limit; otherwise there is
    /// one part. `begin` is called after the set-up that all parts share, so that callers can time
    /// the part alone. It is not called if there is only one part.
    fn sample_part(
        &mut self,
        half: HalfContext<'_>,
        sets: &ColumnSets,
        part: usize,
        begin: &mut dyn FnMut(),
    ) -> (u64, usize);

    /// Estimates the number of solutions, without restriction, from a few partitions of each half's
    /// columns.
    fn rough_estimate(&mut self, half: HalfContext<'_>, sets: &ColumnSets) -> f64;

    /// Returns the size of the buffers in bytes.
    fn bytes(&self) -> usize;
}

/// Number of column partitions that a rough estimate enumerates for each half.
const ROUGH_PARTITIONS: usize = 32;

/// Soft limit for the placements of both halves in memory. The lower half may always add a sixteenth
/// of it (see [`ColumnSetCounter::pairs`]), and the last partition of each half may exceed it.
const MAX_PLACEMENTS: usize = 12_000_000;

// The last partitions of the two halves add at most 400,000 placements to the limits above. A list has
// room for all of them and for the matcher's scratch space.
const _: () = assert!(
    scratch_length(MAX_PLACEMENTS + MAX_PLACEMENTS / 16 + 400_000)
        <= MAX_LENGTH - (MAX_PLACEMENTS + MAX_PLACEMENTS / 16 + 400_000)
);

/// Counts column sets. The lists and buffers are reused from one set to the next.
pub(super) struct ColumnSetCounter<M: SimdIsa> {
    machine: M,
    enumerator: PlacementEnumerator,
    /// The lists of placements as 64-bit sets of diagonals (*wide*). They are used for rough estimates,
    /// and for boards whose placements cannot be encoded in 32 bits.
    lists: HalfLists<u64>,
    /// The lists of placements as 32-bit sets (*narrow*, see
    /// [`NarrowDiagonals`](super::line::NarrowDiagonals)). The boards that have them are small, so these
    /// lists are always enumerated completely.
    narrow_lists: HalfLists<u32>,
    matcher: Matcher<M>,
    /// [`MAX_PLACEMENTS`], or less in tests.
    max_placements: usize,
}

/// Indices of the two halves.
const TOP: usize = 0;
const BOTTOM: usize = 1;

/// The middle diagonals that a placement must cross and those that it must not cross.
///
/// For both halves, the bits stand for the same diagonals as in the upper half's placements. The lower
/// half is enumerated as its mirror image, which has the two directions exchanged, so
/// [`ChosenHalves::filter`] exchanges them.
#[derive(Clone, Copy, Default)]
struct DiagonalConstraint {
    required: u64,
    forbidden: u64,
}

/// A part of the pairs, given by the constraints that the upper and the lower placement fulfil.
type Part = [DiagonalConstraint; 2];

/// Divides a part by one diagonal after another, chosen as the [`Matcher`] chooses them, until the
/// two lists of each part together are expected to have at most `limit` placements. Appends the parts
/// to `divided`.
///
/// Two placements that both cross the diagonal cannot match. So each split produces only two parts.
/// The first one pairs the longer list's placements *without* the diagonal with the whole shorter
/// list. The second one pairs the longer list's placements *with* the diagonal with the shorter
/// list's placements without it.
fn divide(part: Part, samples: [&HalfSample; 2], limit: usize, divided: &mut Vec<Part>) {
    let expected = samples.map(HalfSample::expected);
    let [top, bottom] = samples.map(|sample| &sample.placements[..]);
    // A tenth of the limit is left free, because lists may get longer than expected.
    let is_short = expected[TOP] + expected[BOTTOM] <= limit / 10 * 9;
    let Some(diagonal) = most_shared(top, bottom).filter(|_| !is_short) else {
        return divided.push(part);
    };
    let diagonal = 1 << diagonal;
    let many = if expected[TOP] < expected[BOTTOM] { BOTTOM } else { TOP };
    let few = 1 - many;
    let [with, without] = samples[many].split(diagonal);
    let [_, few_without] = samples[few].split(diagonal);
    for (crosses, many_sample, few_sample) in
        [(false, &without, samples[few]), (true, &with, &few_without)]
    {
        let (mut part, mut samples) = (part, samples);
        (samples[many], samples[few]) = (many_sample, few_sample);
        if crosses {
            part[many].required |= diagonal;
            part[few].forbidden |= diagonal;
        } else {
            part[many].forbidden |= diagonal;
        }
        divide(part, samples, limit, divided);
    }
}

/// A sample of the placements of a half.
struct HalfSample {
    placements: Vec<u64>,
    /// Number of placements of the half that each sampled one represents.
    scale: usize,
}

/// Upper limit for the length of a sample, enough to choose diagonals and to estimate lengths.
const SAMPLE: usize = 1 << 14;

impl HalfSample {
    /// Returns the expected length of the complete list.
    fn expected(&self) -> usize {
        self.placements.len() * self.scale
    }

    /// Splits the sample into the placements with and without a diagonal.
    fn split(&self, diagonal: u64) -> [HalfSample; 2] {
        let (with, without) =
            self.placements.iter().partition(|&placement| placement & diagonal != 0);
        [with, without].map(|placements| HalfSample { placements, scale: self.scale })
    }
}

impl<M: SimdIsa> ColumnSetCounter<M> {
    pub(super) fn new(machine: M) -> ColumnSetCounter<M> {
        ColumnSetCounter {
            machine,
            enumerator: PlacementEnumerator::new(),
            lists: HalfLists::default(),
            narrow_lists: HalfLists::default(),
            matcher: Matcher::new(machine),
            max_placements: MAX_PLACEMENTS,
        }
    }

    /// Enumerates placements of a half, starting with partition `from`, until `amount` is reached.
    /// Replaces the half's lists. The upper half must be enumerated first; its lists stay valid while
    /// the lower half is enumerated.
    fn list(
        &mut self,
        chosen: ChosenHalves<'_>,
        side: usize,
        constraint: DiagonalConstraint,
        from: usize,
        amount: EnumerationLimit,
    ) -> EnumerationProgress {
        let ColumnSetCounter { machine, enumerator, lists, .. } = self;
        lists.fill(
            *machine,
            enumerator,
            chosen.strips,
            chosen.filter(side, constraint),
            from,
            amount,
        )
    }

    /// Counts like [`CountColumnSet::count`], but with lists of narrow diagonals.
    fn count_narrow(&mut self, chosen: ChosenHalves<'_>, excluded: u64) -> u64 {
        let ColumnSetCounter { machine, enumerator, narrow_lists, matcher, .. } = self;
        let whole = EnumerationLimit::Placements(usize::MAX);
        for (side, forbidden) in [(TOP, excluded), (BOTTOM, 0)] {
            let constraint = DiagonalConstraint { forbidden, ..DiagonalConstraint::default() };
            let filter = chosen.filter(side, constraint);
            narrow_lists.fill(*machine, enumerator, chosen.strips, filter, 0, whole);
        }
        narrow_lists.pairs(matcher, chosen.symmetries, false)
    }

    /// Returns the number of placements in the lists of a half.
    fn length(&mut self, side: usize) -> usize {
        self.lists.length(side)
    }

    /// Samples the lists of a half (*systematic sampling*: every `step`-th placement).
    fn sample(&mut self, side: usize, progress: EnumerationProgress) -> HalfSample {
        let step = self.length(side).div_ceil(SAMPLE).max(1);
        let listed = self.lists.lists_of(side);
        let placements =
            listed.into_iter().flatten().map(|element| *element).step_by(step).collect();
        // The finished partitions represent the others.
        HalfSample { placements, scale: step * progress.all / progress.done.max(1) }
    }

    /// Enumerates both halves. Returns `None` if both lists are complete within the memory limit.
    /// Otherwise uses the incomplete lists as samples, and returns the parts that must be enumerated
    /// separately.
    fn parts(&mut self, chosen: ChosenHalves<'_>, excluded: u64) -> Option<Vec<Part>> {
        let whole = [
            DiagonalConstraint { forbidden: excluded, ..DiagonalConstraint::default() },
            DiagonalConstraint::default(),
        ];
        let quarter = self.max_placements.div_ceil(4);
        let top = self.list(chosen, TOP, whole[TOP], 0, EnumerationLimit::Placements(3 * quarter));
        let left = self.max_placements.saturating_sub(self.length(TOP)).max(quarter);
        let bottom =
            self.list(chosen, BOTTOM, whole[BOTTOM], 0, EnumerationLimit::Placements(left));
        top.next().or(bottom.next())?;
        let samples = [self.sample(TOP, top), self.sample(BOTTOM, bottom)];
        let mut divided = Vec::new();
        divide(whole, samples.each_ref(), self.max_placements, &mut divided);
        Some(divided)
    }

    /// Enumerates the lists of one part and counts its pairs, in several pieces if the lists get
    /// longer than expected.
    fn pairs(&mut self, chosen: ChosenHalves<'_>, part: Part) -> u64 {
        let mut sum = 0;
        let mut from = Some(0);
        while let Some(partition) = from {
            from = self
                .list(
                    chosen,
                    TOP,
                    part[TOP],
                    partition,
                    EnumerationLimit::Placements(self.max_placements),
                )
                .next();
            let left = self
                .max_placements
                .saturating_sub(self.length(TOP))
                .max(self.max_placements.div_ceil(16));
            let left = EnumerationLimit::Placements(left);
            let mut from = Some(0);
            while let Some(partition) = from {
                from = self.list(chosen, BOTTOM, part[BOTTOM], partition, left).next();
                sum += self.pairs_of_listed(chosen, from.is_some());
            }
        }
        sum
    }

    /// Counts the disjoint pairs of the two enumerated halves, see [`HalfLists::pairs`].
    fn pairs_of_listed(&mut self, chosen: ChosenHalves<'_>, keeps_top: bool) -> u64 {
        self.lists.pairs(&mut self.matcher, chosen.symmetries, keeps_top)
    }
}

/// The lists of both halves.
#[derive(Default)]
struct HalfLists<T> {
    /// The upper half's placements, then the lower half's. The same bit stands for the same diagonal in
    /// both (see [`DiagonalConstraint`]).
    ///
    /// On even boards, these are the placements whose smaller row number (see
    /// [`Sides`](super::placements::Sides)) is greater than the key of the columns. On odd boards, they
    /// are the upper half's list `FARTHER` (see [`Centred`](super::centred::Centred)) and all placements
    /// of the lower half.
    above: List<T>,
    /// The number of the upper half's placements in `above`.
    top_length: usize,
    /// The placements of each half whose smaller row number equals the key. On odd boards, the upper
    /// half's list `EQUALLY_FAR` and an empty list.
    same: [List<T>; 2],
    /// On odd boards, the upper half's list `CENTRE`.
    centre: List<T>,
}

impl<T: ListElement + MatchElement> HalfLists<T> {
    /// Enumerates placements of a half, see [`ColumnSetCounter::list`].
    fn fill<M: SimdIsa>(
        &mut self,
        machine: M,
        enumerator: &mut PlacementEnumerator,
        strips: &BothHalves,
        filter: PlacementFilter,
        from: usize,
        amount: EnumerationLimit,
    ) -> EnumerationProgress {
        let is_upper = filter.is_upper;
        let side = if is_upper { TOP } else { BOTTOM };
        let (above, same) = (&mut self.above, &mut self.same[side]);
        let mut none = List::default();
        let centre = if is_upper { &mut self.centre } else { &mut none };
        above.truncate(if is_upper { 0 } else { self.top_length });
        same.truncate(0);
        centre.truncate(0);
        let lists = [above, same, centre];
        let progress = enumerator.enumerate_into(machine, strips, filter, from, amount, lists);
        if is_upper {
            self.top_length = self.above.len();
        } else {
            // The lower half was enumerated as its mirror image.
            let [above, same, _] = self.lists_of(side);
            above.iter_mut().chain(same).for_each(|diagonals| *diagonals = diagonals.exchanged());
        }
        progress
    }

    /// Returns the lists of a half.
    fn lists_of(&mut self, side: usize) -> [&mut [T]; 3] {
        let (top, bottom) = cut(self.above.elements(), self.top_length);
        let same = self.same[side].elements();
        match side {
            TOP => [top, same, self.centre.elements()],
            _ => [bottom, same, &mut []],
        }
    }

    /// Returns the number of placements in the lists of a half.
    fn length(&mut self, side: usize) -> usize {
        self.lists_of(side).iter().map(|list| list.len()).sum()
    }

    /// Counts the disjoint pairs of the two enumerated halves. Overwrites the list `above`, unless
    /// `keeps_top` is set because the upper half's placements are needed for the next piece of the
    /// lower half.
    fn pairs<M: SimdIsa>(
        &mut self,
        matcher: &mut Matcher<M>,
        symmetries: Symmetries,
        keeps_top: bool,
    ) -> u64 {
        let scratch = scratch_length(self.length(TOP) + self.length(BOTTOM));
        let HalfLists { above, top_length, same: [top_same, bottom_same], centre } = self;
        let (listed, scratch) = above.with_spare(scratch);
        let (top, bottom) = cut(listed, *top_length);
        let [top_same, bottom_same] = [top_same, bottom_same].map(List::elements);
        // The rows' key of a solution is the smallest row number of its two placements. It is greater
        // than the columns' key if both placements are in a list `above`. It equals the columns' key if
        // one placement is in a list `same` and the other one in `same` or `above`.
        let same = matcher.pairs_of_copies(bottom, top_same, scratch)
            + matcher.pairs_of_copies(bottom_same, top_same, scratch)
            + matcher.pairs_of_copies(top, bottom_same, scratch);
        let centre = matcher.pairs_of_copies(bottom, centre.elements(), scratch);
        let larger = if keeps_top {
            matcher.pairs_of_copies(top, bottom, scratch)
        } else {
            T::pairs(matcher, top, bottom, scratch)
        };
        match symmetries {
            Symmetries::Eight => 2 * larger + same,
            // All column sets have the middle column's queen in the upper half. The mirror from top to
            // bottom moves this queen to the lower half, so the mirror image is not counted by itself, and
            // the solution counts for both. Only a queen in the centre stays where it is; then the mirror
            // image is counted by itself. The reflection at the diagonal doubles `larger` again.
            Symmetries::Centred => 4 * larger + 2 * same + centre,
        }
    }

    /// Returns the size of the lists in bytes.
    fn bytes(&self) -> usize {
        [&self.above, &self.centre].into_iter().chain(&self.same).map(List::bytes).sum()
    }
}

/// The halves of one column set.
#[derive(Clone, Copy)]
struct ChosenHalves<'a> {
    symmetries: Symmetries,
    strips: &'a BothHalves,
    /// The columns of the upper and of the lower half.
    columns: [RowBits; 2],
    /// The [key](ColumnSets::key) of the columns.
    key: u32,
}

impl ChosenHalves<'_> {
    /// Returns the filter for the placements of a half.
    fn filter(
        self,
        side: usize,
        DiagonalConstraint { required, forbidden }: DiagonalConstraint,
    ) -> PlacementFilter {
        // The lower half is enumerated as its mirror image, which has the two directions exchanged.
        let in_half = |diagonals| if side == BOTTOM { exchanged(diagonals) } else { diagonals };
        PlacementFilter {
            columns: self.columns[side],
            is_upper: side == TOP,
            forbidden: in_half(forbidden),
            required: in_half(required),
            min_key: self.key,
            masks: [u32::MAX; 2],
        }
    }
}

impl<M: SimdIsa> CountColumnSet for ColumnSetCounter<M> {
    fn count(&mut self, half: HalfContext<'_>, sets: &ColumnSets, excluded: u64) -> u64 {
        let chosen = half.with_columns(sets);
        if chosen.strips.are_narrow() {
            return self.count_narrow(chosen, excluded);
        }
        match self.parts(chosen, excluded) {
            None => self.pairs_of_listed(chosen, false),
            Some(parts) => parts.into_iter().map(|part| self.pairs(chosen, part)).sum(),
        }
    }

    fn sample_part(
        &mut self,
        half: HalfContext<'_>,
        sets: &ColumnSets,
        part: usize,
        begin: &mut dyn FnMut(),
    ) -> (u64, usize) {
        let chosen = half.with_columns(sets);
        if chosen.strips.are_narrow() {
            return (self.count_narrow(chosen, 0), 1);
        }
        let parts = self.parts(chosen, 0).unwrap_or_default();
        let Some(&part) = part.checked_rem(parts.len()).and_then(|part| parts.get(part)) else {
            return (self.pairs_of_listed(chosen, false), 1);
        };
        begin();
        (self.pairs(chosen, part), parts.len())
    }

    fn rough_estimate(&mut self, half: HalfContext<'_>, sets: &ColumnSets) -> f64 {
        let (chosen, whole) = (half.with_columns(sets), DiagonalConstraint::default());
        // The first partition of each half is pseudo-random, but always the same for a column set.
        let random = u64::from(sets.top.bits()).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let halves = [(TOP, random >> 48), (BOTTOM, random >> 32 & 0xFFFF)].map(|(side, first)| {
            let amount =
                EnumerationLimit::Partitions { many: ROUGH_PARTITIONS, first: first as usize };
            self.list(chosen, side, whole, 0, amount)
        });
        // The finished partitions represent the others.
        let parts = halves.map(|EnumerationProgress { done, all }| all as f64 / done.max(1) as f64);
        self.pairs_of_listed(chosen, false) as f64 * parts[TOP] * parts[BOTTOM]
    }

    fn bytes(&self) -> usize {
        let lists = self.lists.bytes() + self.narrow_lists.bytes();
        size_of_val(self) + lists + self.enumerator.bytes() + self.matcher.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Method, Plan,
        count::halves::{columns::ColumnSetTasks, portable::Portable},
    };

    /// Counts each column set of a board. Strips with more rows than `max_single_table_rows` are
    /// joined from two tables, and the lists have at most about `max_placements` elements.
    fn counts(n: u32, max_single_table_rows: u32, max_placements: usize) -> Vec<u64> {
        let size = Size::new(n).unwrap();
        let strips = &BothHalves::with_tables(size, max_single_table_rows);
        let mut counter = ColumnSetCounter { max_placements, ..ColumnSetCounter::new(Portable) };
        let columns = ColumnSetTasks::new(size);
        let sets = (0..columns.len()).flat_map(|task| columns.sets(task));
        sets.map(|sets| counter.count(HalfContext { size, strips }, &sets, 0)).collect()
    }

    #[test]
    fn long_lists_matched_in_parts_have_the_same_pairs() {
        for n in if cfg!(miri) { [8, 7] } else { [22, 19] } {
            long_lists_have_the_same_pairs(Size::new(n).unwrap());
        }
    }

    fn long_lists_have_the_same_pairs(size: Size) {
        let strips = &BothHalves::with_tables(size, 4);
        let half = HalfContext { size, strips };
        let plan = Plan::new(size, Method::Halves);
        // On small boards most column sets have no pairs.
        let all = (plan.len() / 3..plan.len()).flat_map(|task| plan.column_sets(task).unwrap());
        let mut counted =
            all.map(|sets| (ColumnSetCounter::new(Portable).count(half, &sets, 0), sets));
        let (whole, sets) = counted.find(|&(whole, _)| whole > 0).unwrap();
        for part in [2, 9, 60] {
            let mut counter = ColumnSetCounter::new(Portable);
            counter.count(half, &sets, 0);
            let listed = counter.length(TOP) + counter.length(BOTTOM);
            counter.max_placements = (listed / part).max(1);
            assert_eq!(counter.count(half, &sets, 0), whole, "a {part}th of {listed}");
            if cfg!(miri) {
                continue;
            }
            // The parts can be counted one by one, each after the set-up that all of them share.
            let mut begun = 0;
            let mut sample = |part| counter.sample_part(half, &sets, part, &mut || begun += 1);
            let (first, parts) = sample(0);
            let others: u64 = (1..parts).map(|part| sample(part).0).sum();
            assert_eq!((first + others, sample(parts)), (whole, (first, parts)), "{parts} parts");
            assert!(parts > 1 && begun == parts + 1, "{parts} parts, {begun} times");
        }
        let mut counter = ColumnSetCounter::new(Portable);
        let sample = counter.sample_part(half, &sets, 7, &mut || panic!("there is only one part"));
        assert_eq!(sample, (whole, 1));
        // A restricted count in parts is also the same as in one.
        for excluded in [1, 0b1011_0010 << 20] {
            let mut counter = ColumnSetCounter::new(Portable);
            let part = counter.count(half, &sets, excluded);
            counter.max_placements = ((counter.length(TOP) + counter.length(BOTTOM)) / 9).max(1);
            assert_eq!(counter.count(half, &sets, excluded), part, "{excluded:#b}");
        }
    }

    #[test]
    fn narrow_diagonals_have_the_same_pairs() {
        for n in 1..=if cfg!(miri) { 6 } else { 18 } {
            let size = Size::new(n).unwrap();
            let (wide, narrow) = (BothHalves::with_tables(size, 5), BothHalves::new(size));
            assert!(narrow.are_narrow() && !wide.are_narrow(), "N = {n}");
            let [wide, narrow] = [&wide, &narrow].map(|strips| HalfContext { size, strips });
            let mut counter = ColumnSetCounter::new(Portable);
            let columns = ColumnSetTasks::new(size);
            let tasks = (0..columns.len()).step_by(1 + columns.len() / 50);
            let mut sum = 0;
            for sets in tasks.flat_map(|task| columns.sets(task)) {
                // The outermost diagonals have bits 0 to 3 on even boards (the third set) and the highest
                // bits on odd boards (the fourth set).
                for excluded in [0, 0b1001_0000, 0b1111, 0xff << (2 * n.saturating_sub(2))] {
                    let expected = counter.count(wide, &sets, excluded);
                    let found = counter.count(narrow, &sets, excluded);
                    assert_eq!(found, expected, "N = {n}, {sets:?}, {excluded:#b}");
                    sum += expected;
                }
            }
            assert!(sum > 0 || n < 4, "N = {n}");
        }
        assert!(!BothHalves::new(Size::new(19).unwrap()).are_narrow());
    }

    #[test]
    fn lists_matched_in_parts_have_the_same_pairs() {
        for n in 1..=if cfg!(miri) { 5 } else { 11 } {
            let whole = counts(n, 5, usize::MAX);
            for (max_single_table_rows, limit) in [(5, 3), (1, usize::MAX), (1, 1), (1, 4), (1, 20)]
            {
                let found = counts(n, max_single_table_rows, limit);
                assert_eq!(
                    found, whole,
                    "N = {n}, {max_single_table_rows} rows, {limit} at a time"
                );
            }
        }
    }
}
