//! Identity of the count in a journal, and the sessions of the count.

use std::{fmt, sync::Arc, time::Duration};

use queens_core::{
    PartialCount, Plan,
    document::{Circumstances, Seconds, Shard},
};

/// A count of all tasks of a plan, or of the tasks of one shard.
#[derive(Clone, Debug)]
pub struct Run {
    pub plan: Arc<Plan>,
    /// The shard, or `None` for the whole plan.
    pub shard: Option<Shard>,
}

impl Run {
    /// Creates a run of all tasks of a plan.
    pub fn whole(plan: Plan) -> Run {
        Run { plan: Arc::new(plan), shard: None }
    }

    /// Returns whether a task of the plan belongs to the run.
    pub fn has(&self, task: usize) -> bool {
        task < self.plan.len() && self.shard.as_ref().is_none_or(|shard| shard.has(task))
    }

    /// Returns the number of tasks in the run.
    pub fn len(&self) -> usize {
        (0..self.plan.len()).filter(|&task| self.has(task)).count()
    }

    /// Returns whether the run has no task, for example because the plan has more shards than tasks.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns whether `part` has all tasks of the run.
    pub fn is_complete(&self, part: &PartialCount) -> bool {
        (0..self.plan.len()).all(|task| !self.has(task) || part.has(task))
    }

    /// Compares two runs. If they differ, returns a description of each.
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

/// The form used in messages.
impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "N = {} by {}", self.plan.size(), self.plan.method())?;
        match &self.shard {
            Some(shard) => write!(f, ", shard {}/{}", shard.index, shard.of),
            None => Ok(()),
        }
    }
}

/// A period in which one process counted.
#[derive(Clone, Debug, PartialEq)]
pub struct Session {
    /// Number of the session, from 1.
    pub number: u32,
    pub host: String,
    /// Process id on `host`.
    pub process: u32,
    /// Start, duration, form, backend, program and machine.
    pub circumstances: Circumstances,
    /// Number of tasks that the session finished.
    pub tasks: usize,
}

impl Session {
    pub(super) fn new(number: u32, circumstances: Circumstances) -> Session {
        let (host, process) = (crate::host::name().to_owned(), std::process::id());
        Session { number, host, process, circumstances, tasks: 0 }
    }

    /// Returns the duration of the session.
    pub fn duration(&self) -> Duration {
        Duration::try_from_secs_f64(self.circumstances.seconds.get()).unwrap_or_default()
    }

    /// Sums the durations of the sessions.
    pub fn total_duration<'a>(sessions: impl IntoIterator<Item = &'a Session>) -> Duration {
        sessions.into_iter().map(Session::duration).fold(Duration::ZERO, Duration::saturating_add)
    }

    /// Combines the circumstances of all sessions of a count: the start of the first, the sum of the
    /// durations, and everything else from the last. Returns `None` without sessions.
    pub fn combined_circumstances<'a>(
        sessions: impl IntoIterator<Item = &'a Session>,
    ) -> Option<Circumstances> {
        let mut sessions = sessions.into_iter();
        let mut joined = sessions.next()?.circumstances.clone();
        let mut count = 1;
        for session in sessions {
            // The pattern has no `..`, so a new field is a compile error until it is combined here.
            let Circumstances { form, backend, program, host, started: _, seconds } =
                session.circumstances.clone();
            let started = joined.started;
            let sum = joined.seconds.get() + seconds.get();
            let seconds = Seconds::new(sum.min(Seconds::MAX)).unwrap_or_default();
            joined = Circumstances { form, backend, program, host, started, seconds };
            count += 1;
        }
        if count > 1 {
            joined.backend.detail += &format!(", last of {count} sessions");
        }
        Some(joined)
    }
}
