//! Counting a task again by another method.

use alloc::vec::Vec;
use core::cmp::Ordering;

use super::{
    Plan, TaskError, choose,
    halves::{ColumnSets, Symmetries},
};
use crate::{Attacks, Class, Meets, Method, Placement, RowBits, Size, representative};

/// The solutions that a task stands for, found another way than the plan's method finds them:
/// plain backtracking below the task's queens, without masks and cuts. Where the method keeps
/// only representatives, a solution is one if none of its eight images is smaller, and its class
/// is read off its own turns.
///
/// A task of half-board matching is counted by backtracking row by row within its columns; where
/// it makes use of the reflection at the diagonal, the keys of columns and rows, or the places of the
/// queens in the middle, are read off each solution.
///
/// # Errors
/// [`TaskError`] if the plan has no such task, or the sum exceeds a `u64`.
pub fn recount(plan: &Plan, task: usize) -> Result<u64, TaskError> {
    let (size, overflow) = (plan.size(), TaskError::Overflow { task });
    if let Some((mut sets, symmetries)) = plan.column_sets(task).zip(plan.symmetries()) {
        let mut within = Within::new(size, symmetries, Attacks::NONE);
        let sum = sets.try_fold(0u64, |sum, sets| {
            let solutions = within.row(&sets, Attacks::NONE);
            sum.checked_add(solutions.checked_mul(sets.weight.into())?)
        });
        return sum.ok_or(overflow);
    }
    let mut queens = Vec::with_capacity(size.rows());
    let mut attacks = Attacks::NONE;
    for queen in plan.queens(task).ok_or_else(|| plan.has_no(task))? {
        // The slowest methods set queens without looking.
        if attacks.squares() & queen == queen {
            return Ok(0);
        }
        queens.push(queen);
        attacks = attacks.below(queen);
    }
    let mirrored =
        plan.method().facts().meets == Meets::MirrorPairs && !is_own_mirror(size, &queens);
    let mut below = Below { method: plan.method(), size, queens, sum: 0 };
    below.row(attacks);
    // The task then also stands for what lies below the mirrored queens.
    below.sum.checked_mul(if mirrored { 2 } else { 1 }).ok_or(overflow)
}

/// The solutions of a task's [chosen](Plan::chosen) column set, without its weight, found by
/// backtracking within its columns: all, or those whose upper half attacks none of the squares
/// `spared` in the row below it, along its diagonals. `None` if the task has no column sets.
///
/// It shares nothing with [`Counter::count_chosen`](super::Counter::count_chosen), which finds the
/// same number, but the plan. All of a set takes seconds at N = 23 and hours at 28.
///
/// ```
/// use queens_core::{Form, Method, Plan, Size, draw_spared, halves::Isa, recount_chosen};
/// let plan = Plan::new(Size::new(14)?, Method::Halves);
/// let mut counter = plan.counter(Form::Recursive, Isa::PORTABLE);
/// let mut dice = [20, 4].into_iter();
/// let spared = draw_spared(plan.size(), 2, |below| dice.next().unwrap_or(0) % below);
/// let part = recount_chosen(&plan, 300, spared);
/// assert_eq!(counter.count_chosen(&plan, 300, spared)?, part);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub fn recount_chosen(plan: &Plan, task: usize, spared: Attacks) -> Option<u64> {
    let (sets, symmetries) = plan.chosen(task).zip(plan.symmetries())?;
    Some(Within::new(plan.size(), symmetries, spared).row(&sets, Attacks::NONE))
}

/// So many squares of the row below the upper half, each by one of its two diagonals, that no queen
/// above is to attack: they leave a random part of the placements, the smaller the more they are.
/// `random` gives a number below its argument, each equally likely.
pub fn draw_spared(size: Size, squares: usize, random: impl FnMut(usize) -> usize) -> Attacks {
    let columns = size.mask().columns().map(RowBits::of);
    let mut all: Vec<Attacks> = columns
        .flat_map(|column| {
            [Attacks { left: column, ..Attacks::NONE }, Attacks { right: column, ..Attacks::NONE }]
        })
        .collect();
    let chosen = choose(&mut all, squares, random).iter();
    chosen.fold(Attacks::NONE, |sum, next| Attacks {
        left: sum.left | next.left,
        right: sum.right | next.right,
        ..sum
    })
}

/// Backtracking in which each half has queens in its own columns.
struct Within {
    size: Size,
    symmetries: Symmetries,
    /// What the queens of the upper half do not attack in the row below it.
    spared: Attacks,
    queens: Vec<RowBits>,
}

impl Within {
    fn new(size: Size, symmetries: Symmetries, spared: Attacks) -> Within {
        Within { size, symmetries, spared, queens: Vec::with_capacity(size.rows()) }
    }

    /// What the ways to fill the board from the next row on count for.
    fn row(&mut self, sets: &ColumnSets, attacks: Attacks) -> u64 {
        let (size, row) = (self.size.get(), self.queens.len() as u32);
        if row == size {
            return self.counts();
        }
        let half = size / 2;
        let columns = if row < sets.top.len() {
            let to_middle = half - row;
            sets.top - (self.spared.left >> to_middle) - (self.spared.right << to_middle)
        } else {
            sets.bottom
        };
        let mut sum = 0;
        for column in (columns - attacks.squares()).columns() {
            let queen = RowBits::of(column);
            self.queens.push(queen);
            sum += self.row(sets, attacks.below(queen));
            self.queens.pop();
        }
        sum
    }

    /// How often the solution that has been reached counts.
    fn counts(&self) -> u64 {
        match self.symmetries {
            Symmetries::Eight => self.by_keys(),
            Symmetries::Centred => self.by_middle_queens(),
        }
    }

    /// The same by how far the queens of the middle row and of the middle column are from the centre.
    fn by_middle_queens(&self) -> u64 {
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

    /// The same by the keys of the columns and of the rows.
    fn by_keys(&self) -> u64 {
        let last = self.size.last();
        // Of each quarter of the board, the distances of its columns and of its rows from the
        // board's edge.
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

/// Whether the first queens are the same seen from the other side.
fn is_own_mirror(size: Size, queens: &[RowBits]) -> bool {
    queens.iter().all(|queen| 2 * queen.column() == size.last())
}

/// Plain backtracking.
struct Below {
    method: Method,
    size: Size,
    queens: Vec<RowBits>,
    sum: u64,
}

impl Below {
    fn row(&mut self, attacks: Attacks) {
        if self.queens.len() == self.size.rows() {
            if let Ok(placement) = Placement::from_rows(&self.queens) {
                self.sum += self.stands_for(&placement);
            }
            return;
        }
        for column in (self.size.mask() - attacks.squares()).columns() {
            let queen = RowBits::of(column);
            self.queens.push(queen);
            self.row(attacks.below(queen));
            self.queens.pop();
        }
    }

    /// The number of solutions that the method counts when it meets this one.
    fn stands_for(&self, placement: &Placement) -> u64 {
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
    fn agrees_task_by_task_with_every_method() {
        for &method in Method::ALL {
            // Nine are enough to have all kinds of tasks.
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
