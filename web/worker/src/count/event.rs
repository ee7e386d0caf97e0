//! The events that the coordinator handles.

use std::rc::Rc;

use wasm_bindgen_futures::spawn_local;

use super::task_runner::WorkerReply;
use crate::{protocol::WebGpu, store::Store};

/// An event for the coordinator.
pub enum Event {
    /// The worker with this number sent a message or failed.
    Worker(u32, Result<WorkerReply, String>),
    /// The ticker fired.
    Tick,
    /// The lock was not granted in time, because another tab has it.
    LockTaken,
    /// The lock was granted, or the browser has none (`false`).
    LockAnswered(bool),
    /// Another tab of a browser without locks counts.
    OtherTabCounts,
    /// The browser's storage is open and has this text of the saved count. The outer `None` means that the
    /// browser stores nothing, or did not answer in time.
    StorageOpened(Option<(Store, Option<String>)>),
    /// The browser has ended saving or deleting the count: whether it did so.
    SaveEnded(bool),
    /// The state of WebGPU in the browser.
    WebGpuDetected(WebGpu),
}

/// Sends events to the coordinator. Delivery is asynchronous: the coordinator handles an event only
/// after the code that sent it has returned.
#[derive(Clone)]
pub struct EventSender(Rc<dyn Fn(Event)>);

impl EventSender {
    pub fn new(send: impl Fn(Event) + 'static) -> EventSender {
        EventSender(Rc::new(send))
    }

    pub fn send(&self, event: Event) {
        (self.0)(event);
    }

    /// Runs a future and sends its output.
    pub fn send_output(&self, event: impl Future<Output = Event> + 'static) {
        let sender = self.clone();
        spawn_local(async move { sender.send(event.await) });
    }
}
