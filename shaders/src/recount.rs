//! Spot checks of GPU results: some tasks are recounted on the CPU, so that a faulty GPU is found.

use std::{fmt, sync::Arc, time::Duration};

use queens_core::{Attacks, Counter, Form, Method, Plan, Tally, halves::Isa};

/// The largest board on which a task of a search can be recounted within seconds.
const LARGEST_SEARCHED: u32 = 22;

/// The largest board on which a task of column sets can be recounted within seconds. On larger
/// boards only the task's [audit set](Plan::audit_set) is recounted, which takes 34 seconds on
/// average at N = 28 (docs/scale.md).
const LARGEST_MATCHED: u32 = 24;

/// Spot checks may take 1/`BUDGET_DIVISOR` of the GPU's working time.
const BUDGET_DIVISOR: u32 = 1000;

/// Recounts tasks of a plan on the CPU. The counter is created when it is first needed.
#[expect(missing_debug_implementations, reason = "a counter has no useful debug output")]
pub struct Recount {
    plan: Arc<Plan>,
    isa: Isa,
    counter: Option<Counter>,
}

/// A mismatch between a GPU's count of a task and the recount.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The task.
    pub task: usize,
    /// The solutions that the GPU found; `None` if they exceed a `u64` or were not recorded.
    pub counted: Option<u64>,
    /// The solutions that the CPU found; `None` if they exceed a `u64`. Both numbers are the same if
    /// only other parts of the tallies differ, such as the class counts.
    pub expected: Option<u64>,
    /// Whether both numbers are for the task's [audit set](Plan::audit_set) alone.
    pub is_audit_set: bool,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let prefix = if self.is_audit_set { "the recorded column set of " } else { "" };
        let count_text =
            |number: Option<u64>| number.map_or("too many".into(), |count| count.to_string());
        let [counted, expected] = [self.counted, self.expected].map(count_text);
        let task = self.task;
        write!(
            f,
            "{prefix}task {task} has {counted} solutions on the GPU but {expected} on the CPU"
        )
    }
}

impl Recount {
    /// Creates a recount for tasks of this plan. Half-board matching uses the instruction set
    /// `isa`.
    pub fn new(plan: Arc<Plan>, isa: Isa) -> Recount {
        Recount { plan, isa, counter: None }
    }

    /// Returns the number of solutions of a task, or `u64::MAX` if they exceed a `u64`.
    pub fn solutions(tally: &Tally) -> u64 {
        tally.total().unwrap_or(u64::MAX)
    }

    /// Recounts a task or, on a large board of half-board matching, its audit set. Returns the
    /// mismatch, or `None` if the counts agree, the recount fails, or the method is a search and the
    /// board is too large for a recount.
    pub fn spot_check(&mut self, task: usize, tally: &Tally) -> Option<Mismatch> {
        let Recount { plan, isa, counter } = self;
        let n = plan.size().get();
        let is_audit_set = plan.method() == Method::Halves && n > LARGEST_MATCHED;
        if plan.method() != Method::Halves && n > LARGEST_SEARCHED {
            return None;
        }
        let counter = counter.get_or_insert_with(|| plan.counter(Form::Recursive, *isa));
        // Errors of a count are reported where the totals are computed.
        let (counted, expected, is_right) = if is_audit_set {
            let expected = counter.count_audit_set(plan, task, Attacks::NONE).ok()?;
            (tally.chosen, expected, tally.chosen == expected)
        } else {
            let expected = counter.count(plan, task).ok()?;
            (tally.total(), expected.total(), expected == *tally)
        };
        (!is_right).then_some(Mismatch { task, counted, expected, is_audit_set })
    }
}

/// The spot checks of one GPU: one task of its first batch, and then as many as fit into a small
/// fraction of its working time.
#[derive(Clone, Copy, Debug, Default)]
pub struct SpotChecks {
    /// The GPU's working time.
    gpu_time: Duration,
    /// The time of all recounts.
    recount_time: Duration,
}

impl SpotChecks {
    /// If a check is due, selects a task of a finished batch, which took the GPU `took`, and
    /// returns the mismatch that `recount` finds.
    ///
    /// The first check takes the task with the most `solutions`, because a GPU that loses solutions
    /// loses most of them there. Later checks take the task at the index that `random` returns:
    /// a number below its argument, which is the length of the batch. `now` reads a clock.
    pub fn check<T, D>(
        &mut self,
        batch: &[(usize, T)],
        took: Duration,
        solutions: impl Fn(&T) -> u64,
        recount: impl FnOnce(usize, &T) -> Option<D>,
        random: impl FnOnce(usize) -> usize,
        now: impl Fn() -> Duration,
    ) -> Option<D> {
        self.gpu_time += took;
        if !self.is_due() || batch.is_empty() {
            return None;
        }
        let start = now();
        let (task, result) = if self.recount_time.is_zero() {
            batch.iter().max_by_key(|(_, result)| solutions(result))?
        } else {
            batch.get(random(batch.len()))?
        };
        let mismatch = recount(*task, result);
        self.add_recount(now().saturating_sub(start));
        mismatch
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

/// Spot checks of one GPU with its own recount, one batch after the other.
#[expect(missing_debug_implementations, reason = "a counter has no useful debug output")]
pub struct SpotChecker {
    recount: Recount,
    checks: SpotChecks,
}

impl SpotChecker {
    /// Starts spot checks of tasks of this plan. Half-board matching uses the instruction set
    /// `isa`.
    pub fn new(plan: Arc<Plan>, isa: Isa) -> SpotChecker {
        SpotChecker { recount: Recount::new(plan, isa), checks: SpotChecks::default() }
    }

    /// The plan of the tasks.
    pub fn plan(&self) -> &Plan {
        &self.recount.plan
    }

    /// Checks a batch of tasks and returns a mismatch, if any; see [`SpotChecks::check`].
    pub fn check(
        &mut self,
        batch: &[(usize, Tally)],
        took: Duration,
        random: impl FnOnce(usize) -> usize,
        now: impl Fn() -> Duration,
    ) -> Option<Mismatch> {
        let SpotChecker { recount, checks } = self;
        let recount_task = |task, tally: &Tally| recount.spot_check(task, tally);
        checks.check(batch, took, Recount::solutions, recount_task, random, now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use queens_core::Size;
    use std::cell::Cell;

    fn plan(n: u32, method: Method) -> Arc<Plan> {
        Arc::new(Plan::new(Size::new(n).unwrap(), method))
    }

    #[test]
    fn spot_check_detects_only_wrong_tallies() {
        for method in [Method::Symmetry, Method::Halves] {
            let plan = plan(9, method);
            let mut recount = Recount::new(Arc::clone(&plan), Isa::PORTABLE);
            let mut tally = plan.count(2, Form::Recursive).unwrap();
            let total = tally.total().unwrap();
            assert_eq!(recount.spot_check(2, &tally), None);
            tally.classes[1] += 1;
            let message = recount.spot_check(2, &tally).unwrap().to_string();
            let counted = total + 2;
            let expected =
                format!("task 2 has {counted} solutions on the GPU but {total} on the CPU");
            assert_eq!(message, expected);
        }
    }

    #[test]
    fn spot_check_of_a_large_task_recounts_its_audit_set() {
        // The lower half of this task's audit set has the innermost columns. Hardly any placements
        // have queens so close together, so the lists are short.
        let plan = plan(25, Method::Halves);
        let task = 0;
        let mut recount = Recount::new(Arc::clone(&plan), Isa::PORTABLE);
        let mut counter = plan.counter(Form::Recursive, Isa::PORTABLE);
        let chosen = counter.count_audit_set(&plan, task, Attacks::NONE).unwrap();
        let tally = Tally { single: 1, chosen, ..Tally::default() };
        assert_eq!(recount.spot_check(task, &tally), None);
        let wrong = Tally { chosen: chosen.map(|chosen| chosen + 1), ..tally };
        let message = recount.spot_check(task, &wrong).unwrap().to_string();
        assert!(message.starts_with("the recorded column set of task 0 has "), "{message}");
        // Tasks of the search take too long to be recounted on this board.
        let plan = self::plan(23, Method::Symmetry);
        assert_eq!(Recount::new(plan, Isa::PORTABLE).spot_check(0, &tally), None);
    }

    #[test]
    fn checks_are_due_only_within_the_time_budget() {
        let seconds = Duration::from_secs;
        let mut checks = SpotChecks::default();
        assert!(checks.is_due(), "the first batch is checked");
        checks.add_recount(seconds(2));
        for (more, is_due) in [(0, false), (1999, false), (1, true), (3000, true)] {
            checks.gpu_time += seconds(more);
            assert_eq!(checks.is_due(), is_due, "{more}");
        }
    }

    #[test]
    fn detects_a_faulty_gpu_in_the_first_or_a_later_batch() {
        let plan = plan(8, Method::Halves);
        let right = |task| (task, plan.count(task, Form::Recursive).unwrap());
        let wrong = |task| {
            let (task, tally) = right(task);
            (task, Tally { single: tally.single + 1, ..tally })
        };
        // A recount takes a second.
        let clock = Cell::new(0);
        let now = || Duration::from_secs(clock.replace(clock.get() + 1));
        let mut checker = SpotChecker::new(Arc::clone(&plan), Isa::PORTABLE);
        let mut check = |batch: &[_], took| checker.check(batch, took, |below| below - 1, now);
        let short = Duration::from_secs(1);
        assert_eq!(check(&[right(3), right(4)], short), None);
        assert_eq!(check(&[wrong(5)], short), None, "the next check is not due yet");
        let mismatch = check(&[right(6), wrong(7)], Duration::from_secs(1000)).unwrap();
        let counted = right(7).1.total().map(|total| total + 1);
        assert_eq!((mismatch.task, mismatch.counted), (7, counted));
        let mut checker = SpotChecker::new(Arc::clone(&plan), Isa::PORTABLE);
        let few = (0, Tally::default());
        let first = checker.check(&[few, wrong(1), few], Duration::ZERO, |_| 0, now);
        assert_eq!(first.map(|mismatch| mismatch.task), Some(1), "it has the most solutions");
        assert_eq!(checker.check(&[], short, |_| 0, now), None);
    }
}
