//! How long the rest of a count will take.

use core::time::Duration;

/// How long `left` tasks take if they go on as `done` tasks did, which took `took`; `None` if
/// none was done.
pub fn remaining(done: usize, took: Duration, left: usize) -> Option<Duration> {
    if done == 0 {
        return None;
    }
    Duration::try_from_secs_f64(took.as_secs_f64() * (left as f64 / done as f64)).ok()
}

/// The pace of a count while it runs, measured from the moment when work has begun: that is only
/// after tables are filled, or a GPU is ready.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pace {
    from: Option<(usize, Duration)>,
}

/// A start takes no longer; what comes later is work, even if no task is done.
const LONGEST_START: Duration = Duration::from_secs(5);

impl Pace {
    /// How long the rest of `tasks` tasks will take, if those done say anything about it. To be
    /// asked again and again, with the time since the beginning.
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
    fn the_start_is_no_work() {
        let mut pace = Pace::default();
        assert_eq!(pace.left(0, 100, seconds(1)), None);
        assert_eq!(pace.left(0, 100, seconds(3)), None);
        assert_eq!(pace.left(10, 100, seconds(4)), Some(seconds(9)));
        assert_eq!(pace.left(50, 100, seconds(8)), Some(seconds(5)));
        assert_eq!(pace.left(100, 100, seconds(13)), Some(seconds(0)));
    }

    #[test]
    fn long_tasks_are_no_start() {
        let mut pace = Pace::default();
        assert_eq!(pace.left(0, 100, seconds(4)), None);
        assert_eq!(pace.left(0, 100, seconds(64)), None);
        assert_eq!(pace.left(2, 100, seconds(104)), Some(seconds(4900)));
    }

    #[test]
    fn what_was_done_before_anybody_looked_is_no_pace() {
        let mut pace = Pace::default();
        assert_eq!(pace.left(5, 25, seconds(1)), None);
        assert_eq!(pace.left(10, 25, seconds(2)), Some(seconds(3)));
    }
}
