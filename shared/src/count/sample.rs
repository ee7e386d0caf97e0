//! Estimates the total and the time of a count from a sample of tasks (two-phase ratio estimate).

use core::time::Duration;

use super::{Counter, Plan, TaskError};
use crate::{colours::Pairs, halves::ColumnSets};

/// A sample observation: the exact count of a part of a task.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TaskSample {
    /// The solutions of one part of one column set of the task, multiplied by the weight of the
    /// set. For a task of the colour join, the solutions of some pairs of row sets; for any other
    /// task, all its solutions.
    pub solutions: u64,
    /// The number of such parts in that column set or task; 1 if all of it was counted.
    pub parts: f64,
    /// The number of column sets in the task; 1 for a task without column sets.
    pub pieces: usize,
}

/// A cheap estimate of a task before it is counted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoughEstimate {
    /// The estimated solutions of one column set of the task, multiplied by the weight of the set.
    pub solutions: f64,
    /// The number of column sets in the task.
    pub pieces: usize,
}

/// 2⁶⁴, divided by the golden ratio.
const GOLDEN_RATIO: u64 = 0x9e37_79b9_7f4a_7c15;

impl Counter {
    /// Estimates the result of [`sample_task`](Counter::sample_task), in a small fraction of its
    /// time on boards of 22 rows and more. Returns `None` if the method has no column sets.
    ///
    /// # Errors
    /// [`TaskError`] if the plan is not the one that created this counter, or if the board is too
    /// large for half-board matching. For a task without column sets, neither is checked.
    pub fn rough_estimate(
        &mut self,
        plan: &Plan,
        task: usize,
    ) -> Result<Option<RoughEstimate>, TaskError> {
        let Some(Piece { sets, pieces }) = plan.piece(task) else {
            // Some tasks are empty: all their column choices are images of choices in other tasks.
            let is_empty = plan.symmetries().is_some();
            return Ok(is_empty.then_some(RoughEstimate { solutions: 0.0, pieces: 0 }));
        };
        let solutions = self.estimate_solutions(plan, task, &sets)? * f64::from(sets.weight);
        Ok(Some(RoughEstimate { solutions, pieces }))
    }

    /// Counts a part of a task for an estimate: one column set, or one part of it if the set is so
    /// large that it is counted in parts; or some pairs of row sets. Other tasks are counted
    /// completely.
    ///
    /// `begin` is called after the set-up that all parts share, so that callers can time
    /// the part alone. It is not called if there is only one part.
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
        let Some(Piece { sets, pieces }) = plan.piece(task) else {
            let solutions = self.count(plan, task)?.total();
            let solutions = solutions.ok_or(TaskError::Overflow { task })?;
            return Ok(TaskSample { solutions, parts: 1.0, pieces: 1 });
        };
        // `task / pieces` selects the part, so that it also varies from task to task.
        let (solutions, parts) = self.sample_solutions(plan, task, &sets, task / pieces, begin)?;
        let solutions = solutions.checked_mul(sets.weight.into());
        let solutions = solutions.ok_or(TaskError::Overflow { task })?;
        Ok(TaskSample { solutions, parts: parts as f64, pieces })
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
                return Ok(TaskSample { solutions: count.solutions, parts, pieces: 1 });
            }
            index -= odd_rows.len();
        }
        Ok(TaskSample { solutions: 0, parts: 1.0, pieces: 1 })
    }
}

/// The column set that is counted as a sample of a task, and the number of the task's sets.
struct Piece {
    sets: ColumnSets,
    pieces: usize,
}

impl Plan {
    /// Selects the sampled column set of a task; `None` if the task has no column sets.
    fn piece(&self, task: usize) -> Option<Piece> {
        let pieces = self.column_sets(task)?.count();
        // The index varies from task to task, as a substitute for a random choice.
        let index = task.checked_rem(pieces)?;
        let sets = self.column_sets(task)?.nth(index)?;
        Some(Piece { sets, pieces })
    }
}

/// Running sums over a random sample of tasks.
///
/// Many tasks are estimated cheaply, and a few of them are counted. The ratio of counted to
/// estimated solutions corrects the estimates of all tasks: a *ratio estimate* from a *double
/// sample* (Cochran, Sampling Techniques, chapter 12). For example, if the counted tasks have 10 %
/// more solutions than their estimates, the mean of all estimates is raised by 10 %.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sample {
    /// Solutions of the counted tasks, against the estimates of these tasks.
    solutions: Ratio,
    /// Seconds for the counted tasks, against the estimated effort of these tasks.
    seconds: Ratio,
    /// Estimated solutions of all tasks with an estimate.
    rough_solutions: Ratio,
    /// Estimated effort of all tasks with an estimate, in any unit.
    effort: Ratio,
    /// Whether a sampled task was counted only in part, so that its numbers are extrapolated.
    is_extrapolated: bool,
}

/// Running sums over pairs of a number and its expected value. If the numbers have no expected values,
/// each is paired with 1, so that the ratio is their mean.
#[derive(Clone, Copy, Debug, Default)]
struct Ratio {
    /// The number of pairs.
    pairs: usize,
    /// The sums of the numbers and of their expected values.
    numbers: f64,
    expected: f64,
    /// The sums of the squared numbers, of number times expected value, and of the squared expected
    /// values.
    squares: f64,
    products: f64,
    expected_squares: f64,
}

impl Ratio {
    fn add(&mut self, number: f64, expected: f64) {
        self.pairs += 1;
        self.numbers += number;
        self.expected += expected;
        self.squares += number * number;
        self.products += number * expected;
        self.expected_squares += expected * expected;
    }

    /// The sum of the numbers, divided by the sum of the expected values.
    fn ratio(&self) -> f64 {
        if self.expected > 0.0 { self.numbers / self.expected } else { 0.0 }
    }

    /// The sample variance of the numbers around the ratio times their expected values.
    fn variance(&self) -> f64 {
        let ratio = self.ratio();
        let Ratio { pairs, squares, products, expected_squares, .. } = *self;
        let differences = squares - 2.0 * ratio * products + ratio * ratio * expected_squares;
        differences.max(0.0) / pairs.saturating_sub(1).max(1) as f64
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

/// The prior for the relative error of the cheap estimates: the number of assumed samples and their
/// error. A few counted tasks are too few to measure this error. So the formula assumes three more
/// samples with an error of 0.4, which is more than was measured on boards of 22 to 28 rows.
const PRIOR: (f64, f64) = (3.0, 0.4);

impl RoughEstimate {
    /// Estimates the time of the task, in any unit. For a column set, it grows with the power 2/3
    /// of the solutions: on boards of 22 to 26 rows, a set with eight times the solutions of
    /// another takes four times as long (measured exponents: 0.5 to 0.7).
    fn effort(self) -> f64 {
        cube_root(self.solutions * self.solutions) * self.pieces as f64
    }
}

/// The cube root of a non-negative number, which `core` does not provide.
fn cube_root(number: f64) -> f64 {
    // Dividing the exponent by three gives a few per cent of error, and each Newton step squares
    // the error.
    let third = number.to_bits() / 3 + (1.0_f64.to_bits() - 1.0_f64.to_bits() / 3);
    (0..4).fold(f64::from_bits(third), |root, _| root - (root - number / (root * root)) / 3.0)
}

impl Sample {
    /// Adds the cheap estimate of a task. Call this for every estimated task, including those that
    /// are counted later.
    pub fn add_rough_estimate(&mut self, rough: RoughEstimate) {
        self.rough_solutions.add(rough.solutions * rough.pieces as f64, 1.0);
        self.effort.add(rough.effort(), 1.0);
    }

    /// Adds a sampled task. The sampling took `took`, of which `prepared` was set-up before the
    /// count of the part began. Either all sampled tasks have an estimate, or none.
    pub fn add(
        &mut self,
        observed: TaskSample,
        rough: Option<RoughEstimate>,
        took: Duration,
        prepared: Duration,
    ) {
        let TaskSample { solutions, parts, pieces } = observed;
        let pieces = pieces as f64;
        let expected = rough.map_or(1.0, |rough| rough.solutions * rough.pieces as f64);
        self.solutions.add(solutions as f64 * parts * pieces, expected);
        let [prepared, counted] =
            [prepared, took.saturating_sub(prepared)].map(|time| time.as_secs_f64());
        let seconds = (prepared + counted * parts) * pieces;
        self.seconds.add(seconds, rough.map_or(1.0, RoughEstimate::effort));
        self.is_extrapolated |= parts * pieces > 1.0;
    }

    /// The number of tasks counted at least in part.
    pub fn tasks(&self) -> usize {
        self.solutions.pairs
    }

    /// The number of tasks with a cheap estimate.
    pub fn roughly_estimated(&self) -> usize {
        self.rough_solutions.pairs
    }

    /// Returns the estimate for a plan of `tasks` tasks, of which the sampled tasks are a random
    /// choice.
    pub fn estimate(&self, tasks: usize) -> Estimate {
        let (all, sampled) = (tasks as f64, self.tasks().max(1) as f64);
        // Finite population correction: the tasks that were counted have no sampling error.
        let uncounted = if self.is_extrapolated { 1.0 } else { (1.0 - sampled / all).max(0.0) };
        let sum_and_variance = |counted: &Ratio, rough: &Ratio| {
            if rough.pairs == 0 {
                let mean = counted.ratio();
                return (mean * all, all * all * counted.variance() * uncounted / sampled);
            }
            let (ratio, mean) = (counted.ratio(), rough.ratio());
            let (prior_samples, prior_error) = PRIOR;
            let observed = (sampled - 1.0).max(0.0) * counted.variance();
            let error = prior_error * ratio * mean;
            let assumed = prior_samples * error * error;
            let of_counted = (observed + assumed) / (sampled - 1.0 + prior_samples) / sampled;
            let of_rough = ratio * ratio * rough.variance() / rough.pairs as f64;
            (ratio * mean * all, all * all * (of_counted + of_rough))
        };
        let (total, variance) = sum_and_variance(&self.solutions, &self.rough_solutions);
        let (seconds, seconds_variance) = sum_and_variance(&self.seconds, &self.effort);
        Estimate { total, variance, seconds, seconds_variance }
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
    use crate::{Form, Method, Size, halves::Isa};

    #[test]
    fn the_variance_is_the_sample_variance() {
        let mut sample = Sample::default();
        for solutions in [2, 4, 9] {
            let took = Duration::from_secs(2 * solutions);
            sample.add(TaskSample { solutions, parts: 1.0, pieces: 1 }, None, took, Duration::ZERO);
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
        for method in [Method::Symmetry, Method::Halves] {
            let plan = Plan::new(Size::new(8).unwrap(), method);
            let mut counter = plan.counter(Form::Recursive, Isa::PORTABLE);
            let mut sample = Sample::default();
            for task in 0..plan.len() {
                let observed = counter.sample_task(&plan, task, || {}).unwrap();
                sample.add(observed, None, Duration::ZERO, Duration::ZERO);
            }
            let Estimate { total, variance, .. } = sample.estimate(plan.len());
            assert!((total - 92.0).abs() < 1e-9 && variance.abs() < 1e-9, "{total} {variance}");
        }
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
                sample.add(observed, None, Duration::ZERO, Duration::ZERO);
            }
            let estimate = sample.estimate(plan.len());
            let difference = (estimate.total - total).abs();
            assert!(difference <= 2.0 * estimate.variance.sqrt(), "N = {n}: {estimate:?}");
            assert!(difference < 0.2 * total, "N = {n}: {estimate:?}");
        }
    }

    #[test]
    fn a_rough_estimate_of_a_small_board_is_exact() {
        let plan = Plan::new(Size::new(if cfg!(miri) { 8 } else { 12 }).unwrap(), Method::Halves);
        let mut counter = plan.counter(Form::Recursive, Isa::PORTABLE);
        for task in (0..plan.len()).step_by(97) {
            let rough = counter.rough_estimate(&plan, task).unwrap().unwrap();
            let TaskSample { solutions, parts, pieces } =
                counter.sample_task(&plan, task, || {}).unwrap();
            assert_eq!(parts, 1.0);
            let pieces = if plan.column_sets(task).unwrap().next().is_some() { pieces } else { 0 };
            assert_eq!(rough, RoughEstimate { solutions: solutions as f64, pieces });
        }
        let plan = Plan::new(Size::new(8).unwrap(), Method::Symmetry);
        let mut counter = plan.counter(Form::Recursive, Isa::PORTABLE);
        assert_eq!(counter.rough_estimate(&plan, 0).unwrap(), None);
    }

    #[test]
    #[cfg_attr(miri, ignore = "estimates are exact on all boards that Miri can count")]
    fn errors_of_rough_estimates_cancel_in_the_sum() {
        for (n, total) in [(15, 2_279_184.0), (16, 14_772_512.0)] {
            let plan = Plan::new(Size::new(n).unwrap(), Method::Halves);
            let mut counter = plan.counter(Form::Recursive, Isa::PORTABLE);
            let mut sum = 0.0;
            for task in 0..plan.len() {
                for sets in plan.column_sets(task).unwrap() {
                    let rough = counter.estimate_solutions(&plan, task, &sets).unwrap();
                    sum += rough * f64::from(sets.weight);
                }
            }
            assert!((sum / total - 1.0).abs() < 0.01, "N = {n}: {sum} of {total}");
        }
    }

    #[test]
    fn rough_estimates_of_unsampled_tasks_adjust_the_total() {
        let rough = |solutions| RoughEstimate { solutions, pieces: 2 };
        let mut sample = Sample::default();
        for solutions in [1.0, 8.0, 64.0, 27.0] {
            sample.add_rough_estimate(rough(solutions));
        }
        // Two of them were counted. They have eleven times the estimated solutions and took a second
        // per unit of effort.
        for (expected, solutions, seconds) in [(1.0, 11, 1), (8.0, 88, 4)] {
            let observed = TaskSample { solutions, parts: 1.0, pieces: 2 };
            let took = Duration::from_secs(seconds);
            sample.add(observed, Some(rough(expected)), took, Duration::ZERO);
        }
        let Estimate { total, seconds, variance, seconds_variance } = sample.estimate(8);
        assert!((total - 11.0 * 8.0 * 50.0).abs() < 1e-9 && (seconds - 8.0 * 15.0).abs() < 1e-9);
        assert!(variance > 0.0 && seconds_variance > 0.0, "{variance} {seconds_variance}");
        assert_eq!((sample.tasks(), sample.roughly_estimated()), (2, 4));
    }

    #[test]
    fn scales_sampled_parts_to_the_whole_task() {
        let mut sample = Sample::default();
        let (took, prepared) = (Duration::from_secs(5), Duration::from_secs(2));
        sample.add(TaskSample { solutions: 10, parts: 4.0, pieces: 3 }, None, took, prepared);
        let Estimate { total, seconds, .. } = sample.estimate(100);
        // Two seconds of set-up and four parts of three seconds for each column set.
        assert!((total - 12_000.0).abs() < 1e-9 && (seconds - 4200.0).abs() < 1e-9, "{seconds}");
    }

    #[test]
    fn totals_from_rough_estimates_are_within_their_error() {
        // All tasks are estimated, also empty ones, and every fifth is counted.
        let plan = Plan::new(Size::new(12).unwrap(), Method::Halves);
        let mut counter = plan.counter(Form::Recursive, Isa::PORTABLE);
        let mut sample = Sample::default();
        for task in 0..plan.len() {
            let rough = counter.rough_estimate(&plan, task).unwrap().unwrap();
            sample.add_rough_estimate(rough);
            if task % 5 == 0 {
                let observed = counter.sample_task(&plan, task, || {}).unwrap();
                sample.add(observed, Some(rough), Duration::ZERO, Duration::ZERO);
            }
        }
        let Estimate { total, variance, .. } = sample.estimate(plan.len());
        assert!((total - 14_200.0).abs() < 5.0 * variance.sqrt().min(500.0), "{total} {variance}");
    }

    #[test]
    fn computes_cube_roots() {
        for root in [0.0, 1e-9, 0.3, 1.0, 2.0, 1e12, 1e40] {
            let computed = cube_root(root * root * root);
            assert!((computed - root).abs() <= 1e-9 * root + 1e-30, "{computed}, not {root}");
        }
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
