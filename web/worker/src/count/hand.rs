//! A worker that counts, from both sides: as its leader sees it, and what it does.
//!
//! It is started by its leader, and ended in the middle of a task if need be. The two talk by
//! texts in JSON.

use std::{cell::RefCell, rc::Rc};

use wasm_bindgen::{JsCast, JsValue, prelude::Closure};
use wasm_bindgen_futures::spawn_local;
use web_sys::{
    DedicatedWorkerGlobalScope, ErrorEvent, MessageEvent, Worker, WorkerOptions, WorkerType,
};

use super::bench::{Bench, Work, Yield};
use crate::clock;

/// The script of a worker.
const SCRIPT: &str = "worker.js";

/// The name that tells a worker that it is a hand. (A question behind the script's address would be
/// lost where a service worker answers with the file that it keeps.)
pub const HAND: &str = "hand";

/// That of a worker that counts on a GPU: a module of its own, fetched when it is wanted.
const GPU_SCRIPT: &str = "gpu.js";

/// How long a worker counts before it says what came of it, in milliseconds: as many tasks as it
/// takes, but at least one. A GPU idles meanwhile, and so waits less often.
const BATCH: [f64; 2] = [25.0, 150.0];

/// The most tasks at once.
const MOST_TASKS: [usize; 2] = [512, 4096];

/// The first tasks of a GPU: as many as are worth a launch.
const FIRST: [usize; 2] = [1, 32];

/// A worker as its leader sees it. Dropping it ends the worker at once.
pub struct Hand {
    worker: Worker,
    /// Its number, by which it is known from those before.
    pub number: u32,
    /// Whether it has work, or has not said yet that it is there.
    pub busy: bool,
    /// How many tasks it gets at once.
    pub batch: usize,
    /// Whether it counts on a GPU.
    pub has_gpu: bool,
    /// Called by the browser for as long as the worker lives.
    _on_message: Closure<dyn Fn(MessageEvent)>,
    _on_error: Closure<dyn Fn(ErrorEvent)>,
}

impl Drop for Hand {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.terminate();
    }
}

impl Hand {
    /// Starts a worker; `hear` gets what it says, or how it broke down.
    pub fn start(
        number: u32,
        has_gpu: bool,
        hear: impl Fn(u32, Result<Yield, String>) + Clone + 'static,
    ) -> Result<Hand, JsValue> {
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        options.set_name(HAND);
        let script = if has_gpu { GPU_SCRIPT } else { SCRIPT };
        let worker = Worker::new_with_options(script, &options)?;
        let on_message = {
            let hear = hear.clone();
            Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
                let text = event.data().as_string().unwrap_or_default();
                hear(number, serde_json::from_str(&text).map_err(|error| error.to_string()));
            })
        };
        let on_error = Closure::<dyn Fn(ErrorEvent)>::new(move |event: ErrorEvent| {
            // It is told here; the console need not hear of it again.
            event.prevent_default();
            let why = Some(event.message()).filter(|why| !why.is_empty());
            hear(number, Err(why.unwrap_or_else(|| "its script could not be loaded".to_owned())));
        });
        worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        Ok(Hand {
            worker,
            number,
            busy: true,
            batch: FIRST[usize::from(has_gpu)],
            has_gpu,
            _on_message: on_message,
            _on_error: on_error,
        })
    }

    /// It did so many tasks in so many milliseconds, which tells how many it gets next.
    pub fn learn(&mut self, tasks: usize, took: f64) {
        let kind = usize::from(self.has_gpu);
        self.batch = ((BATCH[kind] * tasks as f64 / took) as usize).clamp(1, MOST_TASKS[kind]);
    }

    /// Gives it something to do.
    pub fn give(&mut self, work: &Work) {
        self.busy = true;
        let text = serde_json::to_string(work).unwrap_or_default();
        // Fails only for messages that cannot be copied.
        let _ = self.worker.post_message(&text.into());
    }
}

/// What a worker does whose leader started it.
pub fn serve() {
    let bench = Rc::new(RefCell::new(Bench::default()));
    serve_by(move |work| {
        let bench = Rc::clone(&bench);
        async move { bench.borrow_mut().work(work, clock::now) }
    });
}

/// The same where the work is something to be waited for. Nothing is asked for before the last
/// answer.
pub fn serve_by<F: Future<Output = Yield> + 'static>(work: impl Fn(Work) -> F + 'static) {
    let Ok(scope) = js_sys::global().dyn_into::<DedicatedWorkerGlobalScope>() else { return };
    let say = {
        let scope = scope.clone();
        move |said: &Yield| {
            let text = serde_json::to_string(said).unwrap_or_default();
            let _ = scope.post_message(&text.into());
        }
    };
    let answer = say.clone();
    let on_message = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
        let text = event.data().as_string().unwrap_or_default();
        match serde_json::from_str(&text) {
            Ok(asked) => {
                let (answer, work) = (answer.clone(), work(asked));
                spawn_local(async move { answer(&work.await) });
            }
            Err(error) => answer(&Yield::Failed(error.to_string())),
        }
    });
    scope.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    // It listens for as long as the worker lives.
    on_message.forget();
    say(&Yield::Ready);
}
