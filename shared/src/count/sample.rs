//! What a whole count comes to and takes, from a few of its tasks.

use core::time::Duration;

use super::{Counter, Plan, TaskError};

/// What was seen of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Glimpse {
    /// The solutions of one piece of the task.
    pub solutions: u64,
    /// How many such pieces the task has; 1 if all of it was counted.
    pub pieces: usize,
}

impl Counter {
    /// Counts a task, or, if it is made of several column sets, which may take minutes, only one
    /// of them.
    ///
    /// # Errors
    /// [`TaskError`] as for [`count`](Counter::count).
    pub fn glimpse(&mut self, plan: &Plan, task: usize) -> Result<Glimpse, TaskError> {
        let pieces = plan.column_sets(task).map_or(0, Iterator::count);
        // Another one in each task, as if by chance.
        let place = task.checked_rem(pieces).unwrap_or_default();
        let sets = plan.column_sets(task).and_then(|mut sets| sets.nth(place));
        let (tally, pieces) = match sets {
            Some(sets) => (self.count_sets(plan, task, place, &sets)?, pieces),
            None => (self.count(plan, task)?, 1),
        };
        let solutions = tally.total().ok_or(TaskError::Overflow { task })?;
        Ok(Glimpse { solutions, pieces })
    }
}

/// Tasks chosen at random, as far as they were looked at: running sums.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sample {
    tasks: usize,
    /// The solutions of a task.
    solutions: Spread,
    /// The time that all of it takes, in seconds.
    seconds: Spread,
    /// Whether any was not counted to its end.
    has_guesses: bool,
}

/// The mean of some numbers, and how far they are from it.
#[derive(Clone, Copy, Debug, Default)]
struct Spread {
    mean: f64,
    /// The sum of the squared differences from the mean.
    squares: f64,
}

impl Spread {
    /// Adds the last one of `numbers` numbers.
    fn add(&mut self, number: f64, numbers: usize) {
        // Welford's way to the variance, which needs no second look at the numbers.
        let from_mean = number - self.mean;
        self.mean += from_mean / numbers as f64;
        self.squares += from_mean * (number - self.mean);
    }
}

/// What a count would come to and take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The number of solutions.
    pub total: f64,
    /// The variance of the total, the square of its standard error.
    pub variance: f64,
    /// The time that all tasks take one after the other, in seconds.
    pub seconds: f64,
    /// The variance of the time.
    pub seconds_variance: f64,
}

impl Sample {
    /// Adds a task that was looked at for `took`.
    pub fn add(&mut self, glimpse: Glimpse, took: Duration) {
        let pieces = glimpse.pieces as f64;
        self.tasks += 1;
        self.solutions.add(glimpse.solutions as f64 * pieces, self.tasks);
        self.seconds.add(took.as_secs_f64() * pieces, self.tasks);
        self.has_guesses |= glimpse.pieces > 1;
    }

    /// The number of tasks looked at.
    pub fn tasks(&self) -> usize {
        self.tasks
    }

    /// What follows for a plan of `tasks` tasks, of which these are a random choice.
    pub fn estimate(&self, tasks: usize) -> Estimate {
        let (sampled, all) = (self.tasks.max(1) as f64, tasks as f64);
        // Of a sample that is nearly everything little is left to chance.
        let left = if self.has_guesses { 1.0 } else { (1.0 - sampled / all).max(0.0) };
        let variance = |spread: Spread| {
            let of_a_task = spread.squares / (sampled - 1.0).max(1.0) * left;
            all * all * of_a_task / sampled
        };
        Estimate {
            total: self.solutions.mean * all,
            variance: variance(self.solutions),
            seconds: self.seconds.mean * all,
            seconds_variance: variance(self.seconds),
        }
    }
}

/// Brings a random choice of `amount` items to the front of a list, and returns it; all, shuffled,
/// if there are no more. `random` gives a number below its argument, each equally likely.
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
    // The Fisher-Yates shuffle, as far as it is wanted.
    for place in 0..amount {
        let below = items.len() - place;
        items.swap(place, place + random(below) % below);
    }
    items.split_at_mut(amount).0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Form, Method, Size, halves::Isa};

    #[test]
    fn the_variance_is_that_of_the_sample() {
        let mut sample = Sample::default();
        for solutions in [2, 4, 9] {
            sample.add(Glimpse { solutions, pieces: 1 }, Duration::from_secs(2 * solutions));
        }
        let Estimate { total, variance, seconds, seconds_variance } = sample.estimate(12);
        assert!((total - 60.0).abs() < 1e-9 && (seconds - 120.0).abs() < 1e-9, "{total} {seconds}");
        assert!((seconds_variance - 4.0 * variance).abs() < 1e-9, "{seconds_variance}");
        assert_eq!(sample.tasks(), 3);
        // 13 is the variance of 2, 4 and 9; a quarter of all tasks are certain.
        assert!((variance - 144.0 * 13.0 * 0.75 / 3.0).abs() < 1e-9, "{variance}");
    }

    #[test]
    fn a_sample_of_everything_is_exact() {
        for method in [Method::Symmetry, Method::Halves] {
            let plan = Plan::new(Size::new(8).unwrap(), method);
            let mut counter = plan.counter(Form::Recursive, Isa::PORTABLE);
            let mut sample = Sample::default();
            for task in 0..plan.len() {
                sample.add(counter.glimpse(&plan, task).unwrap(), Duration::ZERO);
            }
            let Estimate { total, variance, .. } = sample.estimate(plan.len());
            assert!((total - 92.0).abs() < 1e-9 && variance.abs() < 1e-9, "{total} {variance}");
        }
    }

    #[test]
    fn everything_can_be_chosen() {
        let mut items = [0, 1, 2, 3];
        choose(&mut items, 9, |below| below - 1).sort_unstable();
        assert_eq!(items, [0, 1, 2, 3]);
        assert!(choose(&mut items, 0, |_| 0).is_empty());
        assert!(choose(&mut [0; 0], 2, |_| 0).is_empty());
    }
}
