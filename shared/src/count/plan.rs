//! Divides a count into independent tasks.

use alloc::vec::Vec;

use crate::{
    Coverage, Event, Form, Method, PlanId, Prefix, RowBits, Size, Stepped, Tally, TaskError,
    Tracer,
    colours::{self, PairTasks, Pairs, coverage_of_first},
};

/// The tasks of a count. For stepped methods these are the branches of the search below its first
/// queens, for the colour join they are ranges of pairs of row sets.
///
/// The numbering depends only on N, the method and the plan's version, never on the machine.
/// Threads, GPUs, shards on a cluster and browsers can therefore share one count. A task's tally
/// includes its symmetry weight; the tallies of all tasks add up to the tally of the count.
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
    Pairs(PairTasks),
}

impl Plan {
    /// The version of all plans. Raise it whenever the division into tasks, their numbering or the
    /// counted quantity changes. Documents and journals of other versions are rejected.
    pub const VERSION: u32 = 3;

    /// The largest number of tasks in a plan.
    pub const MAX_TASKS: usize = 65_536;

    /// Creates the plan for a board and a method.
    pub fn new(size: Size, method: Method) -> Plan {
        let tasks = match method.stepped() {
            Some(method) => Tasks::Prefixes(method, prefixes(method, size, depth(method, size))),
            None => Tasks::Pairs(PairTasks::new(size)),
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
            Tasks::Pairs(pairs) => pairs.len(),
        }
    }

    /// The method of a task and the queens below which it searches.
    fn search(&self, task: usize) -> Option<(Stepped, &Prefix)> {
        match &self.tasks {
            Tasks::Prefixes(method, prefixes) => Some((*method, prefixes.get(task)?)),
            Tasks::Pairs(_) => None,
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
    /// queens (none for N < 4). Empty if the plan has no such task, or if its tasks are pairs of row sets.
    pub fn starts(&self, task: usize) -> Vec<Prefix> {
        match self.search(task) {
            Some((_, prefix)) if prefix.rows() > 0 => [*prefix].into(),
            Some((method, _)) if self.size.get() > 3 => prefixes(method, self.size, 2),
            _ => Vec::new(),
        }
    }

    /// Returns all task numbers in an order in which the finished tasks are at every moment a fair
    /// sample of all tasks, so that their speed predicts the remaining time. Tasks with neighbouring
    /// numbers are similar, so they are far apart in this order. The colour join takes eight of them at
    /// a time, because they share lists.
    pub fn order(&self) -> Vec<usize> {
        let run = match self.tasks {
            Tasks::Prefixes(..) => 1,
            Tasks::Pairs(_) => 8,
        };
        let runs = self.len().div_ceil(run);
        let stride = golden_stride(runs);
        let starts = (0..runs).map(|number| number * stride % runs * run);
        starts.flat_map(|start| start..self.len().min(start + run)).collect()
    }

    /// The queens that a task starts from, as columns from the right, top row first. Empty if the
    /// task is the whole search. `None` if the plan has no such task, or if its tasks are [pairs of row
    /// sets](Plan::pairs).
    pub fn describe(&self, task: usize) -> Option<&[u8]> {
        self.search(task).map(|(_, prefix)| prefix.columns_from_right())
    }

    /// The pairs of row sets of a task of the colour join. `None` if the plan has no such task, or
    /// if its tasks are not pairs of row sets.
    pub fn pairs(&self, task: usize) -> Option<Vec<Pairs>> {
        match &self.tasks {
            Tasks::Pairs(pairs) => pairs.pairs(task),
            _ => None,
        }
    }

    /// The expected coverage of a task of pairs of row sets. `None` if the plan has no such task, or for
    /// a method that places queens.
    pub fn expected_coverage(&self, task: usize) -> Option<Coverage> {
        self.expected_coverage_of_first(task, usize::MAX)
    }

    /// The expected coverage of the first `sets` pairs of a task. `None` as for
    /// [`expected_coverage`](Plan::expected_coverage).
    pub fn expected_coverage_of_first(&self, task: usize, sets: usize) -> Option<Coverage> {
        Some(coverage_of_first(&self.pairs(task)?, sets))
    }

    /// The queens of a task's prefix, as one bit per row, for recounts with independent code. `None` as
    /// for [`describe`](Plan::describe).
    pub fn queens(&self, task: usize) -> Option<impl Iterator<Item = RowBits> + '_> {
        Some(self.describe(task)?.iter().map(|&column| RowBits::of(column.into())))
    }
}

impl PlanId {
    /// The number of choices of rows and columns that all tasks represent: the sum of their weights.
    /// `None` for methods that place queens.
    ///
    /// ```
    /// use queens_core::{Method, PlanId, Size};
    /// let all = |n| PlanId { size: Size::new(n).ok()?, method: Method::Colours }.choices();
    /// // N = 4: white queens are in k of the two even rows, of the two odd rows, of the two even
    /// // columns and of the two odd columns: 1 + 16 + 1 choices.
    /// assert_eq!(all(4), Some(18));
    /// ```
    pub fn choices(self) -> Option<u64> {
        match self.method {
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
        if step == (Event::Descend { row: depth }) {
            prefixes.push(Prefix::of(&tracer.view()));
            tracer.skip_row();
        }
    }
    prefixes
}

/// Returns a number near 0.618 · `whole` (the golden section) that is coprime to `whole`. Its
/// multiples modulo `whole` visit all numbers below `whole`, and those visited so far are always
/// spread about evenly (a *golden-ratio sequence*). For 8 it is 5, which visits 0, 5, 2, 7, 4, 1, 6,
/// 3.
fn golden_stride(whole: usize) -> usize {
    let whole = whole as u64;
    // 0.618 as a fraction of 2^32.
    let least = (whole * 2_654_435_769) >> 32;
    let is_coprime = |&number: &u64| gcd(whole, number) == 1;
    (least.max(1)..=whole).find(is_coprime).unwrap_or(1) as usize
}

/// Returns the greatest common divisor (Euclid's algorithm).
const fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

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
