//! Reports the progress of a running count to a server.

use std::{
    iter,
    sync::mpsc::{self, Receiver, Sender},
    thread,
    time::{Duration, Instant},
};

use queens::{journal::Run, paths, post::Client};
use queens_core::{
    Method, Size,
    document::{Extra, Progress, RunState, ShardOf},
};

use super::output;

/// Interval between reports. A run without a name sends its first report after this time, and a named run
/// at once.
const INTERVAL: Duration = Duration::from_secs(1);

/// Maximum wait for the last report at the end of a count.
const LAST_REPORT_TIMEOUT: Duration = Duration::from_secs(2);

/// Sender of progress reports. A count does not need its reports, so the sender stops at the first failure.
/// The failure is printed as a warning, because the server will probably not accept the result either.
pub struct Reporter {
    size: Size,
    method: Method,
    shard: Option<ShardOf>,
    tasks: u32,
    /// Time of earlier sessions.
    spent: Duration,
    start: Instant,
    /// Time of the next report, counted from `start`.
    next: Duration,
    done: u32,
    /// Whether the server must receive the end of the count, because it has received a report or other
    /// shards report the same run.
    must_report_end: bool,
    outbox: Sender<Progress>,
    /// Receives a message when the sending thread ends.
    ended: Receiver<()>,
}

impl Reporter {
    /// Creates the reporter of a run and its sending thread. The run gets the client's run name, or a
    /// random one. Earlier sessions took the time `spent`.
    pub fn new(client: Client, run: &Run, spent: Duration) -> Reporter {
        let (outbox, reports) = mpsc::channel();
        let (end, ended) = mpsc::channel();
        let to_u32 = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        // If the user named the run, other processes may report other shards of it. Then every shard is
        // reported from start to end, however short it is.
        let given_name = client.run().map(str::to_owned);
        let is_named = given_name.is_some();
        let next = if is_named { Duration::ZERO } else { INTERVAL };
        let random_name = || iter::repeat_with(fastrand::alphanumeric).take(20).collect();
        let name: String = given_name.unwrap_or_else(random_name);
        let shard = run.shard.as_ref().filter(|_| is_named).map(|shard| ShardOf {
            index: shard.index,
            of: shard.of,
            tasks: to_u32(run.plan.len()),
        });
        // Send in a separate thread, because a server that does not answer must not delay the count.
        let sending = move || {
            for report in reports {
                if let Err(error) = client.report(&name, &report) {
                    if !output::is_quiet() {
                        output::warn(format!("{error}; the count continues"));
                    }
                    break;
                }
            }
            // Sending fails if the count has ended without waiting for this thread.
            let _ = end.send(());
        };
        if let Err(error) = thread::Builder::new().spawn(sending)
            && !output::is_quiet()
        {
            let reason = paths::reason(&error);
            output::warn(format!("cannot report the progress: {reason}; the count continues"));
        }
        Reporter {
            size: run.plan.size(),
            method: run.plan.method(),
            shard,
            tasks: to_u32(run.len()),
            spent,
            start: Instant::now(),
            next,
            done: 0,
            must_report_end: is_named,
            outbox,
            ended,
        }
    }

    /// Reports that `done` tasks are done, if a report is due.
    pub fn update(&mut self, done: usize) {
        self.done = u32::try_from(done).unwrap_or(u32::MAX);
        let elapsed = self.start.elapsed();
        if elapsed >= self.next {
            self.next = elapsed + INTERVAL;
            self.must_report_end = true;
            self.send(RunState::Running);
        }
    }

    /// Reports the end, if the server must receive it.
    pub fn end(mut self, finished: bool) {
        if !self.must_report_end {
            return;
        }
        if finished {
            self.done = self.tasks;
        }
        self.send(if finished { RunState::Done } else { RunState::Stopped });
        drop(self.outbox);
        // If the last report takes longer, the process ends without it.
        let _ = self.ended.recv_timeout(LAST_REPORT_TIMEOUT);
    }

    fn send(&self, state: RunState) {
        let report = Progress {
            n: self.size,
            method: self.method,
            done: self.done,
            tasks: self.tasks,
            seconds: (self.spent + self.start.elapsed()).into(),
            state,
            shard: self.shard,
            rest: None,
            extra: Extra::new(),
        };
        // Sending to the thread fails if an earlier report has failed.
        let _ = self.outbox.send(report);
    }
}
