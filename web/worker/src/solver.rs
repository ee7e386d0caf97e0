//! The worker's message loop: receives requests, gives jobs their time slices, and sends answers.

use std::{cell::RefCell, rc::Rc};

use wasm_bindgen::{JsCast, JsValue, prelude::Closure};
use wasm_bindgen_futures::spawn_local;
use web_sys::{DedicatedWorkerGlobalScope, MessageChannel, MessageEvent};

use crate::{
    clock,
    count::{Coordinator, Event},
    jobs::Jobs,
    protocol::{Call, Reply, RequestId, decode, encode, ready},
    results::{Documents, process_files},
    searches,
};

/// Runs a worker that the page started.
pub fn serve_page() {
    let Ok(scope) = js_sys::global().dyn_into::<DedicatedWorkerGlobalScope>() else { return };
    let page = Page(scope);
    let solver = Rc::new(RefCell::new(Solver {
        page: page.clone(),
        jobs: Jobs::default(),
        bell: None,
        documents: Rc::default(),
        coordinator: None,
    }));
    let bell = {
        let solver = Rc::clone(&solver);
        Bell::new(move || solver.borrow_mut().slice())
    };
    solver.borrow_mut().bell = bell;
    let on_message = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
        // Decoding cannot fail: page and worker come from the same build.
        if let Some(call) = decode(&event.data()) {
            Solver::handle(&solver, call);
        }
    });
    page.0.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    // The closure must live as long as the worker.
    on_message.forget();
    page.post(&ready());
}

/// The worker's handle to the page.
#[derive(Clone)]
struct Page(DedicatedWorkerGlobalScope);

impl Page {
    fn post(&self, message: &JsValue) {
        // Posting fails only for values that cannot be cloned; bytes can be cloned.
        let _ = self.0.post_message(message);
    }

    fn reply(&self, reply: &Reply) {
        if let Some(message) = encode(reply) {
            self.post(&message);
        }
    }
}

/// The state of the worker.
struct Solver {
    page: Page,
    jobs: Jobs<RequestId>,
    bell: Option<Bell>,
    /// The documents that the Results view shows.
    documents: Rc<RefCell<Documents>>,
    /// Set only in the worker that coordinates a count.
    coordinator: Option<Coordinator>,
}

impl Solver {
    fn handle(this: &Rc<RefCell<Solver>>, call: Call) {
        let mut solver = this.borrow_mut();
        match call {
            Call::Count(id, command) => {
                let page = solver.page.clone();
                solver
                    .coordinator
                    .get_or_insert_with(|| start_coordinator(this, page))
                    .on_command(command, id);
            }
            Call::Request(id, request) => {
                let was_idle = solver.jobs.is_empty();
                let job = searches::job(&request, &solver.documents.borrow());
                solver.jobs.start(id, job);
                // A worker that was busy has already scheduled the next slice.
                if was_idle {
                    solver.ring_if_busy();
                }
            }
            Call::Files(id, request) => {
                let (page, documents) = (solver.page.clone(), Rc::clone(&solver.documents));
                spawn_local(async move {
                    process_files(request, documents, |answer| page.reply(&Reply { id, answer }))
                        .await;
                });
            }
            Call::Release(document) => solver.documents.borrow_mut().release(document),
            Call::Stop(id) => {
                solver.jobs.stop(|&key| key == id);
                if let Some(coordinator) = &mut solver.coordinator {
                    coordinator.remove_watcher(id);
                }
            }
        }
    }

    /// Gives one job a time slice.
    fn slice(&mut self) {
        let page = &self.page;
        self.jobs.run_slice(clock::now, |id, answer| page.reply(&Reply { id, answer }));
        self.ring_if_busy();
    }

    fn ring_if_busy(&self) {
        if let Some(bell) = &self.bell
            && !self.jobs.is_empty()
        {
            bell.ring();
        }
    }
}

/// Creates a coordinator whose replies go to the page. Its events arrive after the current code has
/// returned.
fn start_coordinator(solver: &Rc<RefCell<Solver>>, page: Page) -> Coordinator {
    let solver = Rc::clone(solver);
    let send = move |event: Event| {
        let solver = Rc::clone(&solver);
        spawn_local(async move {
            if let Some(coordinator) = &mut solver.borrow_mut().coordinator {
                coordinator.on_event(event);
            }
        });
    };
    Coordinator::new(send, move |reply| page.reply(&reply))
}

/// A message channel from the worker to itself, which schedules the next slice. The message passes
/// through the event loop, so that pending messages of the page are handled first. A promise would
/// resolve before those messages, and a timer would add four milliseconds to each slice.
struct Bell {
    channel: MessageChannel,
    /// The browser calls this closure for as long as the worker lives.
    _on_message: Closure<dyn Fn(JsValue)>,
}

impl Bell {
    fn new(on_ring: impl Fn() + 'static) -> Option<Bell> {
        let channel = MessageChannel::new().ok()?;
        let on_message = Closure::<dyn Fn(JsValue)>::new(move |_: JsValue| on_ring());
        channel.port1().set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        Some(Bell { channel, _on_message: on_message })
    }

    fn ring(&self) {
        // Posting fails only for values that cannot be cloned; this message is empty.
        let _ = self.channel.port2().post_message(&JsValue::NULL);
    }
}
