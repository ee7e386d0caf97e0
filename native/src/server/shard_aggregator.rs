//! Combines the progress of the shards of a count.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use queens_core::{
    Pace,
    document::{Progress, RunState, ShardOf},
};

/// Combined progress of the shards of one run.
#[derive(Debug)]
pub(super) struct ShardAggregator {
    /// Number of finished tasks and state of each shard.
    shards: BTreeMap<u32, (u32, RunState)>,
    /// Time of the first report.
    begun: Instant,
    /// Time that the first shard had counted before its first report.
    before: Duration,
    pace: Pace,
}

impl ShardAggregator {
    /// Creates an aggregator without shards. `first` is the first report of the run.
    pub fn new(first: &Progress) -> ShardAggregator {
        let before = Duration::try_from_secs_f64(first.seconds.get()).unwrap_or_default();
        ShardAggregator {
            shards: BTreeMap::new(),
            begun: Instant::now(),
            before,
            pace: Pace::default(),
        }
    }

    /// Returns the number of shards that have reported.
    pub fn len(&self) -> usize {
        self.shards.len()
    }

    /// Adds the report of a shard and returns the combined progress. The count is done when all shards
    /// are done, and stopped when no shard is running but one was stopped.
    pub fn add(&mut self, report: &Progress, shard: ShardOf) -> Progress {
        self.shards.insert(shard.index, (report.done, report.state));
        let number = |state| self.shards.values().filter(|(_, other)| *other == state).count();
        let state = if number(RunState::Done) == shard.of as usize {
            RunState::Done
        } else if number(RunState::Running) == 0 && number(RunState::Stopped) > 0 {
            RunState::Stopped
        } else {
            RunState::Running
        };
        let done: u64 = self.shards.values().map(|(done, _)| u64::from(*done)).sum();
        let done = u32::try_from(done).unwrap_or(u32::MAX).min(shard.tasks);
        let elapsed = self.before.saturating_add(self.begun.elapsed());
        let left = self.pace.left(done as usize, shard.tasks as usize, elapsed);
        Progress {
            done,
            tasks: shard.tasks,
            seconds: elapsed.into(),
            state,
            shard: None,
            rest: left.map(Into::into),
            ..report.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(text: &str) -> (Progress, ShardOf) {
        let report = Progress::parse(text).unwrap();
        let shard = report.shard.unwrap();
        (report, shard)
    }

    #[test]
    fn the_count_is_done_when_all_shards_are_done() {
        let at = |index: u32, done: u32, state: &str| {
            report(&format!(
                r#"{{"n": 18, "method": "symmetry", "done": {done}, "tasks": 10, "seconds": 4,
                "state": "{state}", "shard": {{"index": {index}, "of": 2, "tasks": 19}}}}"#
            ))
        };
        let mut aggregator = ShardAggregator::new(&at(0, 3, "running").0);
        for (index, done, state, expected, expected_state) in [
            (0, 3, "running", 3, RunState::Running),
            (1, 4, "running", 7, RunState::Running),
            (0, 5, "stopped", 9, RunState::Running),
            (1, 9, "done", 14, RunState::Stopped),
            // The shard resumes from its last saved state.
            (0, 4, "running", 13, RunState::Running),
            (0, 10, "done", 19, RunState::Done),
        ] {
            let (report, shard) = at(index, done, state);
            let whole = aggregator.add(&report, shard);
            assert_eq!((whole.done, whole.tasks, whole.state), (expected, 19, expected_state));
            assert!(whole.shard.is_none() && whole.seconds.get() >= 4.0);
        }
    }
}
