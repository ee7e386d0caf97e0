//! A worker of the pool, and the coordinator's handle to it.
//!
//! The coordinator starts a worker, and may terminate it in the middle of a task. Both sides send
//! JSON text.

use std::{cell::RefCell, rc::Rc};

use wasm_bindgen::{JsCast, JsValue, prelude::Closure};
use wasm_bindgen_futures::spawn_local;
use web_sys::{
    DedicatedWorkerGlobalScope, ErrorEvent, MessageEvent, Worker, WorkerOptions, WorkerType,
};

use super::lock;
use super::task_runner::{TaskRunner, WorkerReply, WorkerRequest};
use crate::clock;
use crate::protocol::WorkerStatus;

/// The script of a worker.
const SCRIPT: &str = "worker.js";

/// The worker name that marks a pool worker. A query string in the script's URL would not do: a
/// service worker that answers from its cache may drop it.
pub const POOL_WORKER: &str = "pool";

/// The script of a worker that counts on a GPU. It is a separate module, fetched only when needed.
const GPU_SCRIPT: &str = "gpu.js";

/// The target duration of a batch of tasks, in milliseconds, for a CPU worker and for a GPU worker.
/// The GPU idles between two batches, so a GPU worker gets longer batches.
const BATCH_TIME: [f64; 2] = [25.0, 150.0];

/// The largest number of tasks per batch, for a CPU worker and for a GPU worker.
const MAX_TASKS: [usize; 2] = [512, 4096];

/// The number of tasks in the first batch. A launch on a GPU is worth its cost only with many
/// tasks.
const FIRST_BATCH: [usize; 2] = [1, 32];

/// The coordinator's handle to a worker. Dropping it terminates the worker at once.
pub struct PoolWorker {
    worker: Worker,
    /// The number of the worker. Numbers are not reused, so that the coordinator can ignore late
    /// messages from ended workers.
    pub number: u32,
    /// Whether the worker has work, or has not yet reported that it is ready.
    pub is_busy: bool,
    /// The number of tasks in the next batch.
    pub batch_size: usize,
    /// Whether the worker counts on a GPU.
    pub has_gpu: bool,
    /// The worker's current and finished tasks, which the page displays.
    pub status: WorkerStatus,
    /// The browser calls these closures for as long as the worker lives.
    _on_message: Closure<dyn Fn(MessageEvent)>,
    _on_error: Closure<dyn Fn(ErrorEvent)>,
}

impl Drop for PoolWorker {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.terminate();
    }
}

impl PoolWorker {
    /// Starts a worker. `on_reply` receives the worker's number with each message, or with the
    /// reason for a failure.
    pub fn start(
        number: u32,
        has_gpu: bool,
        on_reply: impl Fn(u32, Result<WorkerReply, String>) + Clone + 'static,
    ) -> Result<PoolWorker, JsValue> {
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        options.set_name(POOL_WORKER);
        let script = if has_gpu { GPU_SCRIPT } else { SCRIPT };
        let worker = Worker::new_with_options(script, &options)?;
        let on_message = {
            let on_reply = on_reply.clone();
            Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
                let text = event.data().as_string().unwrap_or_default();
                on_reply(number, serde_json::from_str(&text).map_err(|error| error.to_string()));
            })
        };
        let on_error = Closure::<dyn Fn(ErrorEvent)>::new(move |event: ErrorEvent| {
            // The page shows the error, so the console need not show it, too.
            event.prevent_default();
            let reason = Some(event.message()).filter(|reason| !reason.is_empty());
            on_reply(
                number,
                Err(reason.unwrap_or_else(|| "its script could not be loaded".to_owned())),
            );
        });
        worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        Ok(PoolWorker {
            worker,
            number,
            is_busy: true,
            batch_size: FIRST_BATCH[usize::from(has_gpu)],
            has_gpu,
            status: WorkerStatus::default(),
            _on_message: on_message,
            _on_error: on_error,
        })
    }

    /// Records that the worker has finished its batch.
    pub fn end_batch(&mut self) {
        let WorkerStatus { batch, done, .. } = self.status;
        self.status = WorkerStatus { done: done.saturating_add(batch), ..WorkerStatus::default() };
    }

    /// Sets the size of the next batch from the number of tasks in the last one and its duration in
    /// milliseconds.
    pub fn adapt_batch(&mut self, tasks: usize, milliseconds: f64) {
        let kind = usize::from(self.has_gpu);
        let size = BATCH_TIME[kind] * tasks as f64 / milliseconds;
        self.batch_size = (size as usize).clamp(1, MAX_TASKS[kind]);
    }

    /// Assigns work to the worker.
    pub fn assign(&mut self, request: &WorkerRequest) {
        self.is_busy = true;
        self.status.task = request.tasks.first().map(|&task| saturated(task));
        self.status.batch = saturated(request.tasks.len());
        let text = serde_json::to_string(request).unwrap_or_default();
        // Posting fails only for values that cannot be cloned; text can be cloned.
        let _ = self.worker.post_message(&text.into());
    }
}

fn saturated(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Runs a pool worker that counts on the CPU.
pub fn serve() {
    let runner = Rc::new(RefCell::new(TaskRunner::default()));
    serve_with(move |request| {
        let runner = Rc::clone(&runner);
        async move { runner.borrow_mut().execute(request, clock::now) }
    });
}

/// Runs a pool worker that executes requests with an asynchronous function. The coordinator sends
/// the next request only after the last reply.
pub fn serve_with<F: Future<Output = WorkerReply> + 'static>(
    execute: impl Fn(WorkerRequest) -> F + 'static,
) {
    let Ok(scope) = js_sys::global().dyn_into::<DedicatedWorkerGlobalScope>() else { return };
    let send = {
        let scope = scope.clone();
        move |reply: &WorkerReply| {
            let text = serde_json::to_string(reply).unwrap_or_default();
            let _ = scope.post_message(&text.into());
        }
    };
    let answer = send.clone();
    let on_message = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
        let text = event.data().as_string().unwrap_or_default();
        match serde_json::from_str(&text) {
            Ok(request) => {
                let (answer, reply) = (answer.clone(), execute(request));
                spawn_local(async move { answer(&reply.await) });
            }
            Err(error) => answer(&WorkerReply::Failed(error.to_string())),
        }
    });
    scope.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    // The closure must live as long as the worker.
    on_message.forget();
    spawn_local(async move { send(&WorkerReply::Ready(lock::hold_for_life().await)) });
}
