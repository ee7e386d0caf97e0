//! Shards of one count, put together.

use alloc::{
    collections::btree_map::{BTreeMap, Entry},
    format,
    string::String,
    vec::Vec,
};
use core::time::Duration;

use super::{Document, Header, TaskTotal};
use crate::{Done, Part, Plan, PlanId, Tally, TaskError};

/// Shards of one count, as they are collected. Whoever adds documents [checks](Document::check)
/// them first, and names them, by their files, say.
///
/// All tasks of all shards are a [`Part`], which is the whole plan once no shard is missing. Their
/// tallies know totals alone.
#[derive(Debug, Clone, Default)]
pub struct Shards {
    count: Option<Count>,
    /// The names of the documents by the numbers of their shards.
    names: BTreeMap<u32, String>,
}

/// The count that the shards are of.
#[derive(Debug, Clone)]
struct Count {
    /// The name of the document that was first.
    first: String,
    plan: Plan,
    /// The number of shards.
    of: u32,
    part: Part,
}

/// Why a document cannot join the shards added before.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ShardError {
    /// The document of a complete count.
    #[error("{0} is a complete count, not a shard")]
    Whole(String),
    /// A shard of another count.
    #[error("the shards belong to different counts: {first} is one {ours}, {name} is one {theirs}")]
    Mixed {
        /// The document that was first.
        first: String,
        /// What that one is of.
        ours: String,
        /// The one that does not belong to it.
        name: String,
        /// What this one is of.
        theirs: String,
    },
    /// A shard that was added before.
    #[error("shard {index} is given twice: {first} and {name}")]
    Double {
        /// Its number.
        index: u32,
        /// The document that was first.
        first: String,
        /// The other one.
        name: String,
    },
    /// A task that does not fit.
    #[error("{name}: {source}")]
    Task {
        /// The document.
        name: String,
        /// What is wrong.
        source: TaskError,
    },
}

impl Shards {
    /// Adds a shard.
    ///
    /// # Errors
    /// [`ShardError`] if the document is of a whole count or of another one, or its shard is there
    /// already. What was there stays.
    pub fn add(&mut self, name: &str, document: &Document) -> Result<(), ShardError> {
        let Header { n, method, ref shard, .. } = document.header;
        let shard = shard.as_ref().ok_or_else(|| ShardError::Whole(name.into()))?;
        let (index, of) = (shard.index, shard.of);
        let id = PlanId { size: n, method };
        let count = match &mut self.count {
            Some(count) if (count.plan.identity(), count.of) == (id, of) => count,
            Some(count) => {
                return Err(ShardError::Mixed {
                    first: count.first.clone(),
                    ours: told(count.plan.identity(), count.of),
                    name: name.into(),
                    theirs: told(id, of),
                });
            }
            none => {
                let plan = Plan::new(n, method);
                let part = Part::new(&plan);
                none.insert(Count { first: name.into(), plan, of, part })
            }
        };
        let place = match self.names.entry(index) {
            Entry::Vacant(place) => place,
            Entry::Occupied(there) => {
                let first = there.get().clone();
                return Err(ShardError::Double { index, first, name: name.into() });
            }
        };
        let mut part = Part::new(&count.plan);
        let mut tasks = document.tasks.iter();
        tasks
            .try_for_each(|task| part.add(done(task)))
            .and_then(|()| count.part.merge(part))
            .map_err(|source| ShardError::Task { name: name.into(), source })?;
        place.insert(name.into());
        Ok(())
    }

    /// The number of shards that there should be; 0 before the first is there.
    #[must_use]
    pub fn of(&self) -> u32 {
        self.count.as_ref().map_or(0, |count| count.of)
    }

    /// The numbers of those that are not there, out of `of`.
    #[must_use]
    pub fn missing(&self, of: u32) -> Vec<u32> {
        (0..of).filter(|index| !self.names.contains_key(index)).collect()
    }

    /// All their tasks; `None` before the first is there.
    #[must_use]
    pub fn part(&self) -> Option<&Part> {
        self.count.as_ref().map(|count| &count.part)
    }
}

/// A task as if each of its solutions stood for itself.
fn done(task: &TaskTotal) -> Done<Tally> {
    let TaskTotal { total: single, covered, chosen, .. } = *task;
    let result = Tally { single, covered, chosen, ..Tally::default() };
    let took = Duration::try_from_secs_f64(task.seconds.get()).unwrap_or_default();
    Done { task: task.id as usize, result, took }
}

fn told(plan: PlanId, of: u32) -> String {
    format!("of {of} shards of {plan}")
}
