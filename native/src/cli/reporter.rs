//! Reports the progress of a running count to a server.

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

/// Interval between reports, and the time before the first one.
const PAUSE: Duration = Duration::from_secs(1);

/// Maximum wait for the last report at the end of a count.
const PATIENCE: Duration = Duration::from_secs(2);

/// Sender of progress reports. They are optional: after a failure no more are sent. A warning is printed
/// at once, unless `quiet` is set, because the server will probably not accept the result either.
pub struct Reporter {
    size: Size,
    method: Method,
    shard: Option<ShardOf>,
    tasks: u32,
    /// Time of earlier sessions.
    spent: Duration,
    begun: Instant,
    next: Duration,
    done: u32,
    is_known: bool,
    outbox: Sender<Progress>,
    ended: Receiver<()>,
}

impl Reporter {
    /// Reports a run to `client`'s server, under the client's run name or a random one.
    pub fn new(client: Client, run: &Run, quiet: bool) -> Reporter {
        let (outbox, reports) = mpsc::channel();
        let (end, ended) = mpsc::channel();
        let short = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        // With a given name, other processes may report further shards of the run, so every shard is
        // reported from start to end, however short it is.
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
        // In a separate thread, because a server that does not answer must not delay the count.
        thread::spawn(move || {
            for report in reports {
                if let Err(error) = client.report(&name, &report) {
                    if !quiet {
                        output::warn(format!("{error}; the count continues"));
                    }
                    break;
                }
            }
            // The receiver is gone if the count was abandoned.
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

    /// Adds the time of earlier sessions.
    pub fn after(self, spent: Duration) -> Reporter {
        Reporter { spent, ..self }
    }

    /// Reports that `done` tasks are done, if it is time.
    pub fn at(&mut self, done: usize) {
        self.done = u32::try_from(done).unwrap_or(u32::MAX);
        let elapsed = self.begun.elapsed();
        if elapsed >= self.next {
            self.next = elapsed + PAUSE;
            self.is_known = true;
            self.send(RunState::Running);
        }
    }

    /// Reports the end, if the server knows this count.
    pub fn end(mut self, finished: bool) {
        if !self.is_known {
            return;
        }
        if finished {
            self.done = self.tasks;
        }
        self.send(if finished { RunState::Done } else { RunState::Stopped });
        drop(self.outbox);
        // The count does not wait longer for the last report.
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
        // The thread has ended if a report has failed.
        let _ = self.outbox.send(report);
    }
}
