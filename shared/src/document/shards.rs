//! Merges shards into one count.

use alloc::{
    collections::btree_map::{BTreeMap, Entry},
    format,
    string::String,
    vec::Vec,
};
use core::time::Duration;

use super::{Document, Header, TaskTotal};
use crate::{Done, PartialCount, Plan, PlanId, Tally, TaskError};

/// Collects the shards of one count. The caller must [check](Document::check) each document first,
/// and passes a name for it, such as its file name, for error messages.
///
/// The tasks of all shards form a [`PartialCount`]. It is complete once no shard is missing. Its tallies
/// contain only totals, no class counts.
#[derive(Debug, Clone, Default)]
pub struct Shards {
    count: Option<Count>,
    /// The names of the documents, by shard number.
    names: BTreeMap<u32, String>,
}

/// The count to which the shards belong.
#[derive(Debug, Clone)]
struct Count {
    /// The name of the first document.
    first: String,
    plan: Plan,
    /// The number of shards.
    of: u32,
    part: PartialCount,
}

/// Reasons why a document cannot be added to the shards.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ShardError {
    /// The document is a complete count.
    #[error("{0} is a complete count, not a shard")]
    Whole(String),
    /// The document is a shard of another count.
    #[error("the shards belong to different counts: {first} is one {ours}, {name} is one {theirs}")]
    Mixed {
        /// The name of the first document.
        first: String,
        /// The count of the first document.
        ours: String,
        /// The name of the document that does not belong to that count.
        name: String,
        /// The count of this document.
        theirs: String,
    },
    /// The shard was added before.
    #[error("shard {index} is given twice: {first} and {name}")]
    Double {
        /// The number of the shard.
        index: u32,
        /// The name of the first document.
        first: String,
        /// The name of the second document.
        name: String,
    },
    /// A task cannot be added.
    #[error("{name}: {source}")]
    Task {
        /// The name of the document.
        name: String,
        /// The reason.
        source: TaskError,
    },
}

impl Shards {
    /// Adds a shard.
    ///
    /// # Errors
    /// [`ShardError`] if the document is a complete count or a shard of another count, if its shard
    /// was added before, or if one of its tasks cannot be added. The collected shards are then
    /// unchanged.
    pub fn add(&mut self, name: &str, document: &Document) -> Result<(), ShardError> {
        let Header { n, method, ref shard, .. } = document.header;
        let shard = shard.as_ref().ok_or_else(|| ShardError::Whole(name.into()))?;
        let (index, of) = (shard.index, shard.of);
        let id = PlanId { size: n, method };
        let mut new = None;
        let count = match &mut self.count {
            Some(count) if (count.plan.identity(), count.of) == (id, of) => count,
            Some(count) => {
                return Err(ShardError::Mixed {
                    first: count.first.clone(),
                    ours: describe(count.plan.identity(), count.of),
                    name: name.into(),
                    theirs: describe(id, of),
                });
            }
            None => {
                let plan = Plan::new(n, method);
                let part = PartialCount::new(&plan);
                new.insert(Count { first: name.into(), plan, of, part })
            }
        };
        let entry = match self.names.entry(index) {
            Entry::Vacant(entry) => entry,
            Entry::Occupied(entry) => {
                let first = entry.get().clone();
                return Err(ShardError::Double { index, first, name: name.into() });
            }
        };
        let mut part = PartialCount::new(&count.plan);
        let mut tasks = document.tasks.iter();
        tasks
            .try_for_each(|task| part.add(finished_task(task)))
            .and_then(|()| count.part.merge(part))
            .map_err(|source| ShardError::Task { name: name.into(), source })?;
        entry.insert(name.into());
        if new.is_some() {
            self.count = new;
        }
        Ok(())
    }

    /// The number of shards of the count; 0 before the first is added.
    #[must_use]
    pub fn of(&self) -> u32 {
        self.count.as_ref().map_or(0, |count| count.of)
    }

    /// The numbers of the missing shards out of `of`.
    #[must_use]
    pub fn missing(&self, of: u32) -> Vec<u32> {
        (0..of).filter(|index| !self.names.contains_key(index)).collect()
    }

    /// The tasks of all collected shards; `None` before the first is added.
    #[must_use]
    pub fn part(&self) -> Option<&PartialCount> {
        self.count.as_ref().map(|count| &count.part)
    }
}

/// Converts a task. Its total becomes single solutions, because the document has no class counts
/// per task.
fn finished_task(task: &TaskTotal) -> Done<Tally> {
    // The pattern has no `..`, so that a new field must be handled here.
    let &TaskTotal { id, total: single, seconds, covered, chosen, extra: _ } = task;
    let result = Tally { single, covered, chosen, ..Tally::default() };
    let took = Duration::try_from_secs_f64(seconds.get()).unwrap_or_default();
    Done { task: id as usize, result, took }
}

fn describe(plan: PlanId, of: u32) -> String {
    format!("of {of} shards of {plan}")
}
