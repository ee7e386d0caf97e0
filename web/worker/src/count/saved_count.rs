//! The copy of the count in the browser's storage.
//!
//! All tabs share the storage. Each write compares the stored [`Identity`] with the one that this tab
//! expects, in the same transaction, so no tab changes a count that another tab has started or resumed.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

use gloo_timers::callback::Timeout;
use queens_state::count::{Changes, CountState, Deletion, HEAD, Identity, TASK_KEYS, Unreadable};
use wasm_bindgen::JsValue;

use super::event::{Event, EventSender, SaveResult};
use crate::{
    clock,
    store::{Removal, Store},
};

/// The browser's database in which the count is saved.
const DATABASE: &str = "queens-count";

/// The longest wait for the browser's storage, in milliseconds. A count can begin without storage.
const TIMEOUT: u32 = 8000;

/// The copy of the count in the browser's storage.
#[derive(Default)]
pub struct SavedCount {
    /// `None` until the storage is open, and in browsers that store nothing.
    store: Option<Store>,
    /// The number of the last attempt to read the storage.
    attempt: u32,
    /// Whether the browser has closed the storage, which can be opened again.
    is_closed: bool,
    /// The timer that ends the wait for the storage; `None` when not waiting.
    timeout: Option<Timeout>,
    /// Whether saving a change of the current count failed. Then later changes of this count are
    /// not saved.
    has_failed: bool,
    /// Set by the write that failed. Writes that were queued behind it must not leave a gap.
    is_broken: Rc<Cell<bool>>,
    /// The identity in the storage when this tab last read or changed it.
    identity: Option<Identity>,
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
        self.attempt += 1;
        let attempt = self.attempt;
        let closed = sender.clone();
        sender.send_output(async move {
            let read = async {
                let store = Store::open(DATABASE).await?;
                store.on_close(move || closed.send(Event::StorageClosed));
                let texts = store.read().await?;
                Ok::<_, JsValue>((store, texts))
            };
            Event::StorageOpened(attempt, read.await.ok())
        });
    }

    /// Whether the wait for the storage continues.
    pub fn is_opening(&self) -> bool {
        self.timeout.is_some()
    }

    /// Ends the wait for the storage. Returns `false` if it had already ended, or if the answer is that of
    /// an earlier attempt.
    pub fn end_wait(&mut self, attempt: Option<u32>) -> bool {
        attempt.is_none_or(|attempt| attempt == self.attempt) && self.timeout.take().is_some()
    }

    /// Restores the count from its texts, and saves later changes to `store`. Returns `None` if no
    /// count is saved.
    pub fn restore(
        &mut self,
        store: Store,
        texts: Vec<(String, String)>,
    ) -> Result<Option<CountState>, Unreadable> {
        (self.store, self.is_closed) = (Some(store), false);
        (self.has_failed, self.is_broken) = (false, Rc::default());
        self.identity = Identity::of_texts(&texts);
        let count = CountState::restore(&texts);
        self.rows = count
            .as_ref()
            .map_or(0, |count| count.as_ref().map_or(0, |count| count.entries().len()));
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

    /// The identity in the storage when this tab last read or changed it.
    pub fn identity(&self) -> Option<Identity> {
        self.identity
    }

    /// Whether the browser has closed the storage, so that its content is lost.
    pub fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Forgets the storage, which the browser has closed.
    pub fn close(&mut self) {
        (self.store, self.is_closed, self.identity) = (None, true, None);
        self.fail();
    }

    /// Stops saving the current count after a failure.
    pub fn fail(&mut self) {
        self.has_failed = true;
        self.lengths.clear();
    }

    /// Records that the storage now has another identity.
    pub fn set_identity(&mut self, identity: Option<Identity>) {
        self.identity = identity;
    }

    /// The size of all saved texts, in bytes.
    pub fn bytes(&self) -> u64 {
        self.lengths.values().map(|&length| length as u64).sum()
    }

    /// Returns the identity that the storage has now. The outer `None` means that it cannot be read.
    pub fn stored_identity(&self) -> impl Future<Output = Option<Option<Identity>>> + use<> {
        let store = self.store.clone().filter(|_| !self.has_failed);
        async move {
            let head = store?.get(HEAD).await.ok()?;
            Some(Identity::of_head(head.as_deref()))
        }
    }

    /// Prepares for a new count, which replaces the saved one. It saves the finished rows that it keeps again.
    pub fn begin(&mut self) {
        (self.rows, self.has_failed, self.is_broken) = (0, false, Rc::default());
        self.lengths.clear();
    }

    /// Saves the changes of a count since the last call.
    pub fn save(&mut self, count: &mut CountState, sender: &EventSender) {
        let Some(store) = self.store.clone().filter(|_| !self.has_failed) else { return };
        let Changes { expected, identity, delete, put } = count.changes(clock::now(), self.rows);
        self.rows = count.entries().len();
        let removal = match delete {
            Deletion::Nothing => Removal::Nothing,
            Deletion::Tasks => {
                self.lengths.retain(|key, _| !key.starts_with(TASK_KEYS[0]));
                Removal::Range(TASK_KEYS)
            }
            Deletion::Everything => Removal::Everything,
        };
        self.lengths.extend(put.iter().map(|(key, text)| (key.clone(), text.len())));
        let is_broken = Rc::clone(&self.is_broken);
        sender.send_output(async move {
            let ids = [expected, Some(identity)];
            Event::SaveEnded(write(&store, &is_broken, ids, removal, put).await)
        });
    }

    /// Deletes everything that is saved.
    pub fn delete(&mut self, sender: &EventSender) {
        let (store, expected) = (self.store.clone(), self.identity);
        self.begin();
        let is_broken = Rc::clone(&self.is_broken);
        sender.send_output(async move {
            let ids = [expected, None];
            Event::DeleteEnded(match store {
                Some(store) => write(&store, &is_broken, ids, Removal::Everything, vec![]).await,
                None => SaveResult::Saved(None),
            })
        });
    }
}

/// Changes the storage, if it has the identity `expected` and no earlier write failed; afterwards it has
/// `identity`.
async fn write(
    store: &Store,
    is_broken: &Cell<bool>,
    [expected, identity]: [Option<Identity>; 2],
    removal: Removal,
    put: Vec<(String, String)>,
) -> SaveResult {
    let check = |head: Option<String>| match Identity::of_head(head.as_deref()) {
        found if found == expected && !is_broken.get() => Ok(()),
        found => Err(found),
    };
    match store.write_if(HEAD, check, removal, put).await {
        Ok(Ok(())) => SaveResult::Saved(identity),
        Ok(Err(found)) => SaveResult::Refused(found),
        Err(_) => {
            is_broken.set(true);
            SaveResult::Failed
        }
    }
}
