//! How far tasks are that are not finished.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use queens_core::{Done, Tally};

use crate::lock::lock;

/// How often it is noted how far a task is.
const EVERY: Duration = Duration::from_secs(1);

/// What is counted so far of tasks that are not finished, so that a count goes on within them; its
/// clones share it. Those who count note it, and the journal keeps it.
#[derive(Clone, Debug)]
pub struct InWork {
    so_far: Arc<Mutex<BTreeMap<usize, Done<Tally>>>>,
    every: Duration,
}

impl Default for InWork {
    fn default() -> InWork {
        InWork::noted_every(EVERY)
    }
}

impl InWork {
    /// No task yet; those who count are to note every so often how far one is.
    pub fn noted_every(every: Duration) -> InWork {
        InWork { so_far: Arc::default(), every }
    }

    /// How often those who count are to note how far a task is.
    pub fn every(&self) -> Duration {
        self.every
    }

    /// Notes how far a task is.
    pub fn note(&self, so_far: Done<Tally>) {
        lock(&self.so_far).insert(so_far.task, so_far);
    }

    /// How far a task is, if any of it is counted.
    pub fn of(&self, task: usize) -> Option<Done<Tally>> {
        lock(&self.so_far).get(&task).copied()
    }

    /// All tasks that are not finished, by their numbers.
    pub fn all(&self) -> BTreeMap<usize, Done<Tally>> {
        lock(&self.so_far).clone()
    }

    /// Forgets a task, which is finished.
    pub fn finish(&self, task: usize) {
        lock(&self.so_far).remove(&task);
    }
}
