//! The worker's end of the conversation: takes calls, gives the jobs their time, answers.

use std::{cell::RefCell, rc::Rc};

use gloo_worker::{HandlerId, Worker, WorkerScope};
use wasm_bindgen::{JsCast, JsValue, prelude::Closure};
use wasm_bindgen_futures::spawn_local;
use web_sys::MessageChannel;

use crate::{
    clock,
    count::{Event, Leader},
    jobs::Jobs,
    protocol::{Call, Reply, RequestId},
    results::{Documents, keep},
    searches,
};

/// The worker's side of the conversation.
pub struct Solver {
    jobs: Jobs<(HandlerId, RequestId)>,
    bell: Option<Bell>,
    /// What the page shows in Results.
    documents: Rc<RefCell<Documents>>,
    /// Only in the worker that leads a count in several.
    leader: Option<Leader>,
}

impl Worker for Solver {
    type Input = Call;
    type Message = Message;
    type Output = Reply;

    fn create(scope: &WorkerScope<Self>) -> Self {
        let (jobs, documents) = (Jobs::default(), Rc::default());
        Self { jobs, bell: Bell::new(scope), documents, leader: None }
    }

    fn update(&mut self, scope: &WorkerScope<Self>, message: Message) {
        if let Message::Count(event) = message {
            if let Some(leader) = &mut self.leader {
                leader.take(event);
            }
            return;
        }
        self.jobs.slice(clock::now, |(asker, id), answer| {
            scope.respond(asker, Reply { id, answer });
        });
        self.ring_if_busy();
    }

    fn received(&mut self, scope: &WorkerScope<Self>, call: Call, asker: HandlerId) {
        match call {
            Call::Count(id, command) => {
                let leader = self.leader.get_or_insert_with(|| lead(scope));
                leader.hear(command, asker, id);
            }
            Call::Ask(id, request) => {
                let was_idle = self.jobs.is_empty();
                self.jobs.start((asker, id), searches::job(&request, &self.documents.borrow()));
                // Otherwise the bell rings already.
                if was_idle {
                    self.ring_if_busy();
                }
            }
            Call::Keep(id, what) => {
                let (out, documents) = (scope.clone(), Rc::clone(&self.documents));
                spawn_local(async move {
                    keep(what, documents, |answer| out.respond(asker, Reply { id, answer })).await;
                });
            }
            Call::LetGo(document) => self.documents.borrow_mut().let_go(document),
            Call::Stop(id) => {
                self.jobs.stop(|&key| key == (asker, id));
                if let Some(leader) = &mut self.leader {
                    leader.leave(|of, watched| (of, watched) == (asker, id));
                }
            }
        }
    }

    fn disconnected(&mut self, _scope: &WorkerScope<Self>, asker: HandlerId) {
        self.jobs.stop(|&(of, _)| of == asker);
        if let Some(leader) = &mut self.leader {
            leader.leave(|of, _| of == asker);
        }
    }
}

/// A leader whose events and replies go the way of this worker.
fn lead(scope: &WorkerScope<Solver>) -> Leader {
    let (own, out) = (scope.clone(), scope.clone());
    Leader::new(
        move |event| own.send_message(Message::Count(event)),
        move |asker, reply| out.respond(asker, reply),
    )
}

impl Solver {
    fn ring_if_busy(&self) {
        if let Some(bell) = &self.bell
            && !self.jobs.is_empty()
        {
            bell.ring();
        }
    }
}

/// What the worker tells itself.
pub enum Message {
    /// Time for the next slice.
    Continue,
    /// Something has happened to the count that it leads.
    Count(Event),
}

/// The worker's message to itself. It takes the way of the page's messages, through the event
/// loop, and so lets those that have arrived meanwhile pass; a promise would not, and a timer
/// would cost four milliseconds each time.
struct Bell {
    channel: MessageChannel,
    /// Called by the browser for as long as the worker lives.
    _on_message: Closure<dyn Fn(JsValue)>,
}

impl Bell {
    fn new(scope: &WorkerScope<Solver>) -> Option<Bell> {
        let channel = MessageChannel::new().ok()?;
        let scope = scope.clone();
        let on_message = Closure::<dyn Fn(JsValue)>::new(move |_: JsValue| {
            scope.send_message(Message::Continue);
        });
        channel.port1().set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        Some(Bell { channel, _on_message: on_message })
    }

    fn ring(&self) {
        // Fails only for messages that cannot be copied; there is nothing in this one.
        let _ = self.channel.port2().post_message(&JsValue::NULL);
    }
}
