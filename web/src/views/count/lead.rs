//! The client of the counting worker. The count keeps running while other views are open.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use gloo_events::{EventListener, EventListenerOptions};
use js_sys::Reflect;
use yew::prelude::*;

use crate::browser::{download, window};
use crate::worker::{
    Answer, Client, CountCommand, CountEvent, CountStatus, FinishedRow, Phase, Ticket,
};

/// The latest state of the count.
#[derive(Clone, Default, PartialEq)]
pub struct Known {
    /// The phase and the progress of the count.
    pub standing: Rc<CountStatus>,
    pub lines: Rc<[FinishedRow]>,
}

/// The connection to the coordinating worker.
struct CountClient {
    client: Client,
    latest: RefCell<Known>,
    /// Renders the Count view again, if it is open.
    draw: RefCell<Option<Callback<()>>>,
    /// The listener that asks for confirmation before the user leaves the page while a count runs.
    leaving: RefCell<Option<EventListener>>,
    /// The subscription to the count, for as long as the page lives.
    watch: Cell<Option<Ticket>>,
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
            draw: RefCell::default(),
            leaving: RefCell::default(),
            watch: Cell::default(),
        });
        let receiver = Rc::clone(&count);
        count.watch.set(Some(client.watch(move |answer| receiver.on_answer(answer))));
        count
    }

    fn on_answer(&self, answer: Answer) {
        match answer {
            Answer::Count(CountEvent::Standing(standing)) => {
                let goes_on = matches!(standing.phase, Phase::Running | Phase::Pausing);
                let asks = self.leaving.borrow().is_some();
                if goes_on != asks {
                    self.leaving.replace(goes_on.then(ask_before_leaving).flatten());
                }
                self.latest.borrow_mut().standing = (*standing).into();
            }
            Answer::Count(CountEvent::Lines(lines)) => {
                self.latest.borrow_mut().lines = lines.into();
            }
            Answer::Count(CountEvent::File { name, kind, text }) => {
                download::file(&name, &kind, &text);
            }
            _ => {}
        }
        if let Some(draw) = &*self.draw.borrow() {
            draw.emit(());
        }
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

/// Sets the state of the count, in tests on the host, which have no worker.
#[cfg(all(test, not(target_family = "wasm")))]
pub fn set_known(known: Known) {
    COUNT_CLIENT.with(|count| count.latest.replace(known));
}

/// Sends a command to the count.
pub fn tell(command: CountCommand) {
    COUNT_CLIENT.with(|count| count.client.tell(command));
}

/// Returns the latest state of the count. The component renders again when the state changes.
#[hook]
pub fn use_count() -> Known {
    let update = use_force_update();
    use_effect_with((), move |()| {
        let draw = Callback::from(move |()| update.force_update());
        COUNT_CLIENT.with(|count| count.draw.replace(Some(draw)));
        || drop(COUNT_CLIENT.with(|count| count.draw.take()))
    });
    COUNT_CLIENT.with(|count| count.latest.borrow().clone())
}
