//! Partial counts: the finished tasks of a plan, wherever they were counted.

use alloc::collections::btree_map::{BTreeMap, Entry};
use core::time::Duration;

use super::{Plan, PlanId, TaskError};
use crate::{Method, Size, Tally};

/// A finished task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Done<T> {
    /// The task's number in the plan.
    pub task: usize,
    /// The result of the task.
    pub result: T,
    /// The time of the task. If a GPU counted several tasks in one batch, the task's share of the
    /// batch's time.
    pub took: Duration,
}

/// A set of finished tasks of one plan, for example of one thread, one shard or one interrupted
/// run. Partial counts of the same plan can be merged; [`finalize`](fn@super::finalize) computes the
/// numbers of the complete count.
///
/// ```
/// use core::time::Duration;
/// use queens_core::{Done, Form, Isa, Method, PartialCount, Plan, Size};
/// let plan = Plan::new(Size::new(6)?, Method::Bitmap);
/// let mut counter = plan.counter(Form::Recursive, Isa::PORTABLE);
/// let mut count = |tasks: core::ops::Range<usize>| {
///     let mut part = PartialCount::new(&plan);
///     for task in tasks {
///         part.add(Done { task, result: counter.count(&plan, task)?, took: Duration::ZERO })?;
///     }
///     Ok::<PartialCount, queens_core::TaskError>(part)
/// };
/// let (mut part, rest) = (count(0..1)?, count(1..plan.len())?);
/// assert!(part.missing().eq(1..plan.len()));
/// part.merge(rest)?;
/// assert!(part.is_complete());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartialCount {
    plan: PlanId,
    tasks: usize,
    done: BTreeMap<usize, Done<Tally>>,
    /// The sum over the finished tasks. Its total fits a `u64`.
    sum: Tally,
}

impl PartialCount {
    /// Creates a partial count of `plan` without finished tasks.
    pub fn new(plan: &Plan) -> PartialCount {
        let sum = Tally::default();
        PartialCount { plan: plan.identity(), tasks: plan.len(), done: BTreeMap::new(), sum }
    }

    /// The board of the plan.
    pub fn size(&self) -> Size {
        self.plan.size
    }

    /// The method of the plan.
    pub fn method(&self) -> Method {
        self.plan.method
    }

    /// The identity of the plan. Equal identities mean equal plans.
    pub fn identity(&self) -> PlanId {
        self.plan
    }

    /// The number of tasks in the whole plan.
    pub fn tasks(&self) -> usize {
        self.tasks
    }

    /// Adds a finished task.
    ///
    /// # Errors
    /// [`TaskError`] if the plan has no such task, if the task was added before, or if the sum
    /// would exceed a `u64`. The partial count is then unchanged.
    pub fn add(&mut self, done: Done<Tally>) -> Result<(), TaskError> {
        let PartialCount { plan: PlanId { size, method, .. }, tasks, .. } = *self;
        let task = done.task;
        if task >= tasks {
            return Err(TaskError::NoSuchTask { task, size, method, tasks });
        }
        match self.done.entry(task) {
            Entry::Occupied(_) => Err(TaskError::Doubled { task }),
            Entry::Vacant(entry) => {
                self.sum = plus(self.sum, &done)?;
                entry.insert(done);
                Ok(())
            }
        }
    }

    /// Adds all tasks of another partial count.
    ///
    /// # Errors
    /// [`TaskError`] if `other` belongs to another plan, if both contain the same task, or if the
    /// sum would exceed a `u64`. This partial count is then unchanged.
    pub fn merge(&mut self, other: PartialCount) -> Result<(), TaskError> {
        let (ours, theirs) = (self.plan, other.plan);
        if ours != theirs {
            let task = other.done.keys().next().copied();
            return Err(TaskError::OtherPlan { task, theirs, ours });
        }
        if let Some(&task) = other.done.keys().find(|task| self.done.contains_key(task)) {
            return Err(TaskError::Doubled { task });
        }
        self.sum = other.done.values().try_fold(self.sum, plus)?;
        self.done.extend(other.done);
        Ok(())
    }

    /// The finished tasks in ascending order of their numbers.
    pub fn done(&self) -> impl ExactSizeIterator<Item = &Done<Tally>> {
        self.done.values()
    }

    /// Whether a task is finished.
    pub fn has(&self, task: usize) -> bool {
        self.done.contains_key(&task)
    }

    /// The numbers of the unfinished tasks, in ascending order.
    pub fn missing(&self) -> impl Iterator<Item = usize> {
        (0..self.tasks).filter(|&task| !self.has(task))
    }

    /// Whether every task of the plan is finished.
    pub fn is_complete(&self) -> bool {
        self.done.len() == self.tasks
    }

    /// The sum over the finished tasks. Its total fits a `u64`.
    pub fn tally(&self) -> Tally {
        self.sum
    }
}

/// Adds the result of one task to a sum.
fn plus(sum: Tally, done: &Done<Tally>) -> Result<Tally, TaskError> {
    let sum = sum.checked_add(done.result).filter(|sum| sum.total().is_some());
    sum.ok_or(TaskError::Overflow { task: done.task })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{string::ToString, vec::Vec};

    fn plan(n: u32, method: Method) -> Plan {
        Plan::new(Size::new(n).unwrap(), method)
    }

    fn done(task: usize) -> Done<Tally> {
        let result = Tally { single: task as u64, ..Tally::default() };
        Done { task, result, took: Duration::ZERO }
    }

    fn part(plan: &Plan, tasks: &[usize]) -> PartialCount {
        let mut part = PartialCount::new(plan);
        tasks.iter().for_each(|&task| part.add(done(task)).unwrap());
        part
    }

    #[test]
    fn lists_finished_and_missing_tasks() {
        let plan = plan(8, Method::Bitmap);
        let mut whole = part(&plan, &[3, 0]);
        whole.merge(part(&plan, &[1])).unwrap();
        assert!(whole.done().map(|done| done.task).eq([0, 1, 3]));
        assert_eq!(whole.tally().single, 4);
        let missing: Vec<usize> = whole.missing().collect();
        assert_eq!((missing[0], missing.len()), (2, plan.len() - 3));
        assert!(!whole.is_complete());
        whole.merge(part(&plan, &missing)).unwrap();
        assert!(whole.is_complete() && whole.missing().next().is_none());
    }

    #[test]
    fn rejects_duplicate_foreign_and_mixed_tasks() {
        let plan8 = plan(8, Method::Bitmap);
        let mut whole = part(&plan8, &[0, 3]);
        let before = whole.clone();
        let error = whole.add(done(3)).unwrap_err();
        assert_eq!(error.to_string(), "task 3 was counted twice");
        let error = whole.merge(part(&plan8, &[2, 3])).unwrap_err();
        assert_eq!(error, TaskError::Doubled { task: 3 });
        let error = whole.add(done(plan8.len())).unwrap_err();
        assert_eq!(
            error.to_string(),
            format_args!(
                "there is no task {0}: the plan for N = 8 by bitmap has {0} tasks, numbered from 0",
                plan8.len()
            )
            .to_string()
        );
        let error = whole.merge(part(&plan(9, Method::Bitmap), &[5])).unwrap_err();
        assert_eq!(error.to_string(), "task 5 belongs to N = 9 by bitmap, not to N = 8 by bitmap");
        let error = whole.merge(PartialCount::new(&plan(8, Method::Symmetry))).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the partial count belongs to N = 8 by symmetry, not to N = 8 by bitmap"
        );
        assert_eq!(whole, before);
    }

    #[test]
    fn rejects_results_that_overflow_the_sum() {
        let plan = plan(8, Method::Mirror);
        let result = Tally { mirror_pairs: u64::MAX / 2, ..Tally::default() };
        let mut part = PartialCount::new(&plan);
        part.add(Done { result, ..done(2) }).unwrap();
        let before = part.clone();
        let error = part.add(Done { result, ..done(0) }).unwrap_err();
        assert_eq!(
            error.to_string(),
            "with task 0 the number of solutions does not fit in 64 bits"
        );
        let mut other = PartialCount::new(&plan);
        other.add(done(0)).unwrap();
        other.add(Done { result, ..done(3) }).unwrap();
        assert_eq!(part.merge(other), Err(TaskError::Overflow { task: 3 }));
        assert_eq!(part, before);
    }
}
