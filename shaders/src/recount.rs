//! Spot checks of GPU results: some tasks are recounted on the CPU, so that a faulty GPU is found.

use std::{fmt, sync::Arc, time::Duration};

use queens_core::{Form, GpuSearch, Plan, Tally, recount_audit_set};

use crate::DeviceError;

/// Spot checks may take 1/`BUDGET_DIVISOR` of the GPU's working time.
const BUDGET_DIVISOR: u32 = 1000;

/// A mismatch between a GPU's count of a task and the recount.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The task.
    pub task: usize,
    /// Whether only the audit set of the task was recounted.
    pub is_audit_set: bool,
    /// The solutions that the GPU found; `None` if they exceed a `u64` or were not recorded.
    pub counted: Option<u64>,
    /// The solutions that the CPU found; `None` if they exceed a `u64`. Both numbers are the same if
    /// only other parts of the tallies differ, such as the class counts.
    pub expected: Option<u64>,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count_text =
            |number: Option<u64>| number.map_or("too many".into(), |count| count.to_string());
        let [counted, expected] = [self.counted, self.expected].map(count_text);
        let Mismatch { task, is_audit_set, .. } = self;
        let part = if *is_audit_set { "the audit set of " } else { "" };
        write!(f, "{part}task {task} has {counted} solutions on the GPU but {expected} on the CPU")
    }
}

/// Checks that the weights of all keys of a task of the colour join were added up.
///
/// # Errors
/// [`DeviceError`] if they were not.
pub(crate) fn check_coverage(plan: &Plan, task: usize, tally: &Tally) -> Result<(), DeviceError> {
    let expected = plan.expected_coverage(task);
    if tally.covered == expected {
        return Ok(());
    }
    let [counted, expected] =
        [tally.covered, expected].map(|covered| covered.unwrap_or_default().weight);
    Err(DeviceError::new(format!(
        "task {task}: {counted} row and column sets were counted instead of {expected}"
    )))
}

/// Recounts a task on the CPU; on large boards, only the audit set of a task of the colour join. Returns the
/// mismatch, or `None` if the counts agree, the recount fails, or the board is too large for a recount.
fn spot_check(plan: &Plan, task: usize, tally: &Tally) -> Option<Mismatch> {
    // The largest board on which a task can be recounted within seconds.
    let largest = match plan.method().gpu_search()? {
        GpuSearch::Tree => 22,
        GpuSearch::Join => 24,
    };
    if plan.size().get() > largest {
        let expected = recount_audit_set(plan, task);
        return (expected? != tally.chosen?).then_some(Mismatch {
            task,
            is_audit_set: true,
            counted: tally.chosen,
            expected,
        });
    }
    // Errors of a count are reported where the totals are computed.
    let expected = plan.count(task, Form::Recursive).ok()?;
    (expected != *tally).then(|| Mismatch {
        task,
        is_audit_set: false,
        counted: tally.total(),
        expected: expected.total(),
    })
}

/// The spot checks of one GPU that counts tasks of a plan: one task of its first batch, and then as many as
/// fit into a small fraction of its working time.
#[derive(Clone, Debug)]
pub struct SpotChecker {
    plan: Arc<Plan>,
    /// The GPU's working time.
    gpu_time: Duration,
    /// The time of all recounts.
    recount_time: Duration,
    /// The mismatch that a check has found.
    mismatch: Option<Mismatch>,
}

impl SpotChecker {
    /// Starts spot checks of tasks of this plan.
    pub fn new(plan: Arc<Plan>) -> SpotChecker {
        let (gpu_time, recount_time) = Default::default();
        SpotChecker { plan, gpu_time, recount_time, mismatch: None }
    }

    /// If a check is due, recounts a task of a finished batch, which took the GPU `took`. Returns the
    /// mismatch of this or an earlier check, after which all results of the GPU are unreliable.
    ///
    /// The first check takes the task with the most solutions, because a GPU that loses solutions
    /// loses most of them there. Later checks take the task at the index that `random` returns:
    /// a number below its argument, which is the length of the batch. `now` reads a clock.
    pub fn check(
        &mut self,
        batch: &[(usize, Tally)],
        took: Duration,
        random: impl FnOnce(usize) -> usize,
        now: impl Fn() -> Duration,
    ) -> Option<Mismatch> {
        self.gpu_time += took;
        if self.mismatch.is_some() || !self.is_due() {
            return self.mismatch;
        }
        let start = now();
        let (task, tally) = if self.recount_time.is_zero() {
            batch.iter().max_by_key(|(_, tally)| tally.total().unwrap_or(u64::MAX))?
        } else {
            batch.get(random(batch.len()))?
        };
        self.mismatch = spot_check(&self.plan, *task, tally);
        self.add_recount(now().saturating_sub(start));
        self.mismatch
    }

    /// Adds the duration of a recount: at least one nanosecond, so that the first check is recorded
    /// even if the clock is too coarse to measure it.
    fn add_recount(&mut self, took: Duration) {
        self.recount_time += took.max(Duration::from_nanos(1));
    }

    fn is_due(&self) -> bool {
        self.recount_time.saturating_mul(BUDGET_DIVISOR) <= self.gpu_time
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use queens_core::{Method, Size};
    use std::cell::Cell;

    fn plan(n: u32) -> Arc<Plan> {
        Arc::new(Plan::new(Size::new(n).unwrap(), Method::Symmetry))
    }

    #[test]
    fn spot_check_detects_only_wrong_tallies() {
        let plan = plan(9);
        let mut tally = plan.count(2, Form::Recursive).unwrap();
        let total = tally.total().unwrap();
        assert_eq!(spot_check(&plan, 2, &tally), None);
        tally.classes[1] += 1;
        let message = spot_check(&plan, 2, &tally).unwrap().to_string();
        let counted = total + 2;
        let expected = format!("task 2 has {counted} solutions on the GPU but {total} on the CPU");
        assert_eq!(message, expected);
    }

    #[test]
    fn tasks_of_large_boards_are_not_recounted() {
        assert_eq!(spot_check(&plan(23), 0, &Tally::default()), None);
    }

    #[test]
    fn audit_sets_of_large_boards_are_recounted() {
        let plan = Plan::new(Size::new(26).unwrap(), Method::Colours);
        // One of the last tasks: hardly any placements have so many white queens.
        let task = plan.len() - 30;
        let chosen = recount_audit_set(&plan, task).unwrap();
        let tally = |chosen| Tally { chosen: Some(chosen), ..Tally::default() };
        assert_eq!(spot_check(&plan, task, &tally(chosen)), None);
        let message = spot_check(&plan, task, &tally(chosen + 8)).unwrap().to_string();
        let expected = format!(
            "the audit set of task {task} has {} solutions on the GPU but {chosen} on the CPU",
            chosen + 8
        );
        assert_eq!(message, expected);
    }

    #[test]
    fn checks_are_due_only_within_the_time_budget() {
        let seconds = Duration::from_secs;
        let mut checks = SpotChecker::new(plan(8));
        assert!(checks.is_due(), "the first batch is checked");
        checks.add_recount(seconds(2));
        for (more, is_due) in [(0, false), (1999, false), (1, true), (3000, true)] {
            checks.gpu_time += seconds(more);
            assert_eq!(checks.is_due(), is_due, "{more}");
        }
    }

    #[test]
    fn detects_a_faulty_gpu_in_the_first_or_a_later_batch() {
        let plan = plan(8);
        let right = |task| (task, plan.count(task, Form::Recursive).unwrap());
        let wrong = |task| {
            let (task, tally) = right(task);
            let [all, two, four, eight] = tally.classes;
            (task, Tally { classes: [all, two + 1, four, eight], ..tally })
        };
        // A recount takes a second.
        let clock = Cell::new(0);
        let now = || Duration::from_secs(clock.replace(clock.get() + 1));
        let mut checker = SpotChecker::new(Arc::clone(&plan));
        let mut check = |batch: &[_], took| checker.check(batch, took, |below| below - 1, now);
        let short = Duration::from_secs(1);
        assert_eq!(check(&[right(3), right(4)], short), None);
        assert_eq!(check(&[wrong(5)], short), None, "the next check is not due yet");
        let mismatch = check(&[right(6), wrong(7)], Duration::from_secs(1000)).unwrap();
        let counted = right(7).1.total().map(|total| total + 2);
        assert_eq!((mismatch.task, mismatch.counted), (7, counted));
        assert_eq!(check(&[right(3)], short), Some(mismatch), "the GPU stays unreliable");
        let mut checker = SpotChecker::new(Arc::clone(&plan));
        let few = (0, Tally::default());
        let first = checker.check(&[few, wrong(1), few], Duration::ZERO, |_| 0, now);
        assert_eq!(first.map(|mismatch| mismatch.task), Some(1), "it has the most solutions");
    }
}
