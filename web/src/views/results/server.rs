//! The client of the results API: the list, the documents and the events of the page's own server.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use gloo_events::EventListener;
use gloo_timers::callback::{Interval, Timeout};
use serde_json::{Value, json};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::spawn_local;
use web_sys::{EventSource, MessageEvent};
use yew::prelude::*;

use super::archive::{Archive, Change, Server};
use super::entry::ReadOutcome;
use super::stored_files;
use crate::browser::{fetch, is_static_site, now, window};
use crate::worker::FileRequest;

/// The paths are relative, because the page may be served under any path.
const RESULTS: &str = "api/v1/results";
const EVENTS: &str = "api/v1/events";

/// The time without a report after which a run is removed, in milliseconds. The server uses the
/// same time.
const SILENCE: f64 = 60_000.0;

/// The interval between checks for silent runs, in milliseconds.
const CHECK_INTERVAL: u32 = 5_000;

type Dispatcher = UseReducerDispatcher<Archive>;

/// A part of the server's list, and the cursor of the next part.
type Part = (Vec<Value>, Option<String>);

/// Fetches a part of the server's list. `before` is the cursor that came with the previous part, or
/// `None` for the first part. The error is the state of the server.
async fn list(before: Option<&str>) -> Result<Part, Server> {
    let query = before.map(|before| format!("?before={before}")).unwrap_or_default();
    let part = part(fetch(&format!("{RESULTS}{query}")).await);
    // A static site also opens without a network, from the copy that the browser has stored. In
    // this case, too, the site has no server.
    if part == Err(Server::Lost) && is_static_site() { Err(Server::Absent) } else { part }
}

fn part(answer: Result<String, Option<u16>>) -> Result<Part, Server> {
    let text = answer.map_err(|status| match status {
        None => Server::Lost,
        // Hosts of static files answer with these statuses if a file does not exist.
        Some(403..=405) => Server::Absent,
        Some(_) => Server::Strange,
    })?;
    // Some hosts of static files answer with an HTML page instead.
    if text.trim_start().starts_with('<') {
        return Err(Server::Absent);
    }
    let mut list: Value = serde_json::from_str(&text).map_err(|_| Server::Strange)?;
    let next = list.get("next").and_then(Value::as_str).map(str::to_owned);
    let Some(Value::Array(mut results)) = list.get_mut("results").map(Value::take) else {
        return Err(Server::Strange);
    };
    // Documents that the server cannot read are reported as rejected, like those that the page
    // cannot read.
    let unreadable = list.get("unreadable").and_then(Value::as_array).into_iter().flatten();
    results.extend(unreadable.map(|id| json!({ "id": id })));
    Ok((results, next))
}

/// Returns the state of a server that has answered before. Such a server can be lost, but not
/// absent.
const fn lost(server: Server) -> Server {
    match server {
        Server::Absent => Server::Lost,
        other => other,
    }
}

/// Fetches a further part of the list. `before` is the cursor that came with the previous part.
pub fn fetch_more(archive: Dispatcher, before: String) {
    spawn_local(async move {
        match list(Some(&before)).await {
            Ok((results, next)) => archive.dispatch(Change::More(results, next)),
            Err(server) => archive.dispatch(Change::Server(lost(server))),
        }
    });
}

/// Whether an id in an address has the form of the server's ids: a digest in hexadecimal.
pub fn is_id(id: &str) -> bool {
    id.len() == 64 && id.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Fetches those of these documents of which the page lacks the tasks, because it does not list them or because the
/// list omits the tasks, and again when a lost server answers.
#[hook]
pub fn use_documents(archive: &UseReducerHandle<Archive>, ids: &[&str]) {
    let has_tasks = |id: &str| archive.find(id).is_some_and(|entry| entry.document.is_some());
    let lacking = ids.iter().filter(|id| is_id(id) && !has_tasks(id));
    let lacking: Vec<String> = lacking.map(|&id| id.to_owned()).collect();
    let is_lost = archive.server == Server::Lost;
    let archive = archive.dispatcher();
    use_effect_with((lacking, is_lost), move |(lacking, _)| {
        for id in lacking {
            let (archive, id) = (archive.clone(), id.clone());
            let what = FileRequest::Fetch(format!("{RESULTS}/{id}"));
            let on_files = move |files: Vec<(String, ReadOutcome)>| {
                for (_, found) in files {
                    archive.dispatch(Change::DocumentRead(id.clone(), Box::new(found)));
                }
            };
            stored_files::read(what, on_files, || {});
        }
    });
}

/// Listens to the server while the view is open. The returned callback reconnects immediately.
#[hook]
pub fn use_server(archive: Dispatcher) -> Callback<()> {
    let connection = use_memo((), |()| Connection::new(archive));
    let connect = {
        let connection = Rc::clone(&connection);
        use_callback((), move |(), &()| connection.connect())
    };
    use_effect_with((), move |()| {
        connection.connect();
        let page = follow_page_visibility(&connection);
        let silence_check = {
            let archive = connection.archive.clone();
            Interval::new(CHECK_INTERVAL, move || {
                archive.dispatch(Change::RemoveStaleRuns(now() - SILENCE));
            })
        };
        move || {
            connection.close();
            drop((silence_check, page));
        }
    });
    connect
}

/// Closes the connection when the user leaves the page, and reconnects when the user returns. A
/// browser may keep a page that was left, with its connection, in the back/forward cache. There the
/// connection would still count towards the limit of six connections to a server.
fn follow_page_visibility(connection: &Rc<Connection>) -> Option<[EventListener; 2]> {
    let window = window()?;
    let was_left = Rc::new(Cell::new(false));
    let left = {
        let (connection, was_left) = (Rc::clone(connection), Rc::clone(&was_left));
        EventListener::new(&window, "pagehide", move |_| {
            was_left.set(true);
            connection.close();
        })
    };
    let connection = Rc::clone(connection);
    let back = EventListener::new(&window, "pageshow", move |_| {
        if was_left.take() && !connection.is_absent.get() {
            connection.connect();
        }
    });
    Some([left, back])
}

/// Returns the pause before the next attempt to connect, in milliseconds, after `failures`
/// consecutive failures: from 1 to 32 seconds.
const fn pause(failures: u32) -> u32 {
    let doubled = if failures < 5 { failures } else { 5 };
    1_000 << doubled
}

/// The connection to the server, which fetches the list and then listens to the events. After a
/// failure it reconnects; the pause doubles with each failure.
struct Connection {
    archive: Dispatcher,
    /// The number of the latest attempt to connect. Answers to earlier attempts are ignored.
    attempt: Cell<u32>,
    /// The number of failures since the server was last [live](Server::Live).
    failures: Cell<u32>,
    /// Whether the page has no server.
    is_absent: Cell<bool>,
    feed: RefCell<Option<Feed>>,
    retry: RefCell<Option<Timeout>>,
}

impl Connection {
    fn new(archive: Dispatcher) -> Rc<Connection> {
        Rc::new(Connection {
            archive,
            attempt: Cell::default(),
            failures: Cell::default(),
            is_absent: Cell::default(),
            feed: RefCell::default(),
            retry: RefCell::default(),
        })
    }

    /// Fetches the list and, on success, listens to the events.
    fn connect(self: &Rc<Self>) {
        self.close();
        self.fetch_list(|this, found| match found {
            Ok((results, next)) => {
                this.archive.dispatch(Change::List(results, next));
                match Feed::listen(this) {
                    Some(feed) => drop(this.feed.replace(Some(feed))),
                    None => this.fail(Server::Lost),
                }
            }
            Err(Server::Absent) => {
                this.is_absent.set(true);
                this.archive.dispatch(Change::Server(Server::Absent));
            }
            Err(server) => this.fail(server),
        });
    }

    /// Called when the event stream has opened. Fetches the list again, which includes the changes
    /// before the stream opened.
    fn on_open(self: &Rc<Self>) {
        self.fetch_list(|this, found| match found {
            Ok((results, next)) => {
                this.failures.set(0);
                this.archive.dispatch(Change::List(results, next));
                this.archive.dispatch(Change::Server(Server::Live));
            }
            Err(server) => this.fail(lost(server)),
        });
    }

    /// Fetches the list and passes it to `then`, unless another attempt has started in the
    /// meantime.
    fn fetch_list(self: &Rc<Self>, then: impl FnOnce(&Rc<Self>, Result<Part, Server>) + 'static) {
        let (this, attempt) = (Rc::clone(self), self.attempt.get());
        spawn_local(async move {
            let found = list(None).await;
            if this.attempt.get() == attempt {
                then(&this, found);
            }
        });
    }

    /// Closes the connection, and reconnects after a pause.
    fn fail(self: &Rc<Self>, server: Server) {
        self.close();
        self.archive.dispatch(Change::Server(server));
        let failures = self.failures.get();
        self.failures.set(failures.saturating_add(1));
        let this = Rc::clone(self);
        self.retry.replace(Some(Timeout::new(pause(failures), move || this.connect())));
    }

    /// Closes the connection and cancels any attempt to connect.
    fn close(&self) {
        self.attempt.set(self.attempt.get().wrapping_add(1));
        drop(self.feed.take());
        drop(self.retry.take());
    }
}

/// The server's event stream. Dropping it closes the connection.
struct Feed {
    source: EventSource,
    _listeners: [EventListener; 5],
}

impl Feed {
    fn listen(connection: &Rc<Connection>) -> Option<Feed> {
        let source = EventSource::new(EVENTS).ok()?;
        let on = |name: &'static str, to_change: fn(Value) -> Change| {
            let archive = connection.archive.clone();
            EventListener::new(&source, name, move |event| {
                if let Some(value) = event.dyn_ref::<MessageEvent>().and_then(data) {
                    archive.dispatch(to_change(value));
                }
            })
        };
        let result = on("result", Change::Result);
        let progress = on("progress", |report| Change::Report(report, now()));
        let removed = on("removed", |event| {
            Change::Removed(event.get("id").and_then(Value::as_str).unwrap_or_default().to_owned())
        });
        let opened = {
            let connection = Rc::clone(connection);
            EventListener::new(&source, "open", move |_| connection.on_open())
        };
        // The browser reconnects by itself after some errors only.
        let lost = {
            let connection = Rc::clone(connection);
            EventListener::new(&source, "error", move |_| connection.fail(Server::Lost))
        };
        Some(Feed { source, _listeners: [result, progress, removed, opened, lost] })
    }
}

impl Drop for Feed {
    fn drop(&mut self) {
        self.source.close();
    }
}

fn data(event: &MessageEvent) -> Option<Value> {
    serde_json::from_str(&event.data().as_string()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distinguishes_a_bad_response_from_no_server() {
        let text = |text: &str| part(Ok(text.to_owned()));
        assert_eq!(text("\n<!doctype html>"), Err(Server::Absent));
        assert_eq!(text("{\"results\": [{"), Err(Server::Strange));
        assert_eq!(text("{\"results\": 7}"), Err(Server::Strange));
        assert_eq!(text(""), Err(Server::Strange));
        assert_eq!(text("{\"results\": [], \"next\": \"7\"}"), Ok((vec![], Some("7".into()))));
        assert_eq!(
            text("{\"results\": [], \"unreadable\": [\"ab\"], \"next\": null}"),
            Ok((vec![json!({ "id": "ab" })], None))
        );
        let statuses = [None, Some(404), Some(500), Some(421)].map(|status| part(Err(status)));
        let [lost, absent, strange] = [Server::Lost, Server::Absent, Server::Strange].map(Err);
        assert_eq!(statuses, [lost, absent, strange.clone(), strange]);
    }

    #[test]
    fn retry_pauses_double_up_to_32_seconds() {
        let pauses = [0, 1, 2, 5, 6, u32::MAX].map(pause);
        assert_eq!(pauses, [1_000, 2_000, 4_000, 32_000, 32_000, 32_000]);
    }

    #[test]
    fn requests_only_ids_that_are_digests() {
        assert!(is_id(&"0123456789abcdef".repeat(4)));
        assert!(!is_id("file-1"));
        assert!(!is_id(&"../".repeat(30)));
        assert!(!is_id(&"g".repeat(64)));
    }
}
