//! News: whoever listens hears of every new result and of the progress of running counts.

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

use super::together::Together;
use crate::{
    lock::lock,
    store::{Heard, Store},
};

/// How many events a slow listener may be behind.
const BACKLOG: usize = 1024;
/// A run that says nothing for so long has died.
const SILENCE: Duration = Duration::from_secs(60);
/// How soon the results of other servers on the same store are told.
const LOOK: Duration = Duration::from_secs(1);
/// More runs than this at once are not remembered for those who come later.
const MOST_RUNS: usize = 1000;
/// Shards wait in queues and come back, so what they have done is remembered for so long, ...
const ABSENCE: Duration = Duration::from_secs(24 * 60 * 60);
/// ... but of no more shards than this, in all runs together.
const MOST_SHARDS: usize = 100_000;

/// One event on its way.
#[derive(Debug, Clone)]
pub(super) struct Message {
    pub name: &'static str,
    pub data: Arc<str>,
}

/// Hands events on to everyone who listens.
#[derive(Debug, Clone)]
pub(super) struct Feed {
    sender: broadcast::Sender<Message>,
    runs: Arc<Mutex<HashMap<String, Run>>>,
    /// The runs that consist of shards.
    together: Arc<Mutex<HashMap<String, Shards>>>,
    changed: Arc<Notify>,
    stopped: watch::Receiver<bool>,
}

/// The last report of a running count.
#[derive(Debug)]
struct Run {
    message: Message,
    at: Instant,
}

/// What the shards of one run have told, and what of: N, method, number of shards and of tasks.
#[derive(Debug)]
struct Shards {
    of: (Size, Method, u32, u32),
    together: Together,
    at: Instant,
}

impl Feed {
    /// A feed that ends when `stopped` turns true.
    pub fn new(stopped: watch::Receiver<bool>) -> Feed {
        Feed {
            sender: broadcast::Sender::new(BACKLOG),
            runs: Arc::default(),
            together: Arc::default(),
            changed: Arc::default(),
            stopped,
        }
    }

    /// Tells of all that happens in `store` after what was `heard`: at once what this server has
    /// [changed](Feed::changed), and within a second what another one has.
    pub async fn follow(self, store: Arc<Store>, mut heard: Heard) {
        loop {
            // Whichever comes first.
            let _ = tokio::time::timeout(LOOK, self.changed.notified()).await;
            loop {
                let store = Arc::clone(&store);
                let news = tokio::task::spawn_blocking(move || store.news(heard)).await;
                // A store that fails now, even by a panic, is asked again.
                let Ok(Ok(news)) = news else { break };
                if news.heard == heard {
                    break;
                }
                heard = news.heard;
                for id in news.removed {
                    let data = json!({ "id": id }).to_string().into();
                    self.send(Message { name: "removed", data });
                }
                for summary in news.added {
                    self.send(Message { name: "result", data: summary.to_json().into() });
                }
            }
        }
    }

    /// Something was added to the store, or removed from it.
    pub fn changed(&self) {
        self.changed.notify_one();
    }

    /// Tells how far a count is.
    ///
    /// Shards of one id are told as one count.
    pub fn progress(&self, id: &str, report: &Progress) {
        let mut runs = lock(&self.runs);
        let whole = report.shard.and_then(|shard| self.take_shard(id, report, shard));
        let progress = whole.as_ref().unwrap_or(report);
        let mut data = progress.to_value();
        if let Some(fields) = data.as_object_mut() {
            fields.insert("id".into(), id.into());
        }
        let message = Message { name: "progress", data: data.to_string().into() };
        runs.retain(|_, run| run.at.elapsed() < SILENCE);
        if progress.state != RunState::Running {
            runs.remove(id);
        } else if runs.len() < MOST_RUNS || runs.contains_key(id) {
            runs.insert(id.into(), Run { message: message.clone(), at: Instant::now() });
        }
        // Not before, so that reports are heard in the order in which they were taken.
        self.send(message);
        drop(runs);
    }

    /// How far all shards of this run are together; none if there are too many to remember.
    fn take_shard(&self, id: &str, report: &Progress, shard: ShardOf) -> Option<Progress> {
        let mut all = lock(&self.together);
        let of = (report.n, report.method, shard.of, shard.tasks);
        all.retain(|its, run| run.at.elapsed() < ABSENCE && (its != id || run.of == of));
        let known: usize = all.values().map(|run| run.together.len()).sum();
        if known >= MOST_SHARDS || (all.len() >= MOST_RUNS && !all.contains_key(id)) {
            return None;
        }
        let new = || Shards { of, together: Together::new(report), at: Instant::now() };
        let run = all.entry(id.to_owned()).or_insert_with(new);
        run.at = Instant::now();
        let whole = run.together.take(report, shard);
        if whole.state == RunState::Done {
            all.remove(id);
        }
        Some(whole)
    }

    /// Nobody need be listening.
    fn send(&self, message: Message) {
        let _ = self.sender.send(message);
    }

    /// The last report of every running count, then everything that happens from now on.
    pub fn listen(&self) -> impl Stream<Item = Message> + use<> {
        let receiver = self.sender.subscribe();
        let mut runs = lock(&self.runs);
        runs.retain(|_, run| run.at.elapsed() < SILENCE);
        let first: Vec<Message> = runs.values().map(|run| run.message.clone()).collect();
        drop(runs);
        let state = (receiver, self.stopped.clone());
        stream::iter(first).chain(stream::unfold(state, |(mut receiver, mut stopped)| async {
            // Whoever is too far behind is cut off: browsers then connect again, and the page
            // fetches the list again whenever it connects.
            let message = tokio::select! {
                message = receiver.recv() => message.ok(),
                _ = stopped.wait_for(|&stopped| stopped) => None,
            };
            message.map(|message| (message, (receiver, stopped)))
        }))
    }
}
