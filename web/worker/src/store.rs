//! The browser's databases (IndexedDB), which store texts by key.

use js_sys::{Array, Promise};
use wasm_bindgen::{JsCast, JsValue, prelude::Closure};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    IdbDatabase, IdbKeyRange, IdbObjectStore, IdbOpenDbRequest, IdbRequest, IdbTransaction,
    IdbTransactionMode, WorkerGlobalScope,
};

const STORE: &str = "kept";

/// A database of the browser.
#[derive(Clone)]
pub struct Store(IdbDatabase);

impl Store {
    /// Opens the database, and creates it if necessary.
    pub async fn open(name: &str) -> Result<Store, JsValue> {
        let scope: WorkerGlobalScope = js_sys::global().dyn_into()?;
        let factory = scope.indexed_db()?.ok_or(JsValue::NULL)?;
        let request = factory.open_with_u32(name, 1)?;
        let create = {
            let request = request.clone();
            Closure::once(move || {
                if let Some(database) = request.result().ok().and_then(database) {
                    let _ = database.create_object_store(STORE);
                }
            })
        };
        request.set_onupgradeneeded(Some(create.as_ref().unchecked_ref()));
        let database = finished(request.unchecked_ref::<IdbOpenDbRequest>()).await?;
        database.dyn_into().map(Store)
    }

    fn begin(&self, mode: IdbTransactionMode) -> Result<(IdbTransaction, IdbObjectStore), JsValue> {
        let transaction = self.0.transaction_with_str_and_mode(STORE, mode)?;
        let store = transaction.object_store(STORE)?;
        Ok((transaction, store))
    }

    /// Returns all texts with their keys, in the order of the keys.
    pub async fn read(&self) -> Result<Vec<(String, String)>, JsValue> {
        let (_, store) = self.begin(IdbTransactionMode::Readonly)?;
        let (keys, texts) = (store.get_all_keys()?, store.get_all()?);
        let keys: Array = finished(&keys).await?.dyn_into()?;
        let texts: Array = finished(&texts).await?.dyn_into()?;
        let both = keys.iter().zip(texts.iter());
        Ok(both.filter_map(|(key, text)| Some((key.as_string()?, text.as_string()?))).collect())
    }

    /// Returns all keys in their order.
    pub async fn keys(&self) -> Result<Vec<String>, JsValue> {
        let (_, store) = self.begin(IdbTransactionMode::Readonly)?;
        let keys: Array = finished(&store.get_all_keys()?).await?.dyn_into()?;
        Ok(keys.iter().filter_map(|key| key.as_string()).collect())
    }

    /// Returns the text of a key, if it exists.
    ///
    /// # Errors
    /// Returns the browser's error, or the value of the key if it is no text.
    pub async fn get(&self, key: &str) -> Result<Option<String>, JsValue> {
        let (_, store) = self.begin(IdbTransactionMode::Readonly)?;
        let value = finished(&store.get(&key.into())?).await?;
        match value.as_string() {
            None if !value.is_undefined() => Err(value),
            text => Ok(text),
        }
    }

    /// If `remove` is given, removes all keys from its first to its last key, inclusive. Then writes the
    /// texts `put`, each with its key. Both happen in a single transaction.
    ///
    /// # Errors
    /// Returns the browser's error, for example if storage is full.
    pub async fn write(
        &self,
        remove: Option<[&str; 2]>,
        put: Vec<(String, String)>,
    ) -> Result<(), JsValue> {
        let (transaction, store) = self.begin(IdbTransactionMode::Readwrite)?;
        if let Some(range) = remove {
            let [from, to] = range.map(JsValue::from_str);
            store.delete(&IdbKeyRange::bound(&from, &to)?.into())?;
        }
        for (key, text) in put {
            store.put_with_key(&text.into(), &key.into())?;
        }
        committed(&transaction).await
    }
}

fn database(value: JsValue) -> Option<IdbDatabase> {
    value.dyn_into().ok()
}

/// Waits for a request and returns its result.
async fn finished(request: &IdbRequest) -> Result<JsValue, JsValue> {
    let done = Promise::new(&mut |resolve, reject| {
        request.set_onsuccess(Some(&resolve));
        request.set_onerror(Some(&reject));
    });
    JsFuture::from(done).await?;
    request.result()
}

/// Waits until a transaction is committed.
async fn committed(transaction: &IdbTransaction) -> Result<(), JsValue> {
    let done = Promise::new(&mut |resolve, reject| {
        transaction.set_oncomplete(Some(&resolve));
        transaction.set_onerror(Some(&reject));
        transaction.set_onabort(Some(&reject));
    });
    JsFuture::from(done).await.map(drop)
}
