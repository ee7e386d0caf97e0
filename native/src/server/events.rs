//! Live events: whoever listens hears of every new result and of the progress of running counts.

use std::{
    collections::HashMap,
    convert::Infallible,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use axum::{
    extract::State,
    response::{
        IntoResponse, Response,
        sse::{Event, KeepAlive, Sse},
    },
};
use futures_util::{Stream, StreamExt, stream};
use queens_core::document::{Progress, RunState, Summary};
use tokio::sync::{broadcast, watch};

use super::App;

/// How many events a slow listener may be behind.
const BACKLOG: usize = 1024;
/// A run that says nothing for so long has died.
const SILENCE: Duration = Duration::from_secs(60);
/// More runs than this at once are not remembered for those who come later.
const MOST_RUNS: usize = 1000;

/// One event on its way.
#[derive(Debug, Clone)]
struct Message {
    name: &'static str,
    data: Arc<str>,
}

/// Hands events on to everyone who listens.
#[derive(Debug, Clone)]
pub(super) struct Feed {
    sender: broadcast::Sender<Message>,
    runs: Arc<Mutex<HashMap<String, Run>>>,
    stopped: watch::Receiver<bool>,
}

/// The last report of a running count.
#[derive(Debug)]
struct Run {
    message: Message,
    at: Instant,
}

impl Feed {
    /// A feed that ends when `stopped` turns true.
    pub fn new(stopped: watch::Receiver<bool>) -> Feed {
        Feed { sender: broadcast::Sender::new(BACKLOG), runs: Arc::default(), stopped }
    }

    /// Tells of a new result.
    pub fn result(&self, summary: &Summary) {
        self.send(Message { name: "result", data: summary.to_json().into() });
    }

    /// Tells how far a count is.
    pub fn progress(&self, id: &str, progress: &Progress) {
        let mut data = progress.to_value();
        if let Some(fields) = data.as_object_mut() {
            fields.insert("id".into(), id.into());
        }
        let message = Message { name: "progress", data: data.to_string().into() };
        let mut runs = self.runs.lock().unwrap_or_else(PoisonError::into_inner);
        runs.retain(|_, run| run.at.elapsed() < SILENCE);
        if progress.state != RunState::Running {
            runs.remove(id);
        } else if runs.len() < MOST_RUNS || runs.contains_key(id) {
            runs.insert(id.into(), Run { message: message.clone(), at: Instant::now() });
        }
        drop(runs);
        self.send(message);
    }

    /// Nobody need be listening.
    fn send(&self, message: Message) {
        let _ = self.sender.send(message);
    }

    /// The last report of every running count, then everything that happens from now on.
    fn listen(&self) -> impl Stream<Item = Message> + use<> {
        let receiver = self.sender.subscribe();
        let mut runs = self.runs.lock().unwrap_or_else(PoisonError::into_inner);
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

/// Live events: `result`, a new document without its tasks, and `progress`, how far a count is.
///
/// Both have an `id`. Whoever connects hears first how far the running counts are.
#[utoipa::path(
    get,
    path = "/api/v1/events",
    responses((status = 200, description = "an endless stream", body = String, content_type = "text/event-stream")),
)]
pub(super) async fn stream(State(app): State<App>) -> Response {
    let events = app.feed.listen().map(|message| {
        Ok::<_, Infallible>(Event::default().event(message.name).data(&*message.data))
    });
    Sse::new(events).keep_alive(KeepAlive::default()).into_response()
}
