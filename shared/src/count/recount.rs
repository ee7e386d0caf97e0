//! Counting a task again by another method.

use alloc::vec::Vec;

use super::{Plan, TaskError, halves::ColumnSets};
use crate::{Attacks, Class, Meets, Method, Placement, RowBits, Size, representative};

/// The solutions that a task stands for, found another way than the plan's method finds them:
/// plain backtracking below the task's queens, without masks and cuts. Where the method keeps
/// only representatives, a solution is one if none of its eight images is smaller, and its class
/// is read off its own turns.
///
/// A task of half-board matching is counted by backtracking row by row within its columns.
///
/// # Errors
/// [`TaskError`] if the plan has no such task, or the sum exceeds a `u64`.
pub fn recount(plan: &Plan, task: usize) -> Result<u64, TaskError> {
    let (size, overflow) = (plan.size(), TaskError::Overflow { task });
    if let Some(mut sets) = plan.column_sets(task) {
        let sum = sets.try_fold(0u64, |sum, sets| {
            let solutions = within(size, &sets, 0, Attacks::NONE);
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

/// The ways to fill the board from `row` on, each half with queens in its own columns.
fn within(size: Size, sets: &ColumnSets, row: u32, attacks: Attacks) -> u64 {
    let half = size.get() / 2;
    if row == size.get() {
        return 1;
    }
    let columns = if row < half {
        sets.top
    } else if row >= size.get() - half {
        sets.bottom
    } else {
        sets.middle.map_or(RowBits::EMPTY, RowBits::of)
    };
    let free = columns - attacks.squares();
    free.columns()
        .map(|column| within(size, sets, row + 1, attacks.below(RowBits::of(column))))
        .sum()
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
