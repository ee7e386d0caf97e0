//! Recounts a task, or a part of it, by plain backtracking.

use alloc::vec::Vec;
use core::cmp::Ordering;

use super::{
    Plan, TaskError, choose,
    colours::{EvenRows, Pairs},
    halves::{ColumnSets, Symmetries},
};
use crate::{Attacks, Class, Meets, Method, Placement, RowBits, Size, representative};

/// Counts the solutions of a task with plain backtracking below the task's queens, without masks
/// and rules. For a method that keeps only representatives, a solution counts if none of its eight
/// images is smaller; it then counts as the whole class, whose size is determined from the
/// solution.
///
/// A task of half-board matching is recounted row by row within its columns. How often a solution
/// counts (see [`Symmetries`]) is determined from the solution itself: from the keys of its columns
/// and rows, or from the positions of its queens in the middle row and column.
///
/// A task of the colour join is recounted row by row within the colours of its row sets. How often a
/// solution counts is determined from its eight images.
///
/// # Errors
/// [`TaskError`] if the plan has no such task, or the sum exceeds a `u64`.
pub fn recount(plan: &Plan, task: usize) -> Result<u64, TaskError> {
    let (size, overflow) = (plan.size(), TaskError::Overflow { task });
    if let Some((mut sets, symmetries)) = plan.column_sets(task).zip(plan.symmetries()) {
        let mut search = ColumnSetSearch::new(size, symmetries, Attacks::NONE);
        let sum = sets.try_fold(0u64, |sum, sets| {
            let solutions = search.sum_factors(&sets, Attacks::NONE);
            sum.checked_add(solutions.checked_mul(sets.weight.into())?)
        });
        return sum.ok_or(overflow);
    }
    if let Some(pairs) = plan.pairs(task) {
        let mut pairs = pairs
            .iter()
            .flat_map(|pairs| pairs.odd_rows.iter().map(|&odd_rows| (pairs.even_rows, odd_rows)));
        let sum = pairs.try_fold(0u64, |sum, (even_rows, odd_rows)| {
            sum.checked_add(ColourSearch::new(even_rows, odd_rows, None).count())
        });
        return sum.ok_or(overflow);
    }
    let mut queens = Vec::with_capacity(size.rows());
    let mut attacks = Attacks::NONE;
    for queen in plan.queens(task).ok_or_else(|| plan.has_no(task))? {
        // The slowest methods place queens without testing for attacks.
        if attacks.squares() & queen == queen {
            return Ok(0);
        }
        queens.push(queen);
        attacks = attacks.below(queen);
    }
    // The task then also represents the solutions below the mirrored queens.
    let is_doubled =
        plan.method().facts().meets == Meets::MirrorPairs && !is_own_mirror(size, &queens);
    let mut search = PrefixSearch { method: plan.method(), size, queens, sum: 0 };
    search.fill(attacks);
    search.sum.checked_mul(if is_doubled { 2 } else { 1 }).ok_or(overflow)
}

/// Counts the solutions of a task's [audit set](Plan::audit_set) by backtracking within its
/// columns, without the weight of the set. For a task of the colour join, it counts the solutions of
/// the first pair of row sets whose even columns with white queens have the numbers of its even rows,
/// with their weights; `excluded` is then ignored. With a nonempty `excluded`, it counts only solutions in
/// which no queen of the upper half is on an excluded diagonal (see [`draw_excluded`]). Returns `None`
/// if the task has no column sets.
///
/// Apart from the plan, it shares no code with
/// [`Counter::count_audit_set`](super::Counter::count_audit_set), which computes the same number. A whole
/// set takes seconds at N = 23 and hours at N = 28.
///
/// ```
/// use queens_core::{Form, Method, Plan, Size, draw_excluded, halves::Isa, recount_audit_set};
/// let plan = Plan::new(Size::new(14)?, Method::Halves);
/// let mut counter = plan.counter(Form::Recursive, Isa::PORTABLE);
/// let mut dice = [20, 4].into_iter();
/// let excluded = draw_excluded(plan.size(), 2, |below| dice.next().unwrap_or(0) % below);
/// let part = recount_audit_set(&plan, 300, excluded);
/// assert_eq!(counter.count_audit_set(&plan, 300, excluded)?, part);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub fn recount_audit_set(plan: &Plan, task: usize, excluded: Attacks) -> Option<u64> {
    if let Some(pairs) = plan.pairs(task) {
        let Pairs { even_rows, odd_rows } = pairs.first()?;
        let columns = Some(even_rows.rows());
        return Some(ColourSearch::new(*even_rows, *odd_rows.first()?, columns).count());
    }
    let (sets, symmetries) = plan.audit_set(task).zip(plan.symmetries())?;
    let mut search = ColumnSetSearch::new(plan.size(), symmetries, excluded);
    Some(search.sum_factors(&sets, Attacks::NONE))
}

/// Draws a *random restriction*: `amount` diagonals on which no queen of the upper half may stand. A
/// restriction leaves a random part of the placements; the more diagonals it has, the smaller the part.
///
/// A diagonal is given by its direction and by the square on which it crosses the row below the upper
/// half (for odd N, the middle row, which is the last row of the upper half). Both diagonals of a square
/// can be drawn. `random` returns a uniformly distributed number below its argument.
pub fn draw_excluded(size: Size, amount: usize, random: impl FnMut(usize) -> usize) -> Attacks {
    let columns = size.mask().columns().map(RowBits::of);
    let mut all: Vec<Attacks> = columns
        .flat_map(|column| {
            [Attacks { left: column, ..Attacks::NONE }, Attacks { right: column, ..Attacks::NONE }]
        })
        .collect();
    let chosen = choose(&mut all, amount, random).iter();
    chosen.fold(Attacks::NONE, |sum, next| Attacks {
        left: sum.left | next.left,
        right: sum.right | next.right,
        ..sum
    })
}

/// Backtracking in which the queens of each half stay within the columns of that half.
struct ColumnSetSearch {
    size: Size,
    symmetries: Symmetries,
    /// The diagonals on which no queen of the upper half may stand (see [`draw_excluded`]).
    excluded: Attacks,
    queens: Vec<RowBits>,
}

impl ColumnSetSearch {
    fn new(size: Size, symmetries: Symmetries, excluded: Attacks) -> ColumnSetSearch {
        ColumnSetSearch { size, symmetries, excluded, queens: Vec::with_capacity(size.rows()) }
    }

    /// Returns the sum of the factors of all solutions that contain the queens placed so far.
    fn sum_factors(&mut self, sets: &ColumnSets, attacks: Attacks) -> u64 {
        let (size, row) = (self.size.get(), self.queens.len() as u32);
        if row == size {
            return self.factor();
        }
        let half = size / 2;
        let columns = if row < sets.top.len() {
            let to_middle = half - row;
            sets.top - (self.excluded.left >> to_middle) - (self.excluded.right << to_middle)
        } else {
            sets.bottom
        };
        let mut sum = 0;
        for column in (columns - attacks.squares()).columns() {
            let queen = RowBits::of(column);
            self.queens.push(queen);
            sum += self.sum_factors(sets, attacks.below(queen));
            self.queens.pop();
        }
        sum
    }

    /// How often the solution on the board counts: its factor, as [`Symmetries`] defines it.
    fn factor(&self) -> u64 {
        match self.symmetries {
            Symmetries::Eight => self.factor_by_keys(),
            Symmetries::Centred => self.factor_by_middle_queens(),
        }
    }

    /// The factor of a solution of an odd board: compares the distances of the middle row's queen and
    /// of the middle column's queen from the centre.
    fn factor_by_middle_queens(&self) -> u64 {
        let middle = self.size.get() / 2;
        let (mut of_row, mut of_column) = (0, 0);
        for (row, queen) in (0..).zip(&self.queens) {
            if row == middle {
                of_row = queen.column().abs_diff(middle);
            }
            if queen.column() == middle {
                of_column = middle.abs_diff(row);
            }
        }
        match of_row.cmp(&of_column) {
            Ordering::Greater => 4,
            Ordering::Equal if of_row > 0 => 2,
            Ordering::Equal => 1,
            Ordering::Less => 0,
        }
    }

    /// The factor of a solution of an even board: compares the key of its columns, the smallest
    /// number of the four quarters, with the key of its rows.
    fn factor_by_keys(&self) -> u64 {
        let last = self.size.last();
        // For each quarter of the board, the bit sets of the distances of its columns and of its
        // rows from the board's edge.
        let (mut columns, mut rows) = ([0u32; 4], [0u32; 4]);
        for (row, queen) in (0..).zip(&self.queens) {
            let column = queen.column();
            if 2 * row != last && 2 * column != last {
                let quarter = usize::from(2 * row > last) * 2 + usize::from(2 * column > last);
                columns[quarter] |= 1 << column.min(last - column);
                rows[quarter] |= 1 << row.min(last - row);
            }
        }
        match columns.iter().min().cmp(&rows.iter().min()) {
            Ordering::Less => 2,
            Ordering::Equal => 1,
            Ordering::Greater => 0,
        }
    }
}

/// Backtracking in which each queen stands on a square of a given colour.
struct ColourSearch {
    size: Size,
    /// The set A of even rows with a white queen.
    white: u32,
    /// For each row, the columns in which its queen may stand.
    columns: Vec<RowBits>,
    queens: Vec<RowBits>,
}

impl ColourSearch {
    /// Creates a search for the pair. If `even_columns` is a set, only solutions are counted in which
    /// these even columns have a white queen and the others do not.
    fn new(even_rows: EvenRows, odd_rows: u32, even_columns: Option<u32>) -> ColourSearch {
        let size = even_rows.size();
        let has = |set: u32, number: u32| set >> (number / 2) & 1 == 1;
        let may_stand = |row: u32, column: u32| {
            let rows = if row.is_multiple_of(2) { even_rows.rows() } else { odd_rows };
            let is_white = (row + column).is_multiple_of(2);
            let is_right_column = column.is_multiple_of(2).then_some(even_columns).flatten();
            has(rows, row) == is_white
                && is_right_column.is_none_or(|columns| has(columns, column) == is_white)
        };
        let columns = (0..size.get()).map(|row| {
            let columns = size.mask().columns().filter(|&column| may_stand(row, column));
            columns.fold(RowBits::EMPTY, |set, column| set | RowBits::of(column))
        });
        let white = even_rows.rows();
        ColourSearch { size, white, columns: columns.collect(), queens: Vec::new() }
    }

    fn count(&mut self) -> u64 {
        self.count_below(Attacks::NONE)
    }

    /// Returns the sum of the weights of all solutions that contain the queens placed so far.
    fn count_below(&mut self, attacks: Attacks) -> u64 {
        let Some(&columns) = self.columns.get(self.queens.len()) else { return self.weight() };
        let mut sum = 0;
        for column in (columns - attacks.squares()).columns() {
            let queen = RowBits::of(column);
            self.queens.push(queen);
            sum += self.count_below(attacks.below(queen));
            self.queens.pop();
        }
        sum
    }

    /// How often the solution on the board counts: compares its even rows with white queens with those
    /// of its images.
    fn weight(&self) -> u64 {
        let n = self.size.get();
        let squares = || (0..).zip(&self.queens).map(|(row, queen)| (row, queen.column()));
        let white_rows = |image: &dyn Fn(u32, u32) -> (u32, u32)| {
            let images = squares().map(|(row, column)| image(row, column));
            let white = images.filter(|(row, column)| row % 2 == 0 && column % 2 == 0);
            white.fold(0u32, |set, (row, _)| set | 1 << (row / 2))
        };
        let last = n - 1;
        let images: [&dyn Fn(u32, u32) -> (u32, u32); 8] = [
            &|row, column| (row, column),
            &|row, column| (column, row),
            &|row, column| (last - row, last - column),
            &|row, column| (last - column, last - row),
            &|row, column| (row, last - column),
            &|row, column| (last - row, column),
            &|row, column| (column, last - row),
            &|row, column| (last - column, row),
        ];
        let sets = images.map(white_rows);
        let members = self.white.count_ones();
        let as_many = || sets.iter().filter(|set| set.count_ones() == members);
        if as_many().any(|&set| set < self.white)
            || sets.iter().any(|set| set.count_ones() > members)
        {
            return 0;
        }
        let ties = as_many().filter(|&&set| set == self.white).count() as u64;
        let [columns, mirrored] = [sets[1], sets[7]];
        if n.is_multiple_of(2) {
            let is_own_image = |set: u32| set == self.white;
            let odd_rows_tie = is_own_image(sets[2]) || is_own_image(sets[5]);
            return match ties {
                3 if odd_rows_tie => 0,
                3 => 8,
                ties => 8 / ties,
            };
        }
        match columns.cmp(&mirrored) {
            Ordering::Less => 16 / ties,
            Ordering::Equal => 8 / ties,
            Ordering::Greater => 0,
        }
    }
}

/// Whether the left-right mirror maps the first queens to themselves.
fn is_own_mirror(size: Size, queens: &[RowBits]) -> bool {
    queens.iter().all(|queen| 2 * queen.column() == size.last())
}

/// Plain backtracking below the first queens.
struct PrefixSearch {
    method: Method,
    size: Size,
    queens: Vec<RowBits>,
    /// The number of solutions that the solutions found so far represent.
    sum: u64,
}

impl PrefixSearch {
    /// Fills the remaining rows in all possible ways, and adds the represented solutions to `sum`.
    fn fill(&mut self, attacks: Attacks) {
        if self.queens.len() == self.size.rows() {
            if let Ok(placement) = Placement::from_rows(&self.queens) {
                self.sum += self.represented(&placement);
            }
            return;
        }
        for column in (self.size.mask() - attacks.squares()).columns() {
            let queen = RowBits::of(column);
            self.queens.push(queen);
            self.fill(attacks.below(queen));
            self.queens.pop();
        }
    }

    /// The number of solutions that the method counts for this solution.
    fn represented(&self, placement: &Placement) -> u64 {
        if !self.method.counts_classes() {
            1
        } else if representative(placement) == *placement {
            Class::of(placement).members()
        } else {
            0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Form;

    #[test]
    fn recounts_match_every_method_task_by_task() {
        for &method in Method::ALL {
            // Among the boards of up to nine rows, some have a single task without queens, others tasks of
            // two queens.
            for n in 1..=method.largest().min(9) {
                let plan = Plan::new(Size::new(n).unwrap(), method);
                for task in 0..plan.len() {
                    let counted = plan.count(task, Form::Recursive).unwrap();
                    assert_eq!(
                        recount(&plan, task).ok(),
                        counted.total(),
                        "{method} N = {n} task {task}: {:?}",
                        plan.describe(task)
                    );
                }
                assert_eq!(recount(&plan, plan.len()), Err(plan.has_no(plan.len())));
            }
        }
    }
}
