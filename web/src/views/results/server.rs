//! The server that the page came from, if it came from one: its list, its documents, its news.

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
use super::kept;
use crate::browser::{self, fetch, is_static_site, now};
use crate::worker::{Keeping, Why};

/// Relative, since the page may live under any path.
const RESULTS: &str = "api/v1/results";
const EVENTS: &str = "api/v1/events";

/// The server forgets a run that has been silent for a minute; so does the page.
const SILENCE: f64 = 60_000.0;

/// How often the page looks for silent runs, in milliseconds.
const LOOK: u32 = 5_000;

type Dispatcher = UseReducerDispatcher<Archive>;

/// A part of the server's list, and where the next one begins.
type Part = (Vec<Value>, Option<String>);

/// A part of the server's list; `before` is where an earlier part said that it goes on. The error
/// is what the server is instead of live.
async fn list(before: Option<&str>) -> Result<Part, Server> {
    let query = before.map(|before| format!("?before={before}")).unwrap_or_default();
    let part = part(fetch(&format!("{RESULTS}{query}")).await);
    // Static files that the browser has stored are shown without a network, too.
    if part == Err(Server::Lost) && is_static_site() { Err(Server::Absent) } else { part }
}

fn part(answer: Result<String, Option<u16>>) -> Result<Part, Server> {
    let text = answer.map_err(|status| match status {
        None => Server::Lost,
        // Thus hosts of static files say that there is no such file.
        Some(403..=405) => Server::Absent,
        Some(_) => Server::Strange,
    })?;
    // They may answer with a page, too.
    if text.trim_start().starts_with('<') {
        return Err(Server::Absent);
    }
    let mut list: Value = serde_json::from_str(&text).map_err(|_| Server::Strange)?;
    let next = list.get("next").and_then(Value::as_str).map(str::to_owned);
    let Some(Value::Array(mut results)) = list.get_mut("results").map(Value::take) else {
        return Err(Server::Strange);
    };
    // What the server cannot read is told with what the page cannot read.
    let unreadable = list.get("unreadable").and_then(Value::as_array).into_iter().flatten();
    results.extend(unreadable.map(|id| json!({ "id": id })));
    Ok((results, next))
}

/// What has become of a server that was there.
const fn lost(server: Server) -> Server {
    match server {
        Server::Absent => Server::Lost,
        other => other,
    }
}

/// Asks the server to remove a document; it need not be there any more. The error is the answer's
/// status, if there was one.
pub async fn remove(id: &str) -> Result<(), Option<u16>> {
    match browser::remove(&format!("{RESULTS}/{id}")).await {
        Err(Some(404)) => Ok(()),
        answer => answer,
    }
}

/// Asks for the part of the list that begins where the last one ended.
pub fn fetch_more(archive: Dispatcher, before: String) {
    spawn_local(async move {
        match list(Some(&before)).await {
            Ok((results, next)) => archive.dispatch(Change::More(results, next)),
            Err(server) => archive.dispatch(Change::Server(lost(server))),
        }
    });
}

/// Whether a name in an address can be one of the server's: a digest in hexadecimal.
pub fn is_id(id: &str) -> bool {
    id.len() == 64 && id.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Has a document read with its tasks; `on_missing` hears if the server has none.
pub fn fetch_document(archive: Dispatcher, id: String, on_missing: Callback<()>) {
    let what = Keeping::Fetch(format!("{RESULTS}/{id}"));
    let hear = move |_, found| match found {
        Err(Why::NoFile(_)) => on_missing.emit(()),
        found => archive.dispatch(Change::Whole(id.clone(), Box::new(found))),
    };
    kept::read(what, hear, || {});
}

/// Listens to the server for as long as the view is open. The callback asks it again at once.
#[hook]
pub fn use_server(archive: Dispatcher) -> Callback<()> {
    let connection = use_memo((), |()| Connection::new(archive));
    let connect = {
        let connection = Rc::clone(&connection);
        use_callback((), move |(), &()| connection.connect())
    };
    use_effect_with((), move |()| {
        connection.connect();
        let page = listen_while_seen(&connection);
        let look = {
            let archive = connection.archive.clone();
            Interval::new(LOOK, move || archive.dispatch(Change::Silent(now() - SILENCE)))
        };
        move || {
            connection.close();
            drop((look, page));
        }
    });
    connect
}

/// Ends the connection when the page is left, and begins it again when somebody comes back. A
/// browser may keep pages that were left, each with its connection, of which it allows six.
fn listen_while_seen(connection: &Rc<Connection>) -> Option<[EventListener; 2]> {
    let window = web_sys::window()?;
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

/// The pause before the next attempt to connect, in milliseconds, after this many failures in a
/// row: from one second to half a minute.
const fn pause(failures: u32) -> u32 {
    let doubled = if failures < 5 { failures } else { 5 };
    1_000 << doubled
}

/// The connection to the server: its list, then its events. A failed one is begun again after a
/// pause that doubles with each failure.
struct Connection {
    archive: Dispatcher,
    /// The number of the latest attempt. The answer to an earlier one is ignored.
    attempt: Cell<u32>,
    /// Failures since the server's events were last heard.
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

    /// Asks for the list and, if it comes, listens to the events.
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

    /// The server's events have begun. What happened before them stands in the list.
    fn opened(self: &Rc<Self>) {
        self.fetch_list(|this, found| match found {
            Ok((results, next)) => {
                this.failures.set(0);
                this.archive.dispatch(Change::List(results, next));
                this.archive.dispatch(Change::Server(Server::Live));
            }
            Err(server) => this.fail(lost(server)),
        });
    }

    /// Fetches the list and passes it on, unless another attempt has begun since.
    fn fetch_list(self: &Rc<Self>, then: impl FnOnce(&Rc<Self>, Result<Part, Server>) + 'static) {
        let (this, attempt) = (Rc::clone(self), self.attempt.get());
        spawn_local(async move {
            let found = list(None).await;
            if this.attempt.get() == attempt {
                then(&this, found);
            }
        });
    }

    /// Ends the connection, and tries again after a pause.
    fn fail(self: &Rc<Self>, server: Server) {
        self.close();
        self.archive.dispatch(Change::Server(server));
        let failures = self.failures.get();
        self.failures.set(failures.saturating_add(1));
        let this = Rc::clone(self);
        self.retry.replace(Some(Timeout::new(pause(failures), move || this.connect())));
    }

    /// Ends the connection, and any attempt at one.
    fn close(&self) {
        self.attempt.set(self.attempt.get().wrapping_add(1));
        drop(self.feed.take());
        drop(self.retry.take());
    }
}

/// The server's events. Dropping it ends the connection.
struct Feed {
    source: EventSource,
    _listeners: [EventListener; 5],
}

impl Feed {
    fn listen(connection: &Rc<Connection>) -> Option<Feed> {
        let source = EventSource::new(EVENTS).ok()?;
        let on = |name: &'static str, take: fn(Value) -> Change| {
            let archive = connection.archive.clone();
            EventListener::new(&source, name, move |event| {
                if let Some(value) = event.dyn_ref::<MessageEvent>().and_then(data) {
                    archive.dispatch(take(value));
                }
            })
        };
        let result = on("result", Change::Result);
        let progress = on("progress", |report| Change::Report(report, now()));
        let removed = on("removed", |news| {
            Change::Removed(news.get("id").and_then(Value::as_str).unwrap_or_default().to_owned())
        });
        let opened = {
            let connection = Rc::clone(connection);
            EventListener::new(&source, "open", move |_| connection.opened())
        };
        // The browser would connect again by itself, but not after every error.
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
    fn a_bad_answer_is_not_taken_for_no_server() {
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
    fn the_pause_doubles_up_to_half_a_minute() {
        let pauses = [0, 1, 2, 5, 6, u32::MAX].map(pause);
        assert_eq!(pauses, [1_000, 2_000, 4_000, 32_000, 32_000, 32_000]);
    }

    #[test]
    fn only_digests_are_asked_for() {
        assert!(is_id(&"0123456789abcdef".repeat(4)));
        assert!(!is_id("file-1"));
        assert!(!is_id(&"../".repeat(30)));
        assert!(!is_id(&"g".repeat(64)));
    }
}
