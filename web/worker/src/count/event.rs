//! The events that the coordinator handles.

use std::rc::Rc;

use wasm_bindgen_futures::spawn_local;

use super::{lock::Lock, task_runner::WorkerReply};
use crate::{protocol::WebGpu, store::Store};
use queens_state::count::Identity;

/// An event for the coordinator.
pub enum Event {
    /// The worker with this number sent a message or failed.
    Worker(u32, Result<WorkerReply, String>),
    /// The ticker fired.
    Tick,
    /// The browser's storage is open and has these texts of the saved count, each with its key. `None`
    /// if the browser stores nothing. The number is that of the attempt.
    StorageOpened(u32, Option<(Store, Vec<(String, String)>)>),
    /// The browser has closed the storage, because another tab deletes it or the user clears it.
    StorageClosed,
    /// The browser's storage did not open in time.
    StorageTimeout,
    /// The latest changes were saved or could not be saved.
    SaveEnded(SaveResult),
    /// The saved count was deleted or could not be deleted.
    DeleteEnded(SaveResult),
    /// The lock was granted, or is not available in this browser (`None`). An error means that
    /// another page holds it.
    LockRequested(Result<Option<Lock>, ()>),
    /// Whether another page holds the lock, and the identity of the saved count; `None` if it cannot be read.
    LockChecked(bool, Option<Option<Identity>>),
    /// The state of WebGPU in the browser.
    WebGpuDetected(WebGpu),
}

/// The outcome of saving or deleting the count.
#[derive(Clone, Copy)]
pub enum SaveResult {
    /// The storage now has this identity; `None` if it is empty.
    Saved(Option<Identity>),
    /// Another tab has replaced the count by the one with this identity, or has deleted it (`None`).
    Refused(Option<Identity>),
    /// The browser did not save the change.
    Failed,
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
