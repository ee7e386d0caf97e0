//! Partial results of unfinished tasks.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use queens_core::{Done, Tally};

use crate::lock::lock;

/// Default interval between two saved states of a task.
const EVERY: Duration = Duration::from_secs(1);

/// Partial results of unfinished tasks, so that a count resumes in the middle of a task. Backends record
/// them, and the journal saves them. Clones share the same map.
#[derive(Clone, Debug)]
pub struct PartialTasks {
    partials: Arc<Mutex<BTreeMap<usize, Done<Tally>>>>,
    every: Duration,
}

impl Default for PartialTasks {
    fn default() -> PartialTasks {
        PartialTasks::noted_every(EVERY)
    }
}

impl PartialTasks {
    /// Creates an empty map. Backends should record the state of each task once per `every`.
    pub fn noted_every(every: Duration) -> PartialTasks {
        PartialTasks { partials: Arc::default(), every }
    }

    /// Interval at which backends should record the state of a task.
    pub fn every(&self) -> Duration {
        self.every
    }

    /// Records the partial result of a task.
    pub fn note(&self, partial: Done<Tally>) {
        lock(&self.partials).insert(partial.task, partial);
    }

    /// Returns the partial result of a task, if there is one.
    pub fn of(&self, task: usize) -> Option<Done<Tally>> {
        lock(&self.partials).get(&task).copied()
    }

    /// All partial results, by task number.
    pub fn all(&self) -> BTreeMap<usize, Done<Tally>> {
        lock(&self.partials).clone()
    }

    /// Removes a finished task.
    pub fn finish(&self, task: usize) {
        lock(&self.partials).remove(&task);
    }
}
