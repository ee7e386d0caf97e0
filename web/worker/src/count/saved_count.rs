//! The copy of the count in the browser's storage.

use std::collections::BTreeMap;

use gloo_timers::callback::Timeout;
use queens_state::count::{Changes, CountState, TASK_KEYS};
use wasm_bindgen::JsValue;

use super::event::{Event, EventSender};
use crate::{clock, store::Store};

/// The browser's database in which the count is saved.
const DATABASE: &str = "queens-count";

/// The longest wait for the browser's storage, in milliseconds. A count can begin without storage.
const TIMEOUT: u32 = 8000;

/// The copy of the count in the browser's storage.
#[derive(Default)]
pub struct SavedCount {
    /// `None` until the storage is open, and in browsers that store nothing.
    store: Option<Store>,
    /// The timer that ends the wait for the storage; `None` when not waiting.
    timeout: Option<Timeout>,
    /// Whether saving a change of the current count failed. Then later changes of this count are
    /// not saved.
    has_failed: bool,
    /// The number of saved rows.
    rows: usize,
    /// The length of each saved text by its key.
    lengths: BTreeMap<String, usize>,
}

impl SavedCount {
    /// Starts to open the storage and to read the saved count.
    pub fn open(&mut self, sender: &EventSender) {
        let timeout = {
            let sender = sender.clone();
            Timeout::new(TIMEOUT, move || sender.send(Event::StorageTimeout))
        };
        self.timeout = Some(timeout);
        sender.send_output(async {
            let read = async {
                let store = Store::open(DATABASE).await?;
                let texts = store.read().await?;
                Ok::<_, JsValue>((store, texts))
            };
            Event::StorageOpened(read.await.ok())
        });
    }

    /// Whether the wait for the storage continues.
    pub fn is_opening(&self) -> bool {
        self.timeout.is_some()
    }

    /// Ends the wait for the storage. Returns `false` if it had already ended.
    pub fn end_wait(&mut self) -> bool {
        self.timeout.take().is_some()
    }

    /// Restores the count from its texts, and saves later changes to `store`. Returns `None` if no
    /// count is saved or it cannot be read.
    pub fn restore(&mut self, store: Store, texts: Vec<(String, String)>) -> Option<CountState> {
        self.store = Some(store);
        let count = CountState::restore(&texts);
        self.rows = count.as_ref().map_or(0, |count| count.entries().len());
        self.lengths = texts.into_iter().map(|(key, text)| (key, text.len())).collect();
        count
    }

    /// Whether the storage is open.
    pub fn has_store(&self) -> bool {
        self.store.is_some()
    }

    /// Whether changes of the current count are saved.
    pub fn is_working(&self) -> bool {
        self.store.is_some() && !self.has_failed
    }

    /// Stops saving the current count after a failure.
    pub fn fail(&mut self) {
        self.has_failed = true;
        self.lengths.clear();
    }

    /// The size of all saved texts, in bytes.
    pub fn bytes(&self) -> u64 {
        self.lengths.values().map(|&length| length as u64).sum()
    }

    /// Saves the changes of a count since the last call.
    pub fn save(&mut self, count: &mut CountState, sender: &EventSender) {
        let Some(store) = self.store.clone().filter(|_| !self.has_failed) else { return };
        let Changes { put, delete_tasks } = count.changes(clock::now(), self.rows);
        self.rows = count.entries().len();
        if delete_tasks {
            self.lengths.retain(|key, _| !key.starts_with(TASK_KEYS[0]));
        }
        self.lengths.extend(put.iter().map(|(key, text)| (key.clone(), text.len())));
        let remove = delete_tasks.then_some(TASK_KEYS);
        sender.send_output(async move { Event::SaveEnded(store.write(remove, put).await.is_ok()) });
    }

    /// Deletes everything that is saved.
    pub fn delete(&mut self, sender: &EventSender) {
        (self.rows, self.has_failed) = (0, false);
        self.lengths.clear();
        if let Some(store) = self.store.clone() {
            sender.send_output(async move { Event::SaveEnded(store.clear().await.is_ok()) });
        }
    }
}
