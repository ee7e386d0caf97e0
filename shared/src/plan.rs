//! A count as independent tasks.

use alloc::vec::Vec;

use crate::{Event, Form, Method, Prefix, RowBits, Size, Tally, Tracer};

/// The tasks that a count is made of: the branches of the search below its first queens.
///
/// The numbering depends on N, the method and [`Plan::VERSION`] alone, never on the machine, so
/// that threads, GPUs, shards of a cluster and browsers can share one count. A task's tally
/// carries its symmetry weight; the tallies of all tasks add up to the whole.
///
/// ```
/// use queens_core::{Form, Method, Plan, Size, Tally};
/// let plan = Plan::new(Size::new(8)?, Method::Symmetry);
/// let tally = (0..plan.len()).try_fold(Tally::default(), |sum, task| {
///     sum.checked_add(plan.count(task, Form::Recursive)?)
/// });
/// assert_eq!(tally.and_then(|tally| tally.total()), Some(92));
/// # Ok::<(), queens_core::SizeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Plan {
    size: Size,
    method: Method,
    prefixes: Vec<Prefix>,
}

impl Plan {
    /// Changes whenever the division into tasks or their numbering does.
    pub const VERSION: u32 = 1;

    /// The largest number of tasks in a plan.
    pub const MAX_TASKS: usize = 65_536;

    /// The plan for a board and a method.
    pub fn new(size: Size, method: Method) -> Plan {
        let depth = method.plan_depth(size);
        let prefixes = match depth {
            0 => [Prefix::of(&Tracer::new(method, size).view())].into(),
            depth => prefixes(method, size, depth),
        };
        Plan { size, method, prefixes }
    }

    /// The board's side.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The method.
    pub fn method(&self) -> Method {
        self.method
    }

    /// The number of tasks, 1 to [`MAX_TASKS`](Plan::MAX_TASKS); they are numbered from 0.
    #[expect(clippy::len_without_is_empty, reason = "a plan has at least one task")]
    pub fn len(&self) -> usize {
        self.prefixes.len()
    }

    /// Counts one task; `None` if the plan has no such task.
    pub fn count(&self, task: usize, form: Form) -> Option<Tally> {
        let prefix = self.prefixes.get(task)?;
        let mut tally = Tally::default();
        match form {
            Form::Recursive => self.method.search_below(prefix, &mut tally),
            Form::Iterative => {
                let mut tracer = Tracer::below(self.method, prefix);
                while tracer.forward().is_some() {}
                tally = tracer.work().tally;
            }
        }
        Some(tally)
    }

    /// Where the search of a task begins, for those who search it by other means than the
    /// method's own code: the task's prefix, or, for a task without queens, all prefixes of two
    /// queens (none for N < 4). Empty if the plan has no such task.
    pub fn starts(&self, task: usize) -> Vec<Prefix> {
        match self.prefixes.get(task) {
            Some(prefix) if prefix.rows > 0 => [*prefix].into(),
            Some(_) if self.size.get() > 3 => prefixes(self.method, self.size, 2),
            _ => Vec::new(),
        }
    }

    /// The queens that a task starts from, their columns from the right, top row first (none if
    /// the task is the whole search); `None` if the plan has no such task.
    pub fn describe(&self, task: usize) -> Option<&[u8]> {
        self.prefixes.get(task).map(Prefix::columns_from_right)
    }

    /// The prefix of a task as bits, for recounting it by other means.
    pub fn queens(&self, task: usize) -> Option<impl Iterator<Item = RowBits> + '_> {
        Some(self.describe(task)?.iter().map(|&column| RowBits::of(column.into())))
    }
}

/// All prefixes of `depth` queens that the method comes to, in the order of the search.
fn prefixes(method: Method, size: Size, depth: u32) -> Vec<Prefix> {
    let mut prefixes = Vec::new();
    let mut tracer = Tracer::new(method, size);
    while let Some(step) = tracer.forward() {
        if step.event == (Event::Descend { row: depth }) {
            prefixes.push(Prefix::of(&tracer.view()));
            tracer.skip_row();
        }
    }
    prefixes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_stay_within_their_limit() {
        for &method in Method::ALL {
            for size in Size::all().take(Size::MAX_COUNTED as usize) {
                let tasks = Plan::new(size, method).len();
                assert!((1..=Plan::MAX_TASKS).contains(&tasks), "{method} {size}: {tasks}");
            }
        }
    }

    #[test]
    fn tasks_add_up_in_both_forms() {
        for &method in Method::ALL {
            let up_to = match method {
                Method::BruteForce => 6,
                Method::Permutations => 8,
                _ => 9,
            };
            for size in Size::all().take(up_to) {
                let plan = Plan::new(size, method);
                let mut whole = Tally::default();
                method.search(size, &mut whole);
                let mut sum = Tally::default();
                for task in 0..plan.len() {
                    let tally = plan.count(task, Form::Recursive).unwrap();
                    assert_eq!(plan.count(task, Form::Iterative), Some(tally));
                    sum = sum.checked_add(tally).unwrap();
                }
                assert_eq!(sum, whole, "{method} N = {size}");
                assert_eq!(plan.count(plan.len(), Form::Recursive), None);
            }
        }
    }

    #[test]
    fn the_starts_of_a_task_make_up_the_task() {
        for n in 1..=9 {
            let plan = Plan::new(Size::new(n).unwrap(), Method::Symmetry);
            for task in 0..plan.len() {
                let starts = plan.starts(task);
                assert!(starts.iter().all(|start| start.masks().is_some()), "N = {n}");
                let mut sum = Tally::default();
                for start in &starts {
                    plan.method().search_below(start, &mut sum);
                }
                // The one solution of N = 1 has no branch.
                let expected = plan.count(task, Form::Recursive).filter(|_| n > 1);
                assert_eq!(sum, expected.unwrap_or_default(), "N = {n} task {task}");
            }
            assert!(plan.starts(plan.len()).is_empty());
        }
    }
}
