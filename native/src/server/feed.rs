//! Event feed: publishes new results and the progress of running counts.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use futures_util::{Stream, StreamExt, stream};
use queens_core::{
    Method, Size,
    document::{Progress, RunState, ShardOf},
};
use serde_json::json;
use tokio::sync::{Notify, broadcast, watch};

use super::shard_aggregator::ShardAggregator;
use crate::{
    lock::lock,
    store::{Cursor, Store},
};

/// Number of events that a slow listener may lag behind.
const BACKLOG: usize = 1024;
/// A run without a report for this time is considered dead.
const SILENCE: Duration = Duration::from_secs(60);
/// Interval for polling the store, which shows the results of other servers.
const LOOK: Duration = Duration::from_secs(1);
/// Maximum number of runs whose last report is kept for new listeners.
const MOST_RUNS: usize = 1000;
/// Time for which the progress of shards is kept: shards may wait in a cluster's queue between reports.
const ABSENCE: Duration = Duration::from_secs(24 * 60 * 60);
/// Maximum number of shards, in all runs, whose progress is kept.
const MOST_SHARDS: usize = 100_000;

/// An event to send.
#[derive(Debug, Clone)]
pub(super) struct ServerEvent {
    pub name: &'static str,
    pub data: Arc<str>,
}

/// Publishes events to all listeners.
#[derive(Debug, Clone)]
pub(super) struct Feed {
    sender: broadcast::Sender<ServerEvent>,
    runs: Arc<Mutex<HashMap<String, RunReport>>>,
    /// Progress of the runs that consist of shards.
    together: Arc<Mutex<HashMap<String, Shards>>>,
    changed: Arc<Notify>,
    stopped: watch::Receiver<bool>,
}

/// The last report of a running count.
#[derive(Debug)]
struct RunReport {
    message: ServerEvent,
    at: Instant,
}

/// Progress of the shards of one run. `of` identifies the run: N, method, number of shards and of tasks.
#[derive(Debug)]
struct Shards {
    of: (Size, Method, u32, u32),
    together: ShardAggregator,
    at: Instant,
}

impl Feed {
    /// Creates a feed that ends when `stopped` turns true.
    pub fn new(stopped: watch::Receiver<bool>) -> Feed {
        Feed {
            sender: broadcast::Sender::new(BACKLOG),
            runs: Arc::default(),
            together: Arc::default(),
            changed: Arc::default(),
            stopped,
        }
    }

    /// Publishes all changes of `store` after the position `heard`: immediately after
    /// [`changed`](Feed::changed), and within a second if another server made them.
    pub async fn follow(self, store: Arc<Store>, mut heard: Cursor) {
        loop {
            // Wake up on a change or after the polling interval.
            let _ = tokio::time::timeout(LOOK, self.changed.notified()).await;
            loop {
                let store = Arc::clone(&store);
                let news = tokio::task::spawn_blocking(move || store.news(heard)).await;
                // If reading the store fails or panics now, try again at the next poll.
                let Ok(Ok(news)) = news else { break };
                if news.heard == heard {
                    break;
                }
                heard = news.heard;
                for id in news.removed {
                    let data = json!({ "id": id }).to_string().into();
                    self.send(ServerEvent { name: "removed", data });
                }
                for summary in news.added {
                    self.send(ServerEvent { name: "result", data: summary.to_json().into() });
                }
            }
        }
    }

    /// Wakes [`follow`](Feed::follow) after a document was added or removed.
    pub fn changed(&self) {
        self.changed.notify_one();
    }

    /// Publishes the progress of a count.
    ///
    /// Shards with the same id are combined to one count.
    pub fn progress(&self, id: &str, report: &Progress) {
        let mut runs = lock(&self.runs);
        let whole = report.shard.and_then(|shard| self.take_shard(id, report, shard));
        let progress = whole.as_ref().unwrap_or(report);
        let mut data = progress.to_value();
        if let Some(fields) = data.as_object_mut() {
            fields.insert("id".into(), id.into());
        }
        let message = ServerEvent { name: "progress", data: data.to_string().into() };
        runs.retain(|_, run| run.at.elapsed() < SILENCE);
        if progress.state != RunState::Running {
            runs.remove(id);
        } else if runs.len() < MOST_RUNS || runs.contains_key(id) {
            runs.insert(id.into(), RunReport { message: message.clone(), at: Instant::now() });
        }
        // Send while the lock is held, so that reports keep their order.
        self.send(message);
        drop(runs);
    }

    /// Returns the combined progress of all shards of a run, or `None` if there are too many shards to
    /// keep.
    fn take_shard(&self, id: &str, report: &Progress, shard: ShardOf) -> Option<Progress> {
        let mut all = lock(&self.together);
        let of = (report.n, report.method, shard.of, shard.tasks);
        all.retain(|its, run| run.at.elapsed() < ABSENCE && (its != id || run.of == of));
        let known: usize = all.values().map(|run| run.together.len()).sum();
        if known >= MOST_SHARDS || (all.len() >= MOST_RUNS && !all.contains_key(id)) {
            return None;
        }
        let new = || Shards { of, together: ShardAggregator::new(report), at: Instant::now() };
        let run = all.entry(id.to_owned()).or_insert_with(new);
        run.at = Instant::now();
        let whole = run.together.take(report, shard);
        if whole.state == RunState::Done {
            all.remove(id);
        }
        Some(whole)
    }

    /// Sends an event to the current listeners, if there are any.
    fn send(&self, message: ServerEvent) {
        let _ = self.sender.send(message);
    }

    /// Returns a stream of the last report of each running count, followed by all new events.
    pub fn listen(&self) -> impl Stream<Item = ServerEvent> + use<> {
        let receiver = self.sender.subscribe();
        let mut runs = lock(&self.runs);
        runs.retain(|_, run| run.at.elapsed() < SILENCE);
        let first: Vec<ServerEvent> = runs.values().map(|run| run.message.clone()).collect();
        drop(runs);
        let state = (receiver, self.stopped.clone());
        stream::iter(first).chain(stream::unfold(state, |(mut receiver, mut stopped)| async {
            // A listener that lags too far behind is disconnected. Browsers reconnect, and the page then
            // loads the list again.
            let message = tokio::select! {
                message = receiver.recv() => message.ok(),
                _ = stopped.wait_for(|&stopped| stopped) => None,
            };
            message.map(|message| (message, (receiver, stopped)))
        }))
    }
}
