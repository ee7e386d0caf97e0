//! The client of the worker that coordinates the count. The count keeps running while other views are
//! open.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use gloo_events::{EventListener, EventListenerOptions};
use gloo_timers::callback::Interval;
use js_sys::Reflect;
use yew::prelude::*;

use crate::address::View;
use crate::browser::window;
use crate::words::{Language, tr};
use crate::worker::{
    Answer, Client, CountCommand, CountEvent, CountStatus, FinishedRow, Phase, Ticket,
};

/// The latest state of the count that the worker has reported.
#[derive(Clone, Default, PartialEq)]
pub struct CountSnapshot {
    pub status: Rc<CountStatus>,
    /// The finished rows.
    pub rows: Rc<[FinishedRow]>,
}

/// Receives result documents, each with the name of a file.
type OnDocuments = Box<dyn FnOnce(Vec<(String, String)>)>;

/// The interval between two checks that the worker of a running count still reports, in milliseconds.
const CHECK_INTERVAL: u32 = 5000;

/// The number of checks without a report after which the worker counts as silent. They are counted instead of
/// the time, because a computer that wakes up runs the check that is due before the reports that are.
const MISSED_CHECKS: u32 = 3;

/// The checks since the last report of the worker, which reports about ten times a second while a count runs.
#[derive(Default)]
struct Silence(Cell<u32>);

impl Silence {
    /// Ends the silence. Returns whether it was long.
    fn end(&self) -> bool {
        self.0.replace(0) >= MISSED_CHECKS
    }

    /// Counts a check. Returns whether the silence has become long.
    fn check(&self) -> bool {
        self.0.set(self.0.get() + 1);
        self.0.get() == MISSED_CHECKS
    }
}

/// The connection to the coordinating worker.
struct CountClient {
    client: Client,
    latest: RefCell<CountSnapshot>,
    /// Renders the Count view again, if it is open.
    render: RefCell<Option<Callback<()>>>,
    /// The listener that asks for confirmation before the user leaves the page. Set while a count
    /// runs.
    leave_listener: RefCell<Option<EventListener>>,
    /// The timer of the checks that the worker still reports. Set while a count runs.
    checks: RefCell<Option<Interval>>,
    silence: Silence,
    /// Receives the documents of all rows, which the page has requested.
    on_documents: Cell<Option<OnDocuments>>,
    /// The subscription to the count, for as long as the page lives.
    subscription: Cell<Option<Ticket>>,
}

thread_local! {
    static COUNT_CLIENT: Rc<CountClient> = CountClient::start();
}

impl CountClient {
    fn start() -> Rc<CountClient> {
        let client = Client::spawn();
        let count = Rc::new(CountClient {
            client: client.clone(),
            latest: RefCell::default(),
            render: RefCell::default(),
            leave_listener: RefCell::default(),
            checks: RefCell::default(),
            silence: Silence::default(),
            on_documents: Cell::default(),
            subscription: Cell::default(),
        });
        let receiver = Rc::clone(&count);
        count.subscription.set(Some(client.watch(move |answer| receiver.on_answer(answer))));
        count
    }

    fn on_answer(self: &Rc<Self>, answer: Answer) {
        if self.silence.end() {
            self.client.record_silence(false);
        }
        match answer {
            Answer::Count(CountEvent::Status(status)) => {
                let is_active = matches!(status.phase, Phase::Running | Phase::Pausing);
                let has_listener = self.leave_listener.borrow().is_some();
                if is_active != has_listener {
                    self.leave_listener.replace(is_active.then(ask_before_leaving).flatten());
                }
                if is_active != self.checks.borrow().is_some() {
                    self.checks.replace(is_active.then(|| self.start_checks()));
                }
                // The language may have changed.
                if is_active || has_listener {
                    mark_link(is_active);
                }
                self.latest.borrow_mut().status = (*status).into();
            }
            Answer::Count(CountEvent::Rows(rows)) => {
                self.latest.borrow_mut().rows = rows.into();
            }
            Answer::Count(CountEvent::Documents(documents)) => {
                if let Some(on_documents) = self.on_documents.take() {
                    on_documents(documents);
                }
            }
            _ => {}
        }
        if let Some(render) = &*self.render.borrow() {
            render.emit(());
        }
    }

    /// Starts to check that the worker reports. A worker that the browser has terminated raises no error.
    fn start_checks(self: &Rc<Self>) -> Interval {
        let count = Rc::downgrade(self);
        Interval::new(CHECK_INTERVAL, move || {
            if let Some(count) = count.upgrade().filter(|count| count.silence.check()) {
                // Leaving the page loses nothing that still runs.
                count.leave_listener.take();
                count.client.record_silence(true);
            }
        })
    }
}

/// Makes the browser ask before the user leaves the page, in its own words.
fn ask_before_leaving() -> Option<EventListener> {
    let window = window()?;
    let options = EventListenerOptions::enable_prevent_default();
    let ask = |event: &Event| {
        event.prevent_default();
        // Older browsers require this property, too.
        let _ = Reflect::set(event, &"returnValue".into(), &true.into());
    };
    Some(EventListener::new_with_options(&window, "beforeunload", options, ask))
}

/// Marks the link to the Count view in the top bar while a count runs, because other views show nothing of
/// it. The bar is in the first download, so it must not know of counts: the stylesheet of this view draws a
/// dot on a link that has a description.
fn mark_link(is_counting: bool) -> Option<()> {
    let document = window()?.document()?;
    let link = document.get_element_by_id(&format!("view-{}", View::Count.id()))?;
    if is_counting {
        let language = Language::of_tag(&document.document_element()?.get_attribute("lang")?);
        let title = tr!(language, "count.running");
        if link.get_attribute("title").as_ref() != Some(&title) {
            link.set_attribute("title", &title).ok()?;
        }
        Some(())
    } else {
        link.remove_attribute("title").ok()
    }
}

/// Sets the state of the count, in tests on the host, which have no worker.
#[cfg(all(test, not(target_family = "wasm")))]
pub fn set_snapshot(snapshot: CountSnapshot) {
    COUNT_CLIENT.with(|count| count.latest.replace(snapshot));
}

/// Sends a command to the count.
pub fn send_command(command: CountCommand) {
    COUNT_CLIENT.with(|count| count.client.send_command(command));
}

/// Requests the result documents of all finished rows that passed their checks, each with the name of a file.
pub fn request_documents(on_documents: impl FnOnce(Vec<(String, String)>) + 'static) {
    COUNT_CLIENT.with(|count| count.on_documents.set(Some(Box::new(on_documents))));
    send_command(CountCommand::SendDocuments);
}

/// Returns the latest state of the count. The component renders again when the state changes.
#[hook]
pub fn use_count() -> CountSnapshot {
    let update = use_force_update();
    use_effect_with((), move |()| {
        let render = Callback::from(move |()| update.force_update());
        COUNT_CLIENT.with(|count| count.render.replace(Some(render)));
        || drop(COUNT_CLIENT.with(|count| count.render.take()))
    });
    COUNT_CLIENT.with(|count| count.latest.borrow().clone())
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;

    #[test]
    fn a_worker_is_silent_once_it_has_missed_several_checks() {
        let silence = Silence::default();
        let checks = || (0..4).map(|_| silence.check()).collect::<Vec<_>>();
        assert_eq!(checks(), [false, false, true, false]);
        assert!(silence.end());
        assert!(!silence.end());
        assert!(!silence.check() && !silence.check() && !silence.end());
        assert_eq!(checks(), [false, false, true, false]);
    }
}
