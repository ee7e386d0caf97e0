//! Divides a count into independent tasks.

use alloc::vec::Vec;

use crate::{
    Coverage, Event, Form, Method, PlanId, Prefix, RowBits, Size, Stepped, Tally, TaskError,
    Tracer,
    colours::{self, PairTasks, Pairs, coverage_of_first},
    halves::{self, ColumnSetTasks, ColumnSets, Symmetries},
};

/// The tasks of a count. For stepped methods these are the branches of the search below its first
/// queens, for half-board matching they are groups of column sets.
///
/// The numbering depends only on N, the method and the plan's version, never on the machine.
/// Threads, GPUs, shards on a cluster and browsers can therefore share one count. A task's tally
/// includes its symmetry weight; the tallies of all tasks add up to the tally of the count.
///
/// In half-board matching, the tally counts each solution 0 to 4 times, as [`Symmetries`] defines,
/// multiplied by the weight of its column set.
///
/// ```
/// use queens_core::{Form, Method, Plan, Size, Tally};
/// let plan = Plan::new(Size::new(8)?, Method::Symmetry);
/// let tally = (0..plan.len()).try_fold(Tally::default(), |sum, task| {
///     sum.checked_add(plan.count(task, Form::Recursive).ok()?)
/// });
/// assert_eq!(tally.and_then(|tally| tally.total()), Some(92));
/// # Ok::<(), queens_core::SizeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Plan {
    size: Size,
    method: Method,
    tasks: Tasks,
}

#[derive(Clone, Debug)]
enum Tasks {
    Prefixes(Stepped, Vec<Prefix>),
    Columns(ColumnSetTasks),
    Pairs(PairTasks),
}

impl Plan {
    /// The version of all plans. Raise it whenever the division into tasks, their numbering or the
    /// counted quantity changes. Documents and journals of other versions are rejected.
    pub const VERSION: u32 = 3;

    /// The largest number of tasks in a plan.
    pub const MAX_TASKS: usize = 65_536;

    /// The index of the [audit set](Plan::audit_set) among the column sets of its task.
    pub const AUDIT_SET: usize = 0;

    /// Creates the plan for a board and a method.
    pub fn new(size: Size, method: Method) -> Plan {
        let tasks = match (method.stepped(), method) {
            (Some(method), _) => {
                Tasks::Prefixes(method, prefixes(method, size, depth(method, size)))
            }
            (None, Method::Colours) => Tasks::Pairs(PairTasks::new(size)),
            (None, _) => Tasks::Columns(ColumnSetTasks::new(size)),
        };
        Plan { size, method, tasks }
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
        match &self.tasks {
            Tasks::Prefixes(_, prefixes) => prefixes.len(),
            Tasks::Columns(columns) => columns.len(),
            Tasks::Pairs(pairs) => pairs.len(),
        }
    }

    /// The method of a task and the queens below which it searches.
    fn search(&self, task: usize) -> Option<(Stepped, &Prefix)> {
        match &self.tasks {
            Tasks::Prefixes(method, prefixes) => Some((*method, prefixes.get(task)?)),
            Tasks::Columns(_) | Tasks::Pairs(_) => None,
        }
    }

    /// The identity of this plan. Equal identities mean equal plans.
    pub fn identity(&self) -> PlanId {
        PlanId { size: self.size, method: self.method }
    }

    /// The error for a task number that this plan does not have.
    pub(super) fn has_no(&self, task: usize) -> TaskError {
        let (size, method, tasks) = (self.size, self.method, self.len());
        TaskError::NoSuchTask { task, size, method, tasks }
    }

    pub(super) fn count_below(&self, task: usize, form: Form) -> Result<Tally, TaskError> {
        let (method, prefix) = self.search(task).ok_or_else(|| self.has_no(task))?;
        let mut tally = Tally::default();
        match form {
            Form::Recursive => method.search_below(prefix, &mut tally),
            Form::Iterative => method.step_below(prefix, &mut tally),
        }
        Ok(tally)
    }

    /// Returns the starting positions of a task for solvers other than the method's own code, such
    /// as a GPU. This is the task's prefix, or, for a task without queens, all prefixes of two
    /// queens (none for N < 4). Empty if the plan has no such task, or if its tasks are column sets.
    pub fn starts(&self, task: usize) -> Vec<Prefix> {
        match self.search(task) {
            Some((_, prefix)) if prefix.rows() > 0 => [*prefix].into(),
            Some((method, _)) if self.size.get() > 3 => prefixes(method, self.size, 2),
            _ => Vec::new(),
        }
    }

    /// Returns all task numbers in an order in which the finished tasks are at every moment a fair
    /// sample of all tasks, so that their speed predicts the remaining time. Similar tasks are far
    /// apart in this order: tasks with neighbouring numbers for stepped methods, and tasks with
    /// neighbouring column sets for half-board matching.
    pub fn order(&self) -> Vec<usize> {
        // All tasks, with similar tasks next to each other.
        let tasks = match &self.tasks {
            Tasks::Prefixes(..) | Tasks::Pairs(_) => (0..self.len()).collect(),
            Tasks::Columns(columns) => columns.in_line(),
        };
        let stride = halves::golden_stride(tasks.len());
        let positions = (0..tasks.len()).map(|number| number * stride % tasks.len());
        positions.filter_map(|position| tasks.get(position).copied()).collect()
    }

    /// The queens that a task starts from, as columns from the right, top row first. Empty if the
    /// task is the whole search. `None` if the plan has no such task, or if its tasks are [column
    /// sets](Plan::column_sets).
    pub fn describe(&self, task: usize) -> Option<&[u8]> {
        self.search(task).map(|(_, prefix)| prefix.columns_from_right())
    }

    /// The column sets of a half-board matching task. `None` if the plan has no such task, or if
    /// its tasks are not column sets.
    pub fn column_sets(&self, task: usize) -> Option<impl Iterator<Item = ColumnSets> + '_> {
        match &self.tasks {
            Tasks::Columns(columns) if task < columns.len() => Some(columns.sets(task)),
            _ => None,
        }
    }

    /// The pairs of row sets of a task of the colour join. `None` if the plan has no such task, or
    /// if its tasks are not pairs of row sets.
    pub fn pairs(&self, task: usize) -> Option<Vec<Pairs>> {
        match &self.tasks {
            Tasks::Pairs(pairs) => pairs.pairs(task),
            _ => None,
        }
    }

    /// The expected coverage of a task of column sets or of pairs of row sets. `None` if the plan
    /// has no such task, or for a method that places queens.
    pub fn expected_coverage(&self, task: usize) -> Option<Coverage> {
        self.expected_coverage_of_first(task, usize::MAX)
    }

    /// The expected coverage of the first `sets` column sets or pairs of a task. `None` as for
    /// [`expected_coverage`](Plan::expected_coverage).
    pub fn expected_coverage_of_first(&self, task: usize, sets: usize) -> Option<Coverage> {
        if let Some(pairs) = self.pairs(task) {
            return Some(coverage_of_first(&pairs, sets));
        }
        let weights = self.column_sets(task)?.take(sets).map(|sets| u64::from(sets.weight));
        Some(weights.fold(Coverage::default(), |Coverage { sets, weight }, more| Coverage {
            sets: sets + 1,
            weight: weight + more,
        }))
    }

    /// The audit set of a half-board matching task: its first column set. Its count is stored in
    /// addition to the task's, so that it can be [recounted](crate::Counter::count_audit_set). `None`
    /// if the task has no column sets.
    pub fn audit_set(&self, task: usize) -> Option<ColumnSets> {
        self.column_sets(task)?.nth(Self::AUDIT_SET)
    }

    /// The symmetries that half-board matching uses in this plan; `None` for other methods.
    pub fn symmetries(&self) -> Option<Symmetries> {
        match self.tasks {
            Tasks::Columns(_) => Some(Symmetries::of(self.size)),
            Tasks::Prefixes(..) | Tasks::Pairs(_) => None,
        }
    }

    /// The queens of a task's prefix, as one bit per row, for recounts with independent code. `None` as
    /// for [`describe`](Plan::describe).
    pub fn queens(&self, task: usize) -> Option<impl Iterator<Item = RowBits> + '_> {
        Some(self.describe(task)?.iter().map(|&column| RowBits::of(column.into())))
    }
}

impl PlanId {
    /// The number of choices of columns, or of rows and columns, that all tasks represent: the sum
    /// of their weights. `None` for methods that place queens.
    ///
    /// ```
    /// use queens_core::{Method, PlanId, Size};
    /// let all = |n| PlanId { size: Size::new(n).ok()?, method: Method::Halves }.choices();
    /// // N = 8: the upper half uses 4 of the 8 columns. N = 9: the lower half uses 4 of the 8
    /// // columns besides the middle one.
    /// assert_eq!((all(8), all(9)), (Some(70), Some(70)));
    /// ```
    pub fn choices(self) -> Option<u64> {
        match self.method {
            Method::Halves => Some(halves::choices(self.size)),
            Method::Colours => Some(colours::choices(self.size)),
            _ => None,
        }
    }

    /// Creates the plan with this identity.
    pub fn plan(self) -> Plan {
        Plan::new(self.size, self.method)
    }
}

/// The number of queens in the prefix of each task; 0 for a plan with one task. It is chosen so that
/// a plan has at most [`Plan::MAX_TASKS`] tasks, of similar size.
const fn depth(method: Stepped, size: Size) -> u32 {
    match (method, size.get()) {
        // Too small to divide.
        (_, 0..=4) => 0,
        (_, 5..=10) => 2,
        // With four rows, a task takes a few seconds at most for N up to about 22. Beyond N = 24,
        // four rows would give too many tasks.
        (Stepped::Symmetry, 17..=24) => 4,
        (_, _) => 3,
    }
}

/// Returns all prefixes of `depth` queens that the method reaches, in the order of the search.
fn prefixes(method: Stepped, size: Size, depth: u32) -> Vec<Prefix> {
    let mut tracer = Tracer::new(method, size);
    if depth == 0 {
        return [Prefix::of(&tracer.view())].into();
    }
    let mut prefixes = Vec::new();
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
    use crate::halves::Isa;

    #[test]
    fn plans_of_stepped_methods_have_at_most_max_tasks() {
        for &method in Stepped::ALL {
            for size in Size::all().take(Size::MAX_COUNTED as usize) {
                let tasks = Plan::new(size, method.into()).len();
                assert!((1..=Plan::MAX_TASKS).contains(&tasks), "{method} {size}: {tasks}");
            }
        }
    }

    #[test]
    fn the_order_contains_each_task_once() {
        for &method in Method::ALL {
            for size in Size::all().take(20) {
                let plan = Plan::new(size, method);
                let mut order = plan.order();
                order.sort_unstable();
                assert!(order.into_iter().eq(0..plan.len()), "{method} {size}");
            }
        }
    }

    #[test]
    fn tasks_add_up_to_the_whole_in_both_forms() {
        for &method in Stepped::ALL {
            let up_to = match method {
                Stepped::BruteForce => 6,
                Stepped::Permutations => 8,
                _ => 9,
            };
            for size in Size::all().take(up_to) {
                let plan = Plan::new(size, method.into());
                let mut whole = Tally::default();
                method.search(size, &mut whole);
                let mut sum = Tally::default();
                for task in 0..plan.len() {
                    let tally = plan.count(task, Form::Recursive).unwrap();
                    assert_eq!(plan.count(task, Form::Iterative), Ok(tally));
                    sum = sum.checked_add(tally).unwrap();
                }
                assert_eq!(sum, whole, "{method} N = {size}");
                let outside = plan.count(plan.len(), Form::Recursive);
                assert_eq!(outside, Err(plan.has_no(plan.len())));
            }
        }
    }

    #[test]
    fn a_task_resumes_after_any_of_its_column_sets() {
        let plan = Plan::new(Size::new(if cfg!(miri) { 9 } else { 17 }).unwrap(), Method::Halves);
        let whole = plan.count(4, Form::Recursive).unwrap();
        assert_eq!(whole.covered, plan.expected_coverage(4));
        let mut parts = Vec::new();
        let mut counter = plan.counter(Form::Recursive, Isa::BUILT_IN);
        counter.count_resumable(&plan, 4, None, |part| parts.push(part)).unwrap();
        assert_eq!(Some(parts.len()), plan.column_sets(4).map(Iterator::count));
        let mut other = plan.counter(Form::Recursive, Isa::PORTABLE);
        for (number, part) in (1..).zip(parts) {
            assert_eq!(part.covered, plan.expected_coverage_of_first(4, number));
            let mut steps = 0;
            assert_eq!(other.count_resumable(&plan, 4, Some(part), |_| steps += 1), Ok(whole));
            assert_eq!(Some(number + steps), plan.column_sets(4).map(Iterator::count));
        }
    }

    #[test]
    fn starts_of_a_task_add_up_to_the_task() {
        for n in 1..=9 {
            let plan = Plan::new(Size::new(n).unwrap(), Method::Symmetry);
            for task in 0..plan.len() {
                let starts = plan.starts(task);
                assert!(starts.iter().all(|start| start.masks().is_some()), "N = {n}");
                let mut sum = Tally::default();
                for start in &starts {
                    Stepped::Symmetry.search_below(start, &mut sum);
                }
                // For N = 1 there are no starts, so the only solution is not in the sum.
                let expected = plan.count(task, Form::Recursive).ok().filter(|_| n > 1);
                assert_eq!(sum, expected.unwrap_or_default(), "N = {n} task {task}");
            }
            assert!(plan.starts(plan.len()).is_empty());
        }
    }
}
