//! The worker: everything that takes longer than a frame runs here.

use gloo_worker::{HandlerId, Spawnable, Worker, WorkerBridge, WorkerScope};
use serde::{Deserialize, Serialize};

/// The script that starts the module, for the page and for the worker alike.
///
/// A file of its own rather than a generated `blob:` address, so that the
/// page's Content-Security-Policy can say `worker-src 'self'`.
const LOADER: &str = "start.js";

/// What the page asks of the worker.
#[derive(Debug, Serialize, Deserialize)]
pub enum Question {
    /// Are you there?
    Ready,
}

/// What the worker answers.
#[derive(Debug, Serialize, Deserialize)]
pub enum Answer {
    /// The worker runs; `version` is that of the program.
    Ready {
        /// The version of this crate.
        version: String,
    },
}

/// The worker's side of the conversation.
pub struct Solver;

impl Worker for Solver {
    type Input = Question;
    type Message = ();
    type Output = Answer;

    fn create(_scope: &WorkerScope<Self>) -> Self {
        Self
    }

    fn update(&mut self, _scope: &WorkerScope<Self>, (): ()) {}

    fn received(&mut self, scope: &WorkerScope<Self>, question: Question, asker: HandlerId) {
        match question {
            Question::Ready => scope
                .respond(asker, Answer::Ready { version: env!("CARGO_PKG_VERSION").to_owned() }),
        }
    }
}

/// Starts a worker whose answers go to `on_answer`; it ends when the bridge is
/// dropped.
pub fn spawn(on_answer: impl Fn(Answer) + 'static) -> WorkerBridge<Solver> {
    Solver::spawner().with_loader(true).callback(on_answer).spawn(LOADER)
}
