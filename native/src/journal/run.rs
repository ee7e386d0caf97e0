//! What a journal is of, and the sessions in which it was counted.

use std::{fmt, sync::Arc, time::Duration};

use queens_core::{
    Part, Plan,
    document::{Circumstances, Seconds, Shard},
};

/// What is counted: a plan, and all of its tasks or those of a shard.
#[derive(Clone, Debug)]
pub struct Run {
    pub plan: Arc<Plan>,
    /// The shard; none: the whole plan.
    pub shard: Option<Shard>,
}

impl Run {
    /// All of a plan.
    pub fn whole(plan: Plan) -> Run {
        Run { plan: Arc::new(plan), shard: None }
    }

    /// Whether a task of the plan belongs to it.
    pub fn has(&self, task: usize) -> bool {
        task < self.plan.len() && self.shard.as_ref().is_none_or(|shard| shard.has(task))
    }

    /// The number of its tasks.
    pub fn len(&self) -> usize {
        (0..self.plan.len()).filter(|&task| self.has(task)).count()
    }

    /// Whether it has no task, as a shard of more shards than tasks.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether all of its tasks are in `part`.
    pub fn is_complete(&self, part: &Part) -> bool {
        (0..self.plan.len()).all(|task| !self.has(task) || part.has(task))
    }

    /// What tells two runs apart, if they are not the same: each in words.
    pub(super) fn same_as(&self, other: &Run) -> Result<(), (String, String)> {
        let identity = |run: &Run| {
            let shard = run.shard.as_ref().map(|shard| (shard.index, shard.of));
            (run.plan.identity(), shard)
        };
        if identity(self) == identity(other) {
            return Ok(());
        }
        Err((self.to_string(), other.to_string()))
    }
}

/// As messages name it.
impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "N = {} by {}", self.plan.size(), self.plan.method())?;
        match &self.shard {
            Some(shard) => write!(f, ", shard {}/{}", shard.index, shard.of),
            None => Ok(()),
        }
    }
}

/// A time in which one process counted.
#[derive(Clone, Debug, PartialEq)]
pub struct Session {
    /// From 1.
    pub number: u32,
    pub host: String,
    /// The process's number there.
    pub process: u32,
    /// When it began, how long it took, and with what it counted.
    pub circumstances: Circumstances,
    /// How many tasks it has finished.
    pub tasks: usize,
}

impl Session {
    pub(super) fn new(number: u32, circumstances: Circumstances) -> Session {
        let (host, process) = (crate::host::name().to_owned(), std::process::id());
        Session { number, host, process, circumstances, tasks: 0 }
    }

    /// How long it took.
    pub fn took(&self) -> Duration {
        Duration::try_from_secs_f64(self.circumstances.seconds.get()).unwrap_or_default()
    }

    /// The time that all of them took.
    pub fn took_in_all<'a>(sessions: impl IntoIterator<Item = &'a Session>) -> Duration {
        sessions.into_iter().map(Session::took).fold(Duration::ZERO, Duration::saturating_add)
    }

    /// The circumstances of a count that these sessions made up: it began with the first and took
    /// as long as all of them, and the last one tells the rest. `None` if there is none.
    pub fn joined<'a>(sessions: impl IntoIterator<Item = &'a Session>) -> Option<Circumstances> {
        let mut sessions = sessions.into_iter();
        let mut joined = sessions.next()?.circumstances.clone();
        let mut count = 1;
        for Session { circumstances: next, .. } in sessions {
            let seconds = Seconds::new(joined.seconds.get() + next.seconds.get());
            let seconds = seconds.unwrap_or_default();
            joined = Circumstances { started: joined.started, seconds, ..next.clone() };
            count += 1;
        }
        if count > 1 {
            joined.backend.detail += &format!(", last of {count} sessions");
        }
        Some(joined)
    }
}
