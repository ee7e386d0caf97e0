//! The copy of the count in the browser's storage: one text.

use gloo_timers::callback::Timeout;
use wasm_bindgen::JsValue;

use super::event::{Event, EventSender};
use crate::store::Store;

/// The browser's database in which the count is saved.
const DATABASE: &str = "queens-count";

/// The key of the text.
const KEY: &str = "count";

/// The first and the last key. A save removes the texts of earlier versions of the page, too.
const ALL_KEYS: [&str; 2] = ["", "\u{ffff}"];

/// The longest wait for the browser's storage, in milliseconds. A count can begin without storage.
const TIMEOUT: u32 = 8000;

/// The copy of the count in the browser's storage.
#[derive(Default)]
pub struct SavedCount {
    /// `None` until the storage is open, and in browsers that store nothing.
    store: Option<Store>,
    /// The timer that ends the wait for the storage; `None` when not waiting.
    timeout: Option<Timeout>,
}

impl SavedCount {
    /// Starts to open the storage and to read the saved count.
    pub fn open(&mut self, sender: &EventSender) {
        let timeout = {
            let sender = sender.clone();
            Timeout::new(TIMEOUT, move || sender.send(Event::StorageOpened(None)))
        };
        self.timeout = Some(timeout);
        sender.send_output(async move {
            let read = async {
                let store = Store::open(DATABASE).await?;
                let text = store.get(KEY).await?;
                Ok::<_, JsValue>((store, text))
            };
            Event::StorageOpened(read.await.ok())
        });
    }

    /// Takes the answer to [`open`](SavedCount::open). Returns the saved text, or `None` for a late answer.
    pub fn end_wait(&mut self, found: Option<(Store, Option<String>)>) -> Option<Option<String>> {
        drop(self.timeout.take()?);
        let (store, text) = found.unzip();
        self.store = store;
        Some(text.flatten())
    }

    /// Whether the storage is open.
    pub fn has_store(&self) -> bool {
        self.store.is_some()
    }

    /// Replaces the saved text; `None` deletes it.
    pub fn save(&self, text: Option<String>, sender: &EventSender) {
        let Some(store) = self.store.clone() else { return };
        sender.send_output(async move {
            let put = text.into_iter().map(|text| (KEY.to_owned(), text)).collect();
            Event::SaveEnded(store.write(Some(ALL_KEYS), put).await.is_ok())
        });
    }
}
