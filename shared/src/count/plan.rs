//! A count as independent tasks.

use alloc::vec::Vec;

use crate::{
    Covered, Event, Form, Method, PlanId, Prefix, RowBits, Size, Stepped, Tally, TaskError, Tracer,
    halves::{self, ColumnSets, Columns, Symmetries},
};

/// The tasks that a count is made of: the branches of the search below its first queens, or, for
/// half-board matching, sets of columns.
///
/// The numbering depends on N, the method and the plan's version alone, never on the machine, so
/// that threads, GPUs, shards of a cluster and browsers can share one count. A task's tally
/// carries its symmetry weight; the tallies of all tasks add up to the whole.
///
/// In a task of half-board matching a solution counts as often as the [`Symmetries`] say, times the
/// weight of its column set.
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
    Columns(Columns),
}

impl Plan {
    /// The version of all plans. It changes whenever the division into tasks, their numbering or
    /// what is counted in them does; documents and journals of other versions are refused.
    pub const VERSION: u32 = 3;

    /// The largest number of tasks in a plan.
    pub const MAX_TASKS: usize = 65_536;

    /// The place of the [chosen](Plan::chosen) column set among those of its task.
    pub const CHOSEN: usize = 0;

    /// The plan for a board and a method.
    pub fn new(size: Size, method: Method) -> Plan {
        let tasks = match method.stepped() {
            None => Tasks::Columns(Columns::new(size)),
            Some(method) => Tasks::Prefixes(method, prefixes(method, size, depth(method, size))),
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
        }
    }

    /// The search that a task is: a method, and the queens below which it searches.
    fn search(&self, task: usize) -> Option<(Stepped, &Prefix)> {
        match &self.tasks {
            Tasks::Prefixes(method, prefixes) => Some((*method, prefixes.get(task)?)),
            Tasks::Columns(_) => None,
        }
    }

    /// What makes two plans the same.
    pub fn identity(&self) -> PlanId {
        PlanId { size: self.size, method: self.method }
    }

    /// What is wrong with a task that this plan does not have.
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

    /// Where the search of a task begins, for those who search it by other means than the
    /// method's own code: the task's prefix, or, for a task without queens, all prefixes of two
    /// queens (none for N < 4). Empty if the plan has no such task.
    pub fn starts(&self, task: usize) -> Vec<Prefix> {
        match self.search(task) {
            Some((_, prefix)) if prefix.rows() > 0 => [*prefix].into(),
            Some((method, _)) if self.size.get() > 3 => prefixes(method, self.size, 2),
            _ => Vec::new(),
        }
    }

    /// All tasks in an order in which those done first are, at every moment, like those to come:
    /// what is done tells how long the rest will take. Tasks of neighbouring numbers, or of
    /// neighbouring sets of columns, are alike, so these are far apart in it.
    pub fn order(&self) -> Vec<usize> {
        let line = match &self.tasks {
            Tasks::Prefixes(_, prefixes) => (0..prefixes.len()).collect(),
            Tasks::Columns(columns) => columns.in_line(),
        };
        let stride = halves::golden_stride(line.len());
        let places = (0..line.len()).map(|number| number * stride % line.len());
        places.filter_map(|place| line.get(place).copied()).collect()
    }

    /// The queens that a task starts from, their columns from the right, top row first (none if
    /// the task is the whole search); `None` if the plan has no such task, or if its tasks are
    /// [column sets](Plan::column_sets).
    pub fn describe(&self, task: usize) -> Option<&[u8]> {
        self.search(task).map(|(_, prefix)| prefix.columns_from_right())
    }

    /// The column sets that make up a task of half-board matching; `None` if the plan has no such
    /// task or is not made of column sets.
    pub fn column_sets(&self, task: usize) -> Option<impl Iterator<Item = ColumnSets> + '_> {
        match &self.tasks {
            Tasks::Columns(columns) if task < columns.len() => Some(columns.sets(task)),
            _ => None,
        }
    }

    /// What the count of a task of half-board matching is to cover; `None` if the plan has no such
    /// task or is not made of column sets.
    pub fn covered(&self, task: usize) -> Option<Covered> {
        self.covered_by_first(task, usize::MAX)
    }

    /// What the count of so many of a task's first column sets covers; `None` if the plan has no such
    /// task or is not made of column sets.
    pub fn covered_by_first(&self, task: usize, sets: usize) -> Option<Covered> {
        let weights = self.column_sets(task)?.take(sets).map(|sets| sets.weight);
        Some(weights.fold(Covered::default(), |Covered { sets, weight }, more| Covered {
            sets: sets + 1,
            weight: weight + more,
        }))
    }

    /// The column set of such a task that the plan chooses, whose count is kept beside that of all,
    /// to be [counted again](crate::Counter::count_chosen): its first one. `None` if it has no sets.
    pub fn chosen(&self, task: usize) -> Option<ColumnSets> {
        self.column_sets(task)?.nth(Self::CHOSEN)
    }

    /// The symmetries that half-board matching makes use of in this plan; `None` for other methods.
    pub fn symmetries(&self) -> Option<Symmetries> {
        match self.tasks {
            Tasks::Columns(_) => Some(Symmetries::of(self.size)),
            Tasks::Prefixes(..) => None,
        }
    }

    /// The prefix of a task as bits, for recounting it by other means.
    pub fn queens(&self, task: usize) -> Option<impl Iterator<Item = RowBits> + '_> {
        Some(self.describe(task)?.iter().map(|&column| RowBits::of(column.into())))
    }
}

impl PlanId {
    /// The choices of columns that the column sets of all tasks stand for: the sum of their weights.
    /// `None` if the plan has no column sets.
    ///
    /// ```
    /// use queens_core::{Method, PlanId, Size};
    /// let all = |n| PlanId { size: Size::new(n).ok()?, method: Method::Halves }.choices();
    /// // 4 of 8 columns for the upper half; of 9 columns, 4 of the 8 that are not in the middle for
    /// // the lower half.
    /// assert_eq!((all(8), all(9)), (Some(70), Some(70)));
    /// ```
    pub fn choices(self) -> Option<u64> {
        (self.method == Method::Halves).then(|| halves::choices(self.size))
    }

    /// The plan.
    pub fn plan(self) -> Plan {
        Plan::new(self.size, self.method)
    }
}

/// The number of rows whose queens make up a task's prefix; 0 for a plan of one task. It keeps
/// plans within [`Plan::MAX_TASKS`] and tasks even.
const fn depth(method: Stepped, size: Size) -> u32 {
    match (method, size.get()) {
        // Too small to be worth dividing.
        (_, 0..=4) => 0,
        (_, 5..=10) => 2,
        // Seconds at most to about N = 22; beyond 24 four rows would be too many tasks.
        (Stepped::Symmetry, 17..=24) => 4,
        (_, _) => 3,
    }
}

/// All prefixes of `depth` queens that the method comes to, in the order of the search.
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
    fn tasks_stay_within_their_limit() {
        for &method in Stepped::ALL {
            for size in Size::all().take(Size::MAX_COUNTED as usize) {
                let tasks = Plan::new(size, method.into()).len();
                assert!((1..=Plan::MAX_TASKS).contains(&tasks), "{method} {size}: {tasks}");
            }
        }
    }

    #[test]
    fn the_order_has_every_task_once() {
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
    fn tasks_add_up_in_both_forms() {
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
                let none = plan.count(plan.len(), Form::Recursive);
                assert_eq!(none, Err(plan.has_no(plan.len())));
            }
        }
    }

    #[test]
    fn a_task_can_be_gone_on_with_after_each_of_its_column_sets() {
        let plan = Plan::new(Size::new(if cfg!(miri) { 9 } else { 17 }).unwrap(), Method::Halves);
        let whole = plan.count(4, Form::Recursive).unwrap();
        assert_eq!(whole.covered, plan.covered(4));
        let mut parts = Vec::new();
        let mut counter = plan.counter(Form::Recursive, Isa::BUILT_IN);
        counter.go_on(&plan, 4, None, |part| parts.push(part)).unwrap();
        assert_eq!(Some(parts.len()), plan.column_sets(4).map(Iterator::count));
        let mut other = plan.counter(Form::Recursive, Isa::PORTABLE);
        for (number, part) in (1..).zip(parts) {
            assert_eq!(part.covered, plan.covered_by_first(4, number));
            let mut steps = 0;
            assert_eq!(other.go_on(&plan, 4, Some(part), |_| steps += 1), Ok(whole));
            assert_eq!(Some(number + steps), plan.column_sets(4).map(Iterator::count));
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
                    Stepped::Symmetry.search_below(start, &mut sum);
                }
                // The one solution of N = 1 has no branch.
                let expected = plan.count(task, Form::Recursive).ok().filter(|_| n > 1);
                assert_eq!(sum, expected.unwrap_or_default(), "N = {n} task {task}");
            }
            assert!(plan.starts(plan.len()).is_empty());
        }
    }
}
