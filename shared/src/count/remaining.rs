//! Estimates the remaining time of a count.

use core::time::Duration;

/// Returns the time that `left` tasks take at the average speed of `done` tasks in `took`; `None`
/// if `done` is 0.
pub fn remaining(done: usize, took: Duration, left: usize) -> Option<Duration> {
    if done == 0 {
        return None;
    }
    Duration::try_from_secs_f64(took.as_secs_f64() * (left as f64 / done as f64)).ok()
}

/// The speed of a running count. It excludes the start-up time, in which tables are filled or a GPU
/// is prepared.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pace {
    /// The number of finished tasks and the time at the end of the start-up; during the start-up, at
    /// the latest call.
    from: Option<(usize, Duration)>,
}

/// The longest start-up time. Later time counts as work, even if no task is finished.
const LONGEST_START: Duration = Duration::from_secs(5);

impl Pace {
    /// Estimates the time for the rest of `tasks` tasks, or returns `None` if it is too early to
    /// tell. Call this repeatedly during the count; `elapsed` is the time since its beginning.
    pub fn left(&mut self, done: usize, tasks: usize, elapsed: Duration) -> Option<Duration> {
        let is_starting = done == 0 && elapsed < LONGEST_START;
        let (before, from) = match self.from {
            Some(from) if !is_starting => from,
            _ => *self.from.insert((done, elapsed)),
        };
        let since = done.saturating_sub(before);
        remaining(since, elapsed.saturating_sub(from), tasks.saturating_sub(done))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn start_up_time_does_not_count_as_work() {
        let mut pace = Pace::default();
        assert_eq!(pace.left(0, 100, seconds(1)), None);
        assert_eq!(pace.left(0, 100, seconds(3)), None);
        assert_eq!(pace.left(10, 100, seconds(4)), Some(seconds(9)));
        assert_eq!(pace.left(50, 100, seconds(8)), Some(seconds(5)));
        assert_eq!(pace.left(100, 100, seconds(13)), Some(seconds(0)));
    }

    #[test]
    fn long_first_tasks_are_not_taken_for_start_up() {
        let mut pace = Pace::default();
        assert_eq!(pace.left(0, 100, seconds(4)), None);
        assert_eq!(pace.left(0, 100, seconds(64)), None);
        assert_eq!(pace.left(2, 100, seconds(104)), Some(seconds(4900)));
    }

    #[test]
    fn resumed_tasks_do_not_affect_the_pace() {
        let mut pace = Pace::default();
        assert_eq!(pace.left(5, 25, seconds(1)), None);
        assert_eq!(pace.left(10, 25, seconds(2)), Some(seconds(3)));
    }
}
