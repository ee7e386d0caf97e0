//! The server that the page came from, if it came from one: its list, its documents, its news.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use gloo_events::EventListener;
use gloo_timers::callback::Interval;
use serde_json::{Value, json};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::spawn_local;
use web_sys::{EventSource, MessageEvent};
use yew::prelude::*;

use super::archive::{Archive, Change, Server};
use super::kept;
use crate::browser::{self, fetch, now};
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
    part(fetch(&format!("{RESULTS}{query}")).await)
}

fn part(answer: Result<String, Option<u16>>) -> Result<Part, Server> {
    let text = answer.map_err(|status| match status {
        // Thus hosts of static files say that there is no such file.
        None | Some(403..=405) => Server::Absent,
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

/// Listens to the server for as long as the view is open.
#[hook]
pub fn use_server(archive: Dispatcher) {
    use_effect_with((), move |()| {
        let open = Rc::new(Cell::new(true));
        let feed = Rc::new(RefCell::new(None::<Feed>));
        {
            let (open, feed, archive) = (Rc::clone(&open), Rc::clone(&feed), archive.clone());
            spawn_local(async move {
                let found = list(None).await;
                if !open.get() {
                    return;
                }
                let server = match found {
                    Ok((results, next)) => {
                        archive.dispatch(Change::List(results, next));
                        Server::Live
                    }
                    Err(server) => server,
                };
                archive.dispatch(Change::Server(server));
                if server != Server::Absent {
                    *feed.borrow_mut() = Feed::listen(&archive);
                }
            });
        }
        let page = {
            let (feed, archive) = (Rc::clone(&feed), archive.clone());
            listen_while_seen(feed, archive)
        };
        let look = Interval::new(LOOK, move || {
            archive.dispatch(Change::Silent(now() - SILENCE));
        });
        move || {
            open.set(false);
            drop(feed.borrow_mut().take());
            drop((look, page));
        }
    });
}

/// Ends the connection when the page is left, and begins it again when somebody comes back. A
/// browser may keep pages that were left, each with its connection, of which it allows six.
fn listen_while_seen(
    feed: Rc<RefCell<Option<Feed>>>,
    archive: Dispatcher,
) -> Option<[EventListener; 2]> {
    let window = web_sys::window()?;
    let waits = Rc::new(Cell::new(false));
    let left = {
        let (feed, waits) = (Rc::clone(&feed), Rc::clone(&waits));
        EventListener::new(&window, "pagehide", move |_| waits.set(feed.take().is_some()))
    };
    let back = EventListener::new(&window, "pageshow", move |_| {
        if waits.take() {
            feed.replace(Feed::listen(&archive));
        }
    });
    Some([left, back])
}

/// The server's events. Dropping it ends the connection.
struct Feed {
    source: EventSource,
    _listeners: [EventListener; 5],
}

impl Feed {
    fn listen(archive: &Dispatcher) -> Option<Feed> {
        let source = EventSource::new(EVENTS).ok()?;
        let on = |name: &'static str, take: fn(Value) -> Change| {
            let archive = archive.clone();
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
        // What happened while there was no connection stands in the list.
        let opened = {
            let archive = archive.clone();
            EventListener::new(&source, "open", move |_| {
                let archive = archive.clone();
                spawn_local(async move {
                    let server = match list(None).await {
                        Ok((results, next)) => {
                            archive.dispatch(Change::List(results, next));
                            Server::Live
                        }
                        Err(server) => lost(server),
                    };
                    archive.dispatch(Change::Server(server));
                });
            })
        };
        // The browser connects again by itself.
        let lost = {
            let archive = archive.clone();
            EventListener::new(&source, "error", move |_| {
                archive.dispatch(Change::Server(Server::Lost));
            })
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
        let [strange, absent] = [Server::Strange, Server::Absent].map(Err);
        assert_eq!(statuses, [absent.clone(), absent, strange.clone(), strange]);
    }

    #[test]
    fn only_digests_are_asked_for() {
        assert!(is_id(&"0123456789abcdef".repeat(4)));
        assert!(!is_id("file-1"));
        assert!(!is_id(&"../".repeat(30)));
        assert!(!is_id(&"g".repeat(64)));
    }
}
