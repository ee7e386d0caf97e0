//! The pairs of the join up to symmetry, and their division into tasks.

use alloc::{sync::Arc, vec::Vec};

use super::boards::{all, even_lines, from_middle, mirrored, odd_lines, subsets};
use crate::{Coverage, Size};

/// A *key* of the join is (A, C, A', C'): the even rows A and columns C, and the odd rows A' and
/// columns C', that have a white queen. This is the first part of a key, A, with the symmetries of
/// the board, which decide on the other parts.
///
/// **Even N.** Number the odd rows and columns from the other side, and call the key (a, b, c, d).
/// The reflections at the diagonals and the half turn permute its parts: (a, b, c, d), (b, a, d, c),
/// (c, d, a, b) and (d, c, b, a). The other four symmetries do the same with the complements of the
/// parts, because they exchange the colours. A key counts if no image begins with a smaller set.
///
/// **Odd N.** All symmetries preserve the colours. The images of a key begin with A, C or one of
/// their mirror images. Of the mirror images C, only the smaller one is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvenRows {
    size: Size,
    rows: u32,
}

impl EvenRows {
    /// All sets A that are the first part of a key, in the order of the tasks, each with the number
    /// of sets A' for it.
    fn all(size: Size) -> impl Iterator<Item = (EvenRows, usize)> {
        let even = even_lines(size);
        // Keys with fewer than half of the rows are images of others.
        let least = if is_even(size) { even.div_ceil(2) } else { 1 };
        (least..=even).flat_map(move |queens| {
            let number = subsets(even, queens).count();
            let numbered = subsets(even, queens).enumerate();
            numbered.filter_map(move |(rank, rows)| {
                let rows = EvenRows { size, rows };
                let pairs = if !is_even(size) {
                    (rows.rows <= mirrored(rows.rows, even))
                        .then(|| subsets(odd_lines(size), rows.odd_queens()).count())?
                } else if rows.has_complements() {
                    // The complements are in reverse order.
                    number.checked_sub(2 * rank)?
                } else {
                    number - rank
                };
                (pairs > 0).then_some((rows, pairs))
            })
        })
    }

    #[cfg(test)]
    pub(super) fn new(size: Size, rows: u32) -> EvenRows {
        EvenRows { size, rows }
    }

    /// The board.
    pub fn size(self) -> Size {
        self.size
    }

    /// The rows as bits: bit i is row 2i.
    pub fn rows(self) -> u32 {
        self.rows
    }

    /// The number of white queens in even rows.
    pub fn queens(self) -> u32 {
        self.rows.count_ones()
    }

    /// The number of white queens in odd rows. On an odd board, the even rows and columns have one
    /// more white queen.
    pub(super) fn odd_queens(self) -> u32 {
        self.queens() - u32::from(!is_even(self.size))
    }

    /// Whether the complements of a key have as many queens as the key, so that they are counted
    /// together.
    fn has_complements(self) -> bool {
        is_even(self.size) && 2 * self.queens() == even_lines(self.size)
    }

    /// The greatest set that may be another part of the key on an even board.
    fn largest(self) -> u32 {
        let full = all(even_lines(self.size));
        if self.has_complements() { full ^ self.rows } else { full }
    }

    fn permits(self, part: u32) -> bool {
        (self.rows..=self.largest()).contains(&part)
    }

    /// The smallest and the greatest set of odd rows, or of odd columns, that may be part of the key, seen
    /// from the other side. On an even board, these two are the ties.
    pub fn odd_limits(self) -> [u32; 2] {
        if is_even(self.size) { [self.rows, self.largest()] } else { [0, u32::MAX] }
    }

    /// Whether the set of even columns can be part of the key.
    pub fn permits_even_columns(self, columns: u32) -> bool {
        if is_even(self.size) {
            self.permits(columns)
        } else {
            self.rows <= columns && columns <= mirrored(columns, even_lines(self.size))
        }
    }

    /// Whether the set of odd rows, or of odd columns, can be part of the key.
    pub(super) fn permits_odd(self, set: u32) -> bool {
        let [least, greatest] = self.odd_limits();
        (least..=greatest).contains(&mirrored(set, odd_lines(self.size)))
    }

    /// Whether an image of the key begins with A because of this part.
    fn is_tie(self, part: u32) -> bool {
        part == self.rows || self.has_complements() && part == self.largest()
    }

    /// Whether an image of the key begins with A because of this set of odd rows or of odd columns.
    pub fn is_odd_tie(self, set: u32) -> bool {
        is_even(self.size) && self.is_tie(mirrored(set, odd_lines(self.size)))
    }

    /// The number of keys that a key stands for: the number of its images, divided by the number of
    /// those that begin with A. `odd_rows` and `odd_columns` say which of them are ties.
    ///
    /// The weights of the keys with given numbers of queens add up to the number of all such keys.
    pub fn weight(self, odd_rows: bool, columns: u32, odd_columns: bool) -> u32 {
        if is_even(self.size) {
            let ties = [true, self.is_tie(columns), odd_rows, odd_columns];
            return match (ties.map(u32::from).iter().sum(), odd_rows) {
                (1, _) => 8,
                (2, _) => 4,
                // Three keys stand for eight. In exactly one of them, A' is the part that is no tie.
                (3, false) => 8,
                (3, true) => 0,
                _ => 2,
            };
        }
        let even = even_lines(self.size);
        let image = mirrored(columns, even);
        let ties = [mirrored(self.rows, even), columns, image].map(|part| part == self.rows);
        let weight = 4 / (1 + ties.map(u32::from).iter().sum::<u32>());
        if image == columns { weight } else { 2 * weight }
    }

    /// A common divisor of the weights of all keys with A and these odd rows.
    pub(super) fn unit(self, odd_rows: bool) -> u32 {
        let even = even_lines(self.size);
        match (is_even(self.size), odd_rows) {
            (true, true) => 2,
            (true, false) => 4,
            (false, _) if self.rows == mirrored(self.rows, even) => 1,
            (false, _) => 4,
        }
    }

    /// The sets of even columns of all keys with as many queens. Those that A permits follow each
    /// other.
    pub fn all_even_columns(self) -> Vec<u32> {
        let even = even_lines(self.size);
        let is_smaller = |&set: &u32| is_even(self.size) || set <= mirrored(set, even);
        subsets(even, self.queens()).filter(is_smaller).collect()
    }

    /// The sets of odd columns of all keys with as many queens. Those that A permits follow each
    /// other.
    pub(super) fn all_odd_columns(self) -> Vec<u32> {
        let odd = odd_lines(self.size);
        let mut sets: Vec<u32> = subsets(odd, self.odd_queens()).collect();
        if is_even(self.size) {
            sets.sort_unstable_by_key(|&set| mirrored(set, odd));
        }
        sets
    }

    /// All sets A' of odd rows. Sets that agree in the rows near the middle follow each other.
    fn odd_row_sets(self) -> Vec<u32> {
        let odd = odd_lines(self.size);
        let mut sets: Vec<u32> =
            subsets(odd, self.odd_queens()).filter(|&set| self.permits_odd(set)).collect();
        let order: Vec<u32> = from_middle(odd).collect();
        sets.sort_by_cached_key(|&set| {
            order.iter().fold(0u32, |key, row| key << 1 | set >> row & 1)
        });
        sets
    }

    /// The coverage of pairs with these odd rows. `weights` is the result of
    /// [`weights_of_pairs`](EvenRows::weights_of_pairs).
    pub(crate) fn coverage<'a>(
        self,
        odd_rows: impl Iterator<Item = &'a u32>,
        weights: [u64; 2],
    ) -> Coverage {
        odd_rows.fold(Coverage::default(), |Coverage { sets, weight }, &set| Coverage {
            sets: sets + 1,
            weight: weight + weights[usize::from(self.is_odd_tie(set))],
        })
    }

    /// The sums of the weights of all keys with A and the same odd rows: for odd rows that are no tie,
    /// and for those that are.
    pub(crate) fn weights_of_pairs(self) -> [u64; 2] {
        let even = subsets(even_lines(self.size), self.queens());
        let odd = subsets(odd_lines(self.size), self.odd_queens());
        let (mut ties, mut others) = (0, 0);
        for columns in odd.filter(|&set| self.permits_odd(set)) {
            *if self.is_odd_tie(columns) { &mut ties } else { &mut others } += 1;
        }
        let mut sums = [0; 2];
        for columns in even.filter(|&set| self.permits_even_columns(set)) {
            for (sum, odd_rows) in sums.iter_mut().zip([false, true]) {
                let weight = |odd_columns| u64::from(self.weight(odd_rows, columns, odd_columns));
                *sum += weight(true) * ties + weight(false) * others;
            }
        }
        sums
    }
}

const fn is_even(size: Size) -> bool {
    size.get().is_multiple_of(2)
}

/// Pairs (A, A') with the same A.
#[derive(Clone, Debug)]
pub struct Pairs {
    /// The set A of even rows.
    pub even_rows: EvenRows,
    /// The sets A' of odd rows, as bits: bit i is row 2i + 1.
    pub odd_rows: Vec<u32>,
}

/// The number of the first `limit` pairs of a task, and the sum of the weights of their keys.
pub(crate) fn coverage_of_first(pairs: &[Pairs], limit: usize) -> Coverage {
    let (mut covered, mut left) = (Coverage::default(), limit);
    for Pairs { even_rows, odd_rows } in pairs {
        let first = odd_rows.iter().take(left);
        left -= first.len();
        let Coverage { sets, weight } = even_rows.coverage(first, even_rows.weights_of_pairs());
        covered.sets += sets;
        covered.weight += weight;
    }
    covered
}

/// The division of the pairs (A, A') into tasks. A task has some sets A and some sets A', because
/// pairs with the same A share lists, and those with the same A' share programs.
#[derive(Clone, Debug)]
pub struct PairTasks {
    tasks: usize,
    even_rows: Arc<[EvenRows]>,
    groups: Arc<[Group]>,
}

/// Neighbouring sets A with the same number of rows, whose pairs are divided into tasks.
#[derive(Clone, Copy, Debug)]
struct Group {
    first: usize,
    number: usize,
    first_task: usize,
}

impl PairTasks {
    /// The maximum number of tasks.
    const MAX_TASKS: usize = 65_536;

    /// The number of sets A of a task, and the maximum number of sets A'. On boards of up to 19 rows,
    /// a thread keeps the programs of all sets. On large boards, they take a small part of the time.
    const fn shape(size: Size) -> (usize, usize) {
        match size.get() {
            ..=19 => (1, 256),
            20..=22 => (8, 64),
            23..=24 => (4, 16),
            _ => (1, 64),
        }
    }

    /// Divides the pairs of this board into tasks.
    pub fn new(size: Size) -> PairTasks {
        let all: Vec<(EvenRows, usize)> = EvenRows::all(size).collect();
        let (rows, mut most) = Self::shape(size);
        let same_queens = all.chunk_by(|(a, _), (b, _)| a.queens() == b.queens());
        let groups: Vec<&[(EvenRows, usize)]> =
            same_queens.flat_map(|all| all.chunks(rows)).collect();
        // The first set of a group permits the most sets A'.
        let tasks = |group: &[(EvenRows, usize)], most: usize| {
            group.first().map_or(0, |(_, pairs)| pairs.div_ceil(most))
        };
        while groups.iter().map(|group| tasks(group, most)).sum::<usize>() > Self::MAX_TASKS {
            most += 1;
        }
        let (mut first, mut first_task) = (0, 0);
        let groups = groups.into_iter().map(|group| {
            let next = Group { first, number: group.len(), first_task };
            first += group.len();
            first_task += tasks(group, most);
            next
        });
        let groups = groups.collect();
        let even_rows = all.iter().map(|&(rows, _)| rows).collect();
        PairTasks { tasks: first_task, even_rows, groups }
    }

    /// The number of tasks, 1 to 65,536.
    #[expect(clippy::len_without_is_empty, reason = "there is at least one task")]
    pub fn len(&self) -> usize {
        self.tasks
    }

    /// Returns the pairs of a task, first those of one A, then those of the next. `None` if there is
    /// no such task.
    pub fn pairs(&self, task: usize) -> Option<Vec<Pairs>> {
        if task >= self.tasks {
            return None;
        }
        let after = self.groups.partition_point(|group| group.first_task <= task);
        let &Group { first, number, first_task } = self.groups.get(after.checked_sub(1)?)?;
        let end = self.groups.get(after).map_or(self.tasks, |next| next.first_task);
        let (part, parts) = (task - first_task, end - first_task);
        let even_rows = self.even_rows.get(first..first + number)?;
        let sets = even_rows.first()?.odd_row_sets();
        let start = |part: usize| sets.len() * part / parts;
        let sets = sets.get(start(part)..start(part + 1))?;
        let pairs = even_rows.iter().map(|&even_rows| {
            let permitted = sets.iter().copied().filter(|&set| even_rows.permits_odd(set));
            Pairs { even_rows, odd_rows: permitted.collect() }
        });
        Some(pairs.filter(|pairs| !pairs.odd_rows.is_empty()).collect())
    }
}

/// The number of all keys, without symmetry: the sum of the weights of all tasks.
pub(crate) fn choices(size: Size) -> u64 {
    let (even, odd) = (even_lines(size), odd_lines(size));
    let sets = |length, queens| subsets(length, queens).count() as u64;
    let keys = |white: u32| {
        let of_odd = if is_even(size) { Some(white) } else { white.checked_sub(1) };
        let pairs = sets(even, white) * of_odd.map_or(0, |white| sets(odd, white));
        pairs * pairs
    };
    (0..=even).map(keys).sum()
}
