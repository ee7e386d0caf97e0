//! Partial results of unfinished tasks.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use queens_core::{Done, Tally};

use crate::lock::lock;

/// Default interval between two recorded partial results of a task.
const INTERVAL: Duration = Duration::from_secs(1);

/// Partial results of unfinished tasks, by task number. With them, a count resumes in the middle of a task.
/// Backends record them, and the journal saves them. Clones share the same map.
#[derive(Clone, Debug)]
pub struct PartialTasks {
    partials: Arc<Mutex<BTreeMap<usize, Done<Tally>>>>,
    interval: Duration,
}

impl Default for PartialTasks {
    fn default() -> PartialTasks {
        PartialTasks::with_interval(INTERVAL)
    }
}

impl PartialTasks {
    /// Creates an empty map. Backends should record a partial result of each task once per `interval`.
    pub fn with_interval(interval: Duration) -> PartialTasks {
        PartialTasks { partials: Arc::default(), interval }
    }

    /// Returns the interval at which backends should record the partial result of a task.
    pub fn interval(&self) -> Duration {
        self.interval
    }

    /// Records the partial result of a task.
    pub fn record(&self, partial: Done<Tally>) {
        lock(&self.partials).insert(partial.task, partial);
    }

    /// Returns the partial result of a task, if there is one.
    pub fn get(&self, task: usize) -> Option<Done<Tally>> {
        lock(&self.partials).get(&task).copied()
    }

    /// Returns all partial results, by task number.
    pub fn snapshot(&self) -> BTreeMap<usize, Done<Tally>> {
        lock(&self.partials).clone()
    }

    /// Removes the partial result of a finished task, if there is one.
    pub fn finish(&self, task: usize) {
        lock(&self.partials).remove(&task);
    }
}
