//! Estimates the total and the time of a count from a sample of tasks.

use core::time::Duration;

use super::{Counter, Plan, TaskError, colours::Pairs};

/// A sample observation: the exact count of a part of a task.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TaskSample {
    /// The solutions of the part.
    pub solutions: u64,
    /// The number of such parts in the task; 1 if all of it was counted.
    pub parts: f64,
}

/// 2⁶⁴, divided by the golden ratio.
const GOLDEN_RATIO: u64 = 0x9e37_79b9_7f4a_7c15;

impl Counter {
    /// Counts a part of a task for an estimate: for the colour join some pairs of row sets, for any other
    /// method the whole task.
    ///
    /// `begin` is called after the set-up that all parts share, so that callers can time the part alone.
    ///
    /// # Errors
    /// [`TaskError`] as for [`count`](Counter::count).
    pub fn sample_task(
        &mut self,
        plan: &Plan,
        task: usize,
        begin: impl FnMut(),
    ) -> Result<TaskSample, TaskError> {
        if let Some(pairs) = plan.pairs(task) {
            return self.sample_pairs(plan, task, &pairs, begin);
        }
        let solutions = self.count(plan, task)?.total();
        let solutions = solutions.ok_or(TaskError::Overflow { task })?;
        Ok(TaskSample { solutions, parts: 1.0 })
    }

    /// Counts the pairs of a task that are counted together with a pair, whose number varies from task
    /// to task.
    fn sample_pairs(
        &mut self,
        plan: &Plan,
        task: usize,
        pairs: &[Pairs],
        mut begin: impl FnMut(),
    ) -> Result<TaskSample, TaskError> {
        let counter = self.colours_for(plan, task)?;
        let all: usize = pairs.iter().map(|pairs| pairs.odd_rows.len()).sum();
        // Steps by the golden ratio visit all parts of a task about equally often.
        let mut index = (task as u64).wrapping_mul(GOLDEN_RATIO) as usize % all.max(1);
        for Pairs { even_rows, odd_rows } in pairs {
            if index < odd_rows.len() {
                let group = counter.prepare(*even_rows, odd_rows, index, pairs.len() > 1);
                begin();
                let group = odd_rows.get(group).unwrap_or_default();
                let count = counter.count(*even_rows, group);
                let parts = all as f64 / count.pairs.max(1) as f64;
                return Ok(TaskSample { solutions: count.solutions, parts });
            }
            index -= odd_rows.len();
        }
        Ok(TaskSample { solutions: 0, parts: 1.0 })
    }
}

/// Running sums over a random sample of tasks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sample {
    /// The solutions of each task.
    solutions: Sums,
    /// The seconds of each task.
    seconds: Sums,
    /// Whether a sampled task was counted only in part, so that its numbers are extrapolated.
    is_extrapolated: bool,
}

/// Running sums over numbers.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    count: usize,
    sum: f64,
    squares: f64,
}

impl Sums {
    fn add(&mut self, number: f64) {
        self.count += 1;
        self.sum += number;
        self.squares += number * number;
    }

    fn mean(&self) -> f64 {
        self.sum / self.count.max(1) as f64
    }

    /// The sample variance.
    fn variance(&self) -> f64 {
        let differences = self.squares - self.mean() * self.sum;
        differences.max(0.0) / self.count.saturating_sub(1).max(1) as f64
    }
}

/// The estimated total and time of a count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The number of solutions.
    pub total: f64,
    /// The variance of the total, the square of its standard error.
    pub variance: f64,
    /// The time of all tasks if run one after the other, in seconds.
    pub seconds: f64,
    /// The variance of the time.
    pub seconds_variance: f64,
}

impl Sample {
    /// Adds a sampled task. The sampling took `took`, of which `prepared` was set-up before the
    /// count of the part began.
    pub fn add(&mut self, observed: TaskSample, took: Duration, prepared: Duration) {
        let TaskSample { solutions, parts } = observed;
        self.solutions.add(solutions as f64 * parts);
        let counted = took.saturating_sub(prepared).as_secs_f64();
        self.seconds.add(prepared.as_secs_f64() + counted * parts);
        self.is_extrapolated |= parts > 1.0;
    }

    /// The number of tasks counted at least in part.
    pub fn tasks(&self) -> usize {
        self.solutions.count
    }

    /// Returns the estimate for a plan of `tasks` tasks, of which the sampled tasks are a random
    /// choice.
    pub fn estimate(&self, tasks: usize) -> Estimate {
        let (all, sampled) = (tasks as f64, self.tasks().max(1) as f64);
        // Finite population correction: the tasks that were counted have no sampling error.
        let uncounted = if self.is_extrapolated { 1.0 } else { (1.0 - sampled / all).max(0.0) };
        let sum = |sums: Sums| sums.mean() * all;
        let variance = |sums: Sums| all * all * sums.variance() * uncounted / sampled;
        Estimate {
            total: sum(self.solutions),
            variance: variance(self.solutions),
            seconds: sum(self.seconds),
            seconds_variance: variance(self.seconds),
        }
    }
}

/// Moves a random choice of `amount` items to the front of a list and returns them. If the list has
/// no more items than that, all are shuffled. `random` returns a uniformly distributed number below
/// its argument.
///
/// ```
/// let mut items = [0, 1, 2, 3, 4, 5];
/// let mut dice = [5, 0, 2].into_iter();
/// let chosen = queens_core::choose(&mut items, 3, |_below| dice.next().unwrap_or(0));
/// assert_eq!(chosen, [5, 1, 4]);
/// ```
pub fn choose<T>(
    items: &mut [T],
    amount: usize,
    mut random: impl FnMut(usize) -> usize,
) -> &mut [T] {
    let amount = amount.min(items.len());
    // A partial Fisher-Yates shuffle.
    for index in 0..amount {
        let below = items.len() - index;
        items.swap(index, index + random(below) % below);
    }
    items.split_at_mut(amount).0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Form, Isa, Method, Size};

    #[test]
    fn the_variance_is_the_sample_variance() {
        let mut sample = Sample::default();
        for solutions in [2, 4, 9] {
            let took = Duration::from_secs(2 * solutions);
            sample.add(TaskSample { solutions, parts: 1.0 }, took, Duration::ZERO);
        }
        let Estimate { total, variance, seconds, seconds_variance } = sample.estimate(12);
        assert!((total - 60.0).abs() < 1e-9 && (seconds - 120.0).abs() < 1e-9, "{total} {seconds}");
        assert!((seconds_variance - 4.0 * variance).abs() < 1e-9, "{seconds_variance}");
        assert_eq!(sample.tasks(), 3);
        // 13 is the variance of 2, 4 and 9. A quarter of all tasks was counted, so three quarters
        // are left.
        assert!((variance - 144.0 * 13.0 * 0.75 / 3.0).abs() < 1e-9, "{variance}");
    }

    #[test]
    fn a_sample_of_all_tasks_is_exact() {
        let plan = Plan::new(Size::new(8).unwrap(), Method::Symmetry);
        let mut counter = plan.counter(Form::Recursive, Isa::PORTABLE);
        let mut sample = Sample::default();
        for task in 0..plan.len() {
            let observed = counter.sample_task(&plan, task, || {}).unwrap();
            sample.add(observed, Duration::ZERO, Duration::ZERO);
        }
        let Estimate { total, variance, .. } = sample.estimate(plan.len());
        assert!((total - 92.0).abs() < 1e-9 && variance.abs() < 1e-9, "{total} {variance}");
    }

    #[test]
    #[cfg_attr(miri, ignore = "the tasks of boards that Miri can count are not sampled in parts")]
    fn estimates_from_pairs_of_row_sets_are_within_their_error() {
        for (n, total) in [(14, 365_596.0), (15, 2_279_184.0), (16, 14_772_512.0)] {
            let plan = Plan::new(Size::new(n).unwrap(), Method::Colours);
            let mut counter = plan.counter(Form::Recursive, Isa::PORTABLE);
            let mut sample = Sample::default();
            for task in 0..plan.len() {
                let observed = counter.sample_task(&plan, task, || {}).unwrap();
                sample.add(observed, Duration::ZERO, Duration::ZERO);
            }
            let estimate = sample.estimate(plan.len());
            let difference = (estimate.total - total).abs();
            assert!(difference <= 2.0 * estimate.variance.sqrt(), "N = {n}: {estimate:?}");
            assert!(difference < 0.2 * total, "N = {n}: {estimate:?}");
        }
    }

    #[test]
    fn scales_sampled_parts_to_the_whole_task() {
        let mut sample = Sample::default();
        let (took, prepared) = (Duration::from_secs(5), Duration::from_secs(2));
        sample.add(TaskSample { solutions: 10, parts: 4.0 }, took, prepared);
        let Estimate { total, seconds, .. } = sample.estimate(100);
        // Two seconds of set-up and four parts of three seconds.
        assert!((total - 4000.0).abs() < 1e-9 && (seconds - 1400.0).abs() < 1e-9, "{seconds}");
    }

    #[test]
    fn chooses_all_items_if_asked_for_more() {
        let mut items = [0, 1, 2, 3];
        choose(&mut items, 9, |below| below - 1).sort_unstable();
        assert_eq!(items, [0, 1, 2, 3]);
        assert!(choose(&mut items, 0, |_| 0).is_empty());
        assert!(choose(&mut [0; 0], 2, |_| 0).is_empty());
    }
}
