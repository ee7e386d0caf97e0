//! Tells a server, while a count runs, how far it is.

use std::{
    iter,
    sync::mpsc::{self, Receiver, Sender},
    thread,
    time::{Duration, Instant},
};

use queens::{journal::Run, post::Client};
use queens_core::{
    Method, Size,
    document::{Extra, Progress, RunState, ShardOf},
};

use super::output;

/// Reports come this often, and not before a count has taken that long.
const PAUSE: Duration = Duration::from_secs(1);

/// How long the end of a count waits for its last report.
const PATIENCE: Duration = Duration::from_secs(2);

/// Reports of one count. They are a courtesy: if one fails, no more are sent. Unless all is quiet,
/// that is said at once, since the result will hardly be taken either.
pub struct Reporter {
    size: Size,
    method: Method,
    shard: Option<ShardOf>,
    tasks: u32,
    /// How long earlier sessions took.
    spent: Duration,
    begun: Instant,
    next: Duration,
    done: u32,
    is_known: bool,
    outbox: Sender<Progress>,
    ended: Receiver<()>,
}

impl Reporter {
    /// Reports a run to `client`'s server, under a name that is its own unless the client has one.
    pub fn new(client: Client, run: &Run, quiet: bool) -> Reporter {
        let (outbox, reports) = mpsc::channel();
        let (end, ended) = mpsc::channel();
        let short = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        // Others report the rest of a run that was given a name, so it is heard of from the first
        // moment to the last.
        let given = client.run().map(str::to_owned);
        let is_named = given.is_some();
        let next = if is_named { Duration::ZERO } else { PAUSE };
        let new = || iter::repeat_with(fastrand::alphanumeric).take(20).collect();
        let name: String = given.unwrap_or_else(new);
        let shard = run.shard.as_ref().filter(|_| is_named).map(|shard| ShardOf {
            index: shard.index,
            of: shard.of,
            tasks: short(run.plan.len()),
        });
        // Of its own, since a server that does not answer must not hold up the count.
        thread::spawn(move || {
            for report in reports {
                if let Err(error) = client.report(&name, &report) {
                    if !quiet {
                        output::warn(format!("{error}; the count continues"));
                    }
                    break;
                }
            }
            // Nobody waits for a count that was given up.
            let _ = end.send(());
        });
        Reporter {
            size: run.plan.size(),
            method: run.plan.method(),
            shard,
            tasks: short(run.len()),
            spent: Duration::ZERO,
            begun: Instant::now(),
            next,
            done: 0,
            is_known: is_named,
            outbox,
            ended,
        }
    }

    /// Reports a count that has taken so long before.
    pub fn after(self, spent: Duration) -> Reporter {
        Reporter { spent, ..self }
    }

    /// Reports, if it is time, that `done` tasks are done.
    pub fn at(&mut self, done: usize) {
        self.done = u32::try_from(done).unwrap_or(u32::MAX);
        let elapsed = self.begun.elapsed();
        if elapsed >= self.next {
            self.next = elapsed + PAUSE;
            self.is_known = true;
            self.send(RunState::Running);
        }
    }

    /// Reports the end, if the server has ever heard of this count.
    pub fn end(mut self, finished: bool) {
        if !self.is_known {
            return;
        }
        if finished {
            self.done = self.tasks;
        }
        self.send(if finished { RunState::Done } else { RunState::Stopped });
        drop(self.outbox);
        // A server that takes the last report later than this is not waited for.
        let _ = self.ended.recv_timeout(PATIENCE);
    }

    fn send(&self, state: RunState) {
        let report = Progress {
            n: self.size,
            method: self.method,
            done: self.done,
            tasks: self.tasks,
            seconds: (self.spent + self.begun.elapsed()).into(),
            state,
            shard: self.shard,
            rest: None,
            extra: Extra::new(),
        };
        // The thread is gone once a report has failed.
        let _ = self.outbox.send(report);
    }
}
