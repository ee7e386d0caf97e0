//! Event feed: publishes added and removed results, and the progress of running counts.

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

/// Maximum number of events that a listener may lag behind before it is disconnected.
const BACKLOG: usize = 1024;
/// Time without a report after which a run is considered dead.
const RUN_TIMEOUT: Duration = Duration::from_secs(60);
/// Interval for polling the store for changes by other servers.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// Maximum number of runs whose last report is stored for new listeners.
const MAX_RUNS: usize = 1000;
/// Time from the last report of a run until the progress of its shards is discarded. It is long, because the
/// next shard may wait in a cluster's queue.
const SHARDS_TIMEOUT: Duration = Duration::from_secs(24 * 60 * 60);
/// Maximum number of shards, in all runs, whose progress is stored.
const MAX_SHARDS: usize = 100_000;

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
    /// The last report of each running count, by run name.
    runs: Arc<Mutex<HashMap<String, RunReport>>>,
    /// Progress of the runs that consist of shards, by run name.
    shards: Arc<Mutex<HashMap<String, ShardedRun>>>,
    /// Signals that this server changed the store.
    changed: Arc<Notify>,
    /// Turns true when the server stops.
    stopped: watch::Receiver<bool>,
}

/// The last report of a running count.
#[derive(Debug)]
struct RunReport {
    message: ServerEvent,
    received: Instant,
}

/// Progress of the shards of one run.
#[derive(Debug)]
struct ShardedRun {
    /// N, method, number of shards and number of tasks.
    identity: (Size, Method, u32, u32),
    aggregator: ShardAggregator,
    /// Time of the last report.
    received: Instant,
}

impl Feed {
    /// Creates a feed that ends when `stopped` turns true.
    pub fn new(stopped: watch::Receiver<bool>) -> Feed {
        Feed {
            sender: broadcast::Sender::new(BACKLOG),
            runs: Arc::default(),
            shards: Arc::default(),
            changed: Arc::default(),
            stopped,
        }
    }

    /// Publishes all changes of `store` after the position `cursor`. Changes by this server are published
    /// at once after [`changed`](Feed::changed), and changes by other servers within a second.
    pub async fn follow(self, store: Arc<Store>, mut cursor: Cursor) {
        loop {
            // Wake up on a change or after the polling interval.
            let _ = tokio::time::timeout(POLL_INTERVAL, self.changed.notified()).await;
            loop {
                let store = Arc::clone(&store);
                let changes =
                    tokio::task::spawn_blocking(move || store.changes_since(cursor)).await;
                // If reading the store fails or panics, try again at the next poll.
                let Ok(Ok(changes)) = changes else { break };
                if changes.cursor == cursor {
                    break;
                }
                cursor = changes.cursor;
                for id in changes.removed {
                    let data = json!({ "id": id }).to_string().into();
                    self.send(ServerEvent { name: "removed", data });
                }
                for summary in changes.added {
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
    /// Reports of shards with the same id are combined into one count.
    pub fn progress(&self, id: &str, report: &Progress) {
        let mut runs = lock(&self.runs);
        let whole = report.shard.and_then(|shard| self.add_shard(id, report, shard));
        let progress = whole.as_ref().unwrap_or(report);
        let mut data = progress.to_value();
        if let Some(fields) = data.as_object_mut() {
            fields.insert("id".into(), id.into());
        }
        let message = ServerEvent { name: "progress", data: data.to_string().into() };
        runs.retain(|_, run| run.received.elapsed() < RUN_TIMEOUT);
        if progress.state != RunState::Running {
            runs.remove(id);
        } else if runs.len() < MAX_RUNS || runs.contains_key(id) {
            runs.insert(
                id.into(),
                RunReport { message: message.clone(), received: Instant::now() },
            );
        }
        // Send while the lock is held, so that reports keep their order.
        self.send(message);
        drop(runs);
    }

    /// Adds the report of a shard and returns the combined progress of its run. Returns `None` if the feed
    /// already stores the maximum number of shards or runs.
    fn add_shard(&self, id: &str, report: &Progress, shard: ShardOf) -> Option<Progress> {
        let mut all = lock(&self.shards);
        let identity = (report.n, report.method, shard.of, shard.tasks);
        all.retain(|other, run| {
            run.received.elapsed() < SHARDS_TIMEOUT && (other != id || run.identity == identity)
        });
        let shards: usize = all.values().map(|run| run.aggregator.len()).sum();
        if shards >= MAX_SHARDS || (all.len() >= MAX_RUNS && !all.contains_key(id)) {
            return None;
        }
        let new = || ShardedRun {
            identity,
            aggregator: ShardAggregator::new(report),
            received: Instant::now(),
        };
        let run = all.entry(id.to_owned()).or_insert_with(new);
        run.received = Instant::now();
        let whole = run.aggregator.add(report, shard);
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
        runs.retain(|_, run| run.received.elapsed() < RUN_TIMEOUT);
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
