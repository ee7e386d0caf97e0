//! Recounts a task, or a part of it, by plain backtracking.

use alloc::vec::Vec;
use core::cmp::Ordering;

use super::{
    Plan, TaskError,
    colours::{EvenRows, Pairs, count_audited},
};
use crate::{Attacks, Class, Meets, Method, Placement, RowBits, Size, representative};

/// Counts the solutions of a task with plain backtracking below the task's queens, without masks
/// and rules. For a method that keeps only representatives, a solution counts if none of its eight
/// images is smaller; it then counts as the whole class, whose size is determined from the
/// solution.
///
/// A task of the colour join is recounted row by row within the colours of its row sets. How often a
/// solution counts is determined from its eight images.
///
/// # Errors
/// [`TaskError`] if the plan has no such task, or the sum exceeds a `u64`.
pub fn recount(plan: &Plan, task: usize) -> Result<u64, TaskError> {
    let (size, overflow) = (plan.size(), TaskError::Overflow { task });
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

/// The largest board on which an audit set is recounted by backtracking, within seconds.
const LARGEST_SEARCHED: u32 = 24;

/// Counts the solutions of a task's [audit set](super::Counter::count_audit_set) by backtracking within
/// its colours; beyond N = 24, by the formula Σ W · B with plain lists of placements. Returns `None`
/// if the task has no pairs of row sets.
///
/// [`Counter::count_audit_set`](super::Counter::count_audit_set) computes the same number. Backtracking
/// shares only the plan with it; the formula also lists the placements of the four boards in the same way.
///
/// ```
/// use queens_core::{Form, Isa, Method, Plan, Size, recount_audit_set};
/// let plan = Plan::new(Size::new(14)?, Method::Colours);
/// let mut counter = plan.counter(Form::Recursive, Isa::PORTABLE);
/// assert_eq!(counter.count_audit_set(&plan, 300)?, recount_audit_set(&plan, 300));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub fn recount_audit_set(plan: &Plan, task: usize) -> Option<u64> {
    let pairs = plan.pairs(task)?;
    let Pairs { even_rows, odd_rows } = pairs.first()?;
    let odd_rows = *odd_rows.first()?;
    if plan.size().get() > LARGEST_SEARCHED {
        return Some(count_audited(*even_rows, odd_rows));
    }
    Some(ColourSearch::new(*even_rows, odd_rows, Some(even_rows.rows())).count())
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
