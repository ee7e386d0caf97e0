//! Column sets up to symmetry, and their division into tasks.

use alloc::{vec, vec::Vec};

use crate::{RowBits, Size};

/// A *column set*: a partition of the columns between the halves of the board. All solutions whose
/// upper half has the columns `top` and whose lower half has `bottom` are counted together. The
/// middle row of an odd board belongs to the upper half.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColumnSets {
    /// The columns of the queens above the middle and, for odd N, in the middle row.
    pub top: RowBits,
    /// The columns of the queens below the middle. For odd N, the middle column is not among them.
    pub bottom: RowBits,
    /// The number of column sets that this one represents: 1, 2 or 4. They are its images under the
    /// mirrors of the board, including the set itself, and have the same count.
    pub weight: u32,
}

impl ColumnSets {
    /// Returns the key of the columns: the smallest of four numbers, one for each quarter of the
    /// board. A number has a bit for each column of the quarter, which is set if its queen is in
    /// the quarter.
    ///
    /// The column at the board's edge is the lowest bit; the middle column of an odd board has no
    /// bit. The mirrors of the board permute the four numbers. For N = 6 and `top` = {1, 3, 5}, the
    /// upper quarters have 0b010 (columns 0 to 2) and 0b101 (columns 5 to 3), the lower quarters
    /// 0b101 and 0b010, so the key is 0b010.
    pub fn key(&self, size: Size) -> u32 {
        let n = size.get();
        let side = (1 << (n / 2)) - 1;
        let smaller_quarter =
            |set: RowBits| (set.bits() & side).min(set.mirrored(size).bits() & side);
        smaller_quarter(self.top).min(smaller_quarter(self.bottom))
    }

    /// Returns whether this is a column set of the board: the two halves have as many columns as
    /// rows, together they have each column once, and the lower half does not have the middle column
    /// of an odd board.
    pub(super) fn is_valid_for(&self, size: Size) -> bool {
        let is_centred = Symmetries::of(size) == Symmetries::Centred;
        self.bottom.len() == size.get() / 2
            && self.top.len() + self.bottom.len() == size.get()
            && self.top | self.bottom == size.mask()
            && !(is_centred && self.bottom.contains(size.get() / 2))
    }
}

/// How a count by column sets uses the board's eight symmetries.
///
/// The weights of the sets account for the mirrors. The reflection at the diagonal decides how
/// often each solution counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Symmetries {
    /// For even N. A solution counts twice if its columns have the smaller key, once if both keys
    /// are equal, and not at all if its rows have the smaller key.
    ///
    /// The reflection at the diagonal exchanges the columns and the rows of a solution. So each
    /// solution has two keys: that of its [columns](ColumnSets::key), and that of its rows, which
    /// is the key of the reflected board's columns. If they differ, either the solution or its
    /// reflection has the smaller key in its columns. Only that one is counted, twice.
    Eight,
    /// For odd N. The queen of the middle row belongs to the upper half, and the lower half does not
    /// have the middle column, so the queen of the middle column is in the upper half as well. A
    /// solution counts four times if the middle column's queen is nearer to the centre than the
    /// middle row's queen, twice if both are equally far, and not at all if it is farther. With a
    /// queen in the centre it counts once.
    ///
    /// The reflection at the diagonal exchanges the two queens. The mirror from top to bottom
    /// yields the solutions with the middle column's queen in the lower half.
    Centred,
}

impl Symmetries {
    /// Returns the symmetries used for a board. A board of even N has no middle row.
    pub const fn of(size: Size) -> Symmetries {
        if size.get().is_multiple_of(2) { Symmetries::Eight } else { Symmetries::Centred }
    }
}

/// Returns the number of column sets including mirror images, which is the sum of all weights. The
/// lower half has N / 2 columns, rounded down; on odd boards the middle column is not one of them.
pub(crate) fn choices(size: Size) -> u64 {
    let half = size.get() / 2;
    binomial(2 * half, half)
}

/// The column sets of a board, divided into tasks.
#[derive(Clone, Copy, Debug)]
pub struct ColumnSetTasks {
    choices: Choices,
    tasks: u64,
    /// Distance between the ranges of consecutive tasks (see
    /// [`range_of`](ColumnSetTasks::range_of)).
    stride: u64,
}

impl ColumnSetTasks {
    /// Divides the column sets of this board into tasks.
    pub fn new(size: Size) -> ColumnSetTasks {
        let choices = Choices::new(size);
        let max_tasks = match size.get() {
            // At N = 18 the whole count takes about a second.
            0..=18 => 1 << 10,
            19..=20 => 1 << 12,
            // A count that takes days should lose little when it is interrupted.
            _ => 1 << 16,
        };
        let tasks = choices.len().min(max_tasks);
        ColumnSetTasks { choices, tasks, stride: coprime_from(tasks, tasks * 5 / 8 + 1) }
    }

    /// Returns the number of tasks, 1 to 65,536.
    #[expect(clippy::len_without_is_empty, reason = "there is at least one task")]
    pub fn len(&self) -> usize {
        self.tasks as usize
    }

    /// Returns the tasks in the order of their ranges. The column sets of neighbouring ranges share
    /// most of their columns.
    pub(crate) fn in_line(&self) -> Vec<usize> {
        let mut line = vec![0; self.len()];
        for task in 0..self.len() {
            let place = line.get_mut(self.range_of(task) as usize);
            debug_assert!(place.is_some(), "task {task} has no range");
            if let Some(place) = place {
                *place = task;
            }
        }
        line
    }

    /// Returns the index of a task's range. The numbers of all column sets are divided into `tasks`
    /// ranges of about equal length. Consecutive tasks get ranges far apart, so that the first
    /// tasks of a count are a good sample of all.
    fn range_of(&self, task: usize) -> u64 {
        task as u64 * self.stride % self.tasks
    }

    /// Iterates over the column sets of a task, without those that a mirror image represents.
    /// Consecutive sets share most of their columns, so their counts read nearly the same parts of
    /// the tables. Empty if there is no such task.
    pub fn sets(&self, task: usize) -> impl Iterator<Item = ColumnSets> + use<> {
        let ColumnSetTasks { choices, tasks, .. } = *self;
        let start = |range| choices.len() * range / tasks;
        let numbers = if task < self.len() {
            let range = self.range_of(task);
            start(range)..start(range + 1)
        } else {
            0..0
        };
        numbers.filter_map(move |number| choices.get(number))
    }
}

/// Returns a number near 0.618 · `whole` (the golden section) that is coprime to `whole`. Its
/// multiples modulo `whole` visit all numbers below `whole`, and those visited so far are always
/// spread about evenly (a *golden-ratio sequence*). For 8 it is 5, which visits 0, 5, 2, 7, 4, 1, 6,
/// 3.
pub(crate) fn golden_stride(whole: usize) -> usize {
    let whole = whole as u64;
    // 0.618 as a fraction of 2^32.
    coprime_from(whole, (whole * 2_654_435_769) >> 32) as usize
}

/// Returns the first number from `least` to `whole` that is coprime to `whole`, or 1 if there is
/// none.
fn coprime_from(whole: u64, least: u64) -> u64 {
    (least.max(1)..=whole).find(|&number| gcd(whole, number) == 1).unwrap_or(1)
}

/// Returns the greatest common divisor (Euclid's algorithm).
const fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// A numbering of a board's column sets.
///
/// On even boards, the number of a column set is the [`rank`] of the upper half's columns. Only
/// sets whose lower half has the last column are numbered, because the mirror from top to bottom
/// exchanges the two halves. At N = 6, number 0 is {0, 1, 2}, number 1 is {0, 1, 3}, and number 9 is
/// {2, 3, 4}.
///
/// On odd boards, the lower half's columns are numbered, one set of each pair of mirror images. The
/// columns form pairs of mirror images, from the edge inwards. The first pair of which the set has
/// exactly one column decides between the set and its mirror image: only the one with the lower
/// column is numbered. Sets with neither column of the outermost pair come first, then sets with
/// only its lower column, ordered by the rank of their other columns, then sets with both columns.
/// Within the first and the third of these groups, the next pair orders the sets in the same way.
/// At N = 5 the numbers 0 to 3 are {1, 3}, {0, 1}, {0, 3} and {0, 4}.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choices {
    size: Size,
    symmetries: Symmetries,
    len: u64,
}

impl Choices {
    pub(super) fn new(size: Size) -> Choices {
        let half = size.get() / 2;
        let symmetries = Symmetries::of(size);
        let len = match symmetries {
            Symmetries::Eight => binomial(size.last(), half),
            Symmetries::Centred => mirrored_sets(half, half),
        };
        Choices { size, symmetries, len }
    }

    /// Returns the length of the numbering, including the numbers of sets that their mirror image
    /// represents.
    pub(super) fn len(self) -> u64 {
        self.len
    }

    fn half(self) -> u32 {
        self.size.get() / 2
    }

    /// Returns the column set of this number, or `None` if its mirror image represents it or the
    /// number is too large.
    pub(super) fn get(self, number: u64) -> Option<ColumnSets> {
        if number >= self.len {
            return None;
        }
        match self.symmetries {
            Symmetries::Eight => self.by_rank(number),
            Symmetries::Centred => Some(self.centred(number)),
        }
    }

    /// Returns the column set of this number on an even board.
    fn by_rank(self, number: u64) -> Option<ColumnSets> {
        let top = unrank(number, self.half());
        // The other numbered set of the orbit, or `top` itself if the orbit has no other: `top`
        // mirrored from left to right and, if the upper half would then have the last column, also from
        // top to bottom.
        let mirrored = top.mirrored(self.size);
        let image = if mirrored.contains(self.size.last()) {
            mirrored.complement(self.size)
        } else {
            mirrored
        };
        if image.bits() < top.bits() {
            return None;
        }
        let weight = if image == top { 2 } else { 4 };
        Some(ColumnSets { top, bottom: top.complement(self.size), weight })
    }

    /// Returns the column set of this number on an odd board.
    fn centred(self, mut number: u64) -> ColumnSets {
        let last = self.size.last();
        let (mut bottom, mut left, mut members) = (RowBits::EMPTY, self.half(), self.half());
        let mut weight = 1;
        while left > 0 {
            let (first, inside) = (self.half() - left, left - 1);
            // The number of sets with neither column of this pair, and of those with only the lower column.
            let (neither, one) = (
                mirrored_sets(inside, members),
                members.checked_sub(1).map_or(0, |others| binomial(2 * inside, others)),
            );
            if number < neither {
                left = inside;
                continue;
            }
            number -= neither;
            bottom |= RowBits::of(first);
            members = members.saturating_sub(1);
            if number < one {
                // The set differs from its mirror image here, so the other columns are free. The
                // bits of `others` skip the middle column.
                let others = unrank(number, members).bits();
                let below = (1u32 << inside) - 1;
                let spread = others & below | (others & !below) << 1;
                bottom |= RowBits::from_bits(spread << (first + 1));
                weight = 2;
                break;
            }
            number -= one;
            bottom |= RowBits::of(last - first);
            members = members.saturating_sub(1);
            left = inside;
        }
        ColumnSets { top: self.size.mask() - bottom, bottom, weight }
    }
}

/// Returns the number of sets of `members` columns out of `pairs` pairs of mirrored columns,
/// counting a set and its mirror image once.
fn mirrored_sets(pairs: u32, members: u32) -> u64 {
    // A set equals its mirror image if it has both columns of a pair or neither.
    let own_mirrors = if members.is_multiple_of(2) { binomial(pairs, members / 2) } else { 0 };
    (binomial(2 * pairs, members) + own_mirrors) / 2
}

/// Returns the set of `members` columns that has this rank among all sets of its size, ordered as
/// binary numbers (combinatorial number system). With two members, ranks 0 to 3 are {0, 1}, {0, 2},
/// {1, 2} and {0, 3}.
fn unrank(mut rank: u64, members: u32) -> RowBits {
    let mut set = RowBits::EMPTY;
    for left in (1..=members).rev() {
        let mut column = left - 1;
        let mut below = 0;
        let mut next = 1;
        while next <= rank {
            below = next;
            column += 1;
            next = binomial(column + 1, left);
        }
        rank -= below;
        set |= RowBits::of(column);
    }
    set
}

/// Returns the rank of a set among all sets of its size: the inverse of [`unrank`].
pub(super) fn rank(set: RowBits) -> usize {
    let ranks = (1..).zip(set.columns()).map(|(number, column)| binomial(column, number));
    ranks.sum::<u64>() as usize
}

/// Returns the binomial coefficient `all` over `chosen`. Both are at most 32.
pub(super) fn binomial(all: u32, chosen: u32) -> u64 {
    debug_assert!(all <= 32 && chosen <= 32, "{chosen} out of {all}");
    let row = PASCAL.get(all as usize);
    row.and_then(|row| row.get(chosen as usize)).copied().map_or(0, u64::from)
}

const PASCAL: [[u32; 33]; 33] = {
    let mut rows = [[0; 33]; 33];
    let mut all = 0;
    while all < 33 {
        rows[all][0] = 1;
        let mut chosen = 1;
        while chosen <= all {
            rows[all][chosen] = rows[all - 1][chosen - 1] + rows[all - 1][chosen];
            chosen += 1;
        }
        all += 1;
    }
    rows
};

#[cfg(test)]
mod tests {
    use super::*;

    fn size(n: u32) -> Size {
        Size::new(n).unwrap()
    }

    #[test]
    fn unrank_is_the_inverse_of_rank() {
        for members in 0..=7 {
            let mut last = None;
            for number in 0..binomial(if cfg!(miri) { 8 } else { 14 }, members) {
                let set = unrank(number, members);
                assert_eq!((set.len(), rank(set) as u64), (members, number));
                assert!(last < Some(set.bits()));
                last = Some(set.bits());
            }
        }
        assert_eq!(binomial(32, 16), 601_080_390);
        assert_eq!(binomial(5, 6), 0);
    }

    #[test]
    fn weights_sum_to_the_number_of_column_sets() {
        for n in 1..=if cfg!(miri) { 9 } else { 19 } {
            let all = Choices::new(size(n));
            let weights = (0..all.len()).filter_map(|number| all.get(number));
            let sum: u64 = weights.map(|sets| u64::from(sets.weight)).sum();
            assert_eq!(sum, binomial(n / 2 * 2, n / 2), "N = {n}");
            assert_eq!(choices(size(n)), sum, "N = {n}");
            assert_eq!(all.get(all.len()), None);
        }
    }

    #[test]
    fn tasks_contain_each_column_set_once() {
        for n in 1..=if cfg!(miri) { 9 } else { 18 } {
            let columns = ColumnSetTasks::new(size(n));
            let top = |sets: ColumnSets| sets.top.bits();
            let mut sets: Vec<_> =
                (0..columns.len()).flat_map(|task| columns.sets(task)).map(top).collect();
            sets.sort_unstable();
            let choices = columns.choices;
            let mut all: Vec<_> =
                (0..choices.len()).filter_map(|number| choices.get(number)).map(top).collect();
            all.sort_unstable();
            assert_eq!(sets, all, "N = {n}");
            all.dedup();
            assert_eq!(sets, all, "N = {n}");
            assert_eq!(columns.sets(columns.len()).count(), 0);
            assert_eq!(columns.sets(usize::MAX).count(), 0);
        }
    }

    #[test]
    fn top_and_bottom_sets_partition_the_columns() {
        for n in 1..=if cfg!(miri) { 9 } else { 15 } {
            let choices = Choices::new(size(n));
            for sets in (0..choices.len()).filter_map(|number| choices.get(number)) {
                assert_eq!(sets.top | sets.bottom, size(n).mask());
                assert_eq!(sets.top.len() + sets.bottom.len(), n);
                assert_eq!(sets.bottom.len(), n / 2);
                assert!(n % 2 == 0 || sets.top.contains(n / 2), "{sets:?}");
                assert!(sets.is_valid_for(size(n)), "{sets:?}");
            }
        }
    }

    #[test]
    fn numbers_one_of_two_mirrored_bottom_sets() {
        for n in [1, 3, 5, 7, 9, 11, 13].into_iter().take(if cfg!(miri) { 4 } else { 7 }) {
            let mirrored = |set: u32| set.reverse_bits() >> (32 - n);
            let choices = Choices::new(size(n));
            let numbered: Vec<_> = (0..choices.len()).filter_map(|i| choices.get(i)).collect();
            let mask = size(n).mask().bits() & !(1 << (n / 2));
            for set in (0..=mask).filter(|set| set & !mask == 0 && set.count_ones() == n / 2) {
                let orbit = [set, mirrored(set)];
                let in_orbit = numbered.iter().filter(|sets| orbit.contains(&sets.bottom.bits()));
                let weights: Vec<_> = in_orbit.map(|sets| sets.weight).collect();
                assert_eq!(weights, [1 + u32::from(set != mirrored(set))], "N = {n}: {set:b}");
            }
        }
    }

    #[test]
    fn orbits_of_small_boards_match_enumeration() {
        use std::collections::BTreeSet;
        for n in [2, 4, 6, 8, 10].into_iter().take(if cfg!(miri) { 3 } else { 5 }) {
            let mirrored = |set: u32| set.reverse_bits() >> (32 - n);
            let mask = size(n).mask().bits();
            let mut orbits = BTreeSet::new();
            for set in (0..=mask).filter(|set: &u32| set.count_ones() == n / 2) {
                let orbit: BTreeSet<u32> =
                    [set, mirrored(set), mask ^ set, mask ^ mirrored(set)].into();
                orbits.insert(orbit);
            }
            let choices = Choices::new(size(n));
            let numbered: Vec<_> = (0..choices.len()).filter_map(|i| choices.get(i)).collect();
            assert_eq!(numbered.len(), orbits.len());
            for orbit in orbits {
                let in_orbit = numbered.iter().filter(|sets| orbit.contains(&sets.top.bits()));
                let weights: Vec<_> = in_orbit.map(|sets| sets.weight as usize).collect();
                assert_eq!(weights, [orbit.len()]);
            }
        }
    }
}
