//! The colour join on a GPU: the triples of row and column sets of some tasks, as the kernels read them.

use queens_core::{
    Coverage, Plan, Tally,
    colours::{EvenRows, Pairs},
};

use crate::DeviceError;

/// The number of words in the record of a pair (A, A').
pub const PAIR_WORDS: usize = 8;

/// The number of words in the table that numbers sets of odd columns.
pub const NUMBERS: usize = 256;

/// The number of sums in a slot: the solutions, those of the audit set, and the weights of the keys.
pub const SUMS: usize = 3;

/// The columns that the first half of the table of numbers covers.
const FIRST_COLUMNS: u32 = 7;

/// The triples (A, C, A') of tasks whose sets A have the same number of queens, numbered by pairs (A, A')
/// and then by sets C. `colours.cu` describes the records.
#[derive(Clone, Debug)]
pub struct Triples {
    /// The number of even rows of the board.
    pub even: u32,
    /// The number of odd rows of the board.
    pub odd: u32,
    /// The number of sets C of each pair.
    pub sets: u32,
    /// The number of sets C' of odd columns, rounded up to a multiple of 4.
    pub cells: u32,
    /// The number of queens of the larger colour.
    pub queens: u32,
    /// The records of the pairs, `PAIR_WORDS` words each.
    pub pairs: Vec<u32>,
    /// The numbers of sets of odd columns, the sets C, and their weights for each A.
    pub tables: Vec<u32>,
    /// The number of pairs of each task. A task's sums are in the slot with its index.
    pairs_of_tasks: Vec<u32>,
}

impl Triples {
    /// Returns the triples of some tasks, divided where the number of queens changes. The tasks stay in
    /// order.
    ///
    /// # Errors
    /// [`DeviceError`] if the plan has no such task, if its tasks are not pairs of row sets, or if there
    /// are too many triples.
    pub fn of_tasks(plan: &Plan, tasks: &[usize]) -> Result<Vec<Triples>, DeviceError> {
        let pairs = tasks.iter().map(|&task| {
            let pairs = plan.pairs(task).filter(|pairs| !pairs.is_empty());
            pairs.ok_or_else(|| DeviceError::new(format!("task {task} has no pairs of row sets")))
        });
        let pairs: Vec<Vec<Pairs>> = pairs.collect::<Result<_, _>>()?;
        let queens = |pairs: &Vec<Pairs>| pairs.first().map(|pairs| pairs.even_rows.queens());
        let parts = pairs.chunk_by(|a, b| queens(a) == queens(b));
        parts.filter_map(|part| Triples::of_pairs(plan, part)).collect()
    }

    /// Returns the triples of tasks with equally many queens. `None` without tasks.
    fn of_pairs(plan: &Plan, tasks: &[Vec<Pairs>]) -> Option<Result<Triples, DeviceError>> {
        let size = plan.size().get();
        let (even, odd) = (size.div_ceil(2), size / 2);
        let first = tasks.first()?.first()?;
        let (columns, queens) = (first.even_rows.all_even_columns(), first.even_rows.queens());
        let odd_queens = first.odd_rows.first()?.count_ones();
        let mut triples = Triples {
            even,
            odd,
            sets: u32::try_from(columns.len()).ok()?,
            cells: binomial(odd, odd_queens).next_multiple_of(4),
            queens: (queens + odd_queens).max(size - queens - odd_queens),
            pairs: Vec::new(),
            tables: numbers(odd_queens),
            pairs_of_tasks: Vec::new(),
        };
        triples.tables.extend(&columns);
        let mut last = None;
        for (slot, task) in (0..).zip(tasks) {
            let mut is_first = true;
            for Pairs { even_rows, odd_rows } in task {
                if last != Some(even_rows) {
                    triples.tables.extend(columns.iter().map(|&set| weights(*even_rows, set)));
                    last = Some(even_rows);
                }
                let tables = (triples.tables.len() - NUMBERS) / columns.len() - 2;
                for &odd_rows in odd_rows {
                    let [least, greatest] = even_rows.odd_limits();
                    let tie = if even_rows.is_odd_tie(odd_rows) { 16 } else { 0 };
                    let (rows, table) = (even_rows.rows(), tables as u32);
                    let audited = u32::from(is_first);
                    triples
                        .pairs
                        .extend([rows, odd_rows, least, greatest, table, tie, audited, slot]);
                    is_first = false;
                }
            }
            let pairs = task.iter().map(|pairs| pairs.odd_rows.len()).sum::<usize>();
            triples.pairs_of_tasks.push(pairs as u32);
        }
        let is_small = (triples.pairs.len() / PAIR_WORDS)
            .checked_mul(columns.len())
            .is_some_and(|all| u32::try_from(all).is_ok());
        let too_many = || DeviceError::new(format!("{} tasks are too many", tasks.len()));
        Some(is_small.then_some(triples).ok_or_else(too_many))
    }

    /// The number of triples.
    pub fn len(&self) -> u32 {
        (self.pairs.len() / PAIR_WORDS) as u32 * self.sets
    }

    /// Whether there are no triples.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of tasks.
    pub fn tasks(&self) -> usize {
        self.pairs_of_tasks.len()
    }

    /// Returns the tallies of the tasks, from the sums of their slots.
    pub fn tallies(&self, sums: &[[u64; SUMS]]) -> Vec<Tally> {
        let slots = self.pairs_of_tasks.iter().zip(sums);
        let tally = |(&sets, &[single, chosen, weight]): (&u32, &[u64; SUMS])| Tally {
            single,
            covered: Some(Coverage { sets, weight }),
            chosen: Some(chosen),
            ..Tally::default()
        };
        slots.map(tally).collect()
    }
}

/// The weights of the keys with A and C, one byte each: neither A' nor C' is a tie, only C' is, only A'
/// is, both are. 0 if A does not permit C.
fn weights(even_rows: EvenRows, columns: u32) -> u32 {
    if !even_rows.permits_even_columns(columns) {
        return 0;
    }
    let ties = [(true, true), (true, false), (false, true), (false, false)];
    let weight = |(rows, odd_columns)| even_rows.weight(rows, columns, odd_columns);
    ties.into_iter().map(weight).fold(0, |word, weight| word << 8 | weight)
}

/// Numbers all sets of `queens` odd columns: the sum of C(c, i) over the i-th columns c of a set, counted from
/// 1, is different for each of them. The first half of the table has the part of columns 0 to 6, the second
/// half the part of columns from 7.
fn numbers(queens: u32) -> Vec<u32> {
    let number = |set: u32, from: u32, before: u32| {
        let columns = (0..FIRST_COLUMNS).filter(|column| set >> column & 1 == 1);
        (before + 1..).zip(columns).map(|(i, column)| binomial(from + column, i)).sum::<u32>()
    };
    let sets = || 0..1 << FIRST_COLUMNS;
    let first = sets().map(|set| number(set, 0, 0));
    let second =
        sets().map(|set: u32| number(set, FIRST_COLUMNS, queens.saturating_sub(set.count_ones())));
    first.chain(second).collect()
}

/// The number of sets of `members` of `all` numbers.
fn binomial(all: u32, members: u32) -> u32 {
    (0..members).fold(1, |number, i| number * all.saturating_sub(i) / (i + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use queens_core::{Method, Size};

    #[test]
    fn sets_of_columns_have_different_numbers() {
        for (columns, queens) in [(3, 0), (7, 4), (9, 2), (14, 7), (14, 14)] {
            let table = numbers(queens);
            let sets = (0..1u32 << columns).filter(|set| set.count_ones() == queens);
            let number = |set: u32| table[set as usize & 127] + table[128 + (set as usize >> 7)];
            assert!(sets.map(number).eq(0..binomial(columns, queens)), "{columns}, {queens}");
        }
    }

    #[test]
    fn triples_are_divided_by_the_number_of_queens() {
        let plan = Plan::new(Size::new(12).unwrap(), Method::Colours);
        let tasks: Vec<usize> = (0..plan.len()).collect();
        let parts = Triples::of_tasks(&plan, &tasks).unwrap();
        // The numbers of white queens in even rows are 3 to 6, and there are C(6, 3) sets of three rows.
        let sets: Vec<u32> = parts.iter().map(|part| part.sets).collect();
        assert_eq!(sets, [20, 15, 6, 1]);
        assert_eq!(parts.iter().map(Triples::tasks).sum::<usize>(), tasks.len());
        let pairs = |task| plan.pairs(task).unwrap();
        let expected = tasks.iter().flat_map(|&task| pairs(task)).map(|pairs| pairs.odd_rows.len());
        let number = parts.iter().map(|part| part.len() / part.sets).sum::<u32>();
        assert_eq!(number as usize, expected.sum::<usize>());
    }

    #[test]
    fn rejects_tasks_without_pairs() {
        let size = Size::new(9).unwrap();
        for (method, task) in [(Method::Symmetry, 0), (Method::Colours, 9999)] {
            let error = Triples::of_tasks(&Plan::new(size, method), &[task]).unwrap_err();
            assert_eq!(error.to_string(), format!("task {task} has no pairs of row sets"));
        }
    }
}
