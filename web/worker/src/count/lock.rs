//! That one page of a browser counts at a time: a lock that the browser keeps between its tabs, and
//! takes back from one that goes.
//!
//! `web-sys` has Web Locks only as an unstable interface, so they are called by their names.

use js_sys::{Array, Function, Object, Promise, Reflect};
use wasm_bindgen::{JsCast, JsValue, prelude::Closure};
use wasm_bindgen_futures::JsFuture;

use super::browser::{call, get};

const NAME: &str = "queens-count";

/// The lock. Dropping it gives it back.
pub struct Lock(Function);

impl Drop for Lock {
    fn drop(&mut self) {
        // Ends the promise for which the browser keeps the lock.
        let _ = self.0.call0(&JsValue::NULL);
    }
}

/// The browser's locks; none for a page that came neither encrypted nor from this machine.
fn locks() -> Option<JsValue> {
    get(&get(&js_sys::global(), "navigator")?, "locks")
}

/// Takes the lock, if nobody has it. `Err` if another page does; no lock where there are none.
pub async fn take() -> Result<Option<Lock>, ()> {
    let Some(locks) = locks() else { return Ok(None) };
    // The promise of the answer, and within it the one that lasts as long as the lock.
    let answer = Promise::new(&mut |tell, _| {
        let granted = Closure::once_into_js(move |lock: JsValue| -> JsValue {
            if lock.is_null() {
                let _ = tell.call1(&JsValue::NULL, &JsValue::NULL);
                return JsValue::UNDEFINED;
            }
            Promise::new(&mut |end, _| {
                let _ = tell.call1(&JsValue::NULL, &end);
            })
            .into()
        });
        let options = Object::new();
        let _ = Reflect::set(&options, &"ifAvailable".into(), &true.into());
        call(&locks, "request", &Array::of3(&NAME.into(), &options, &granted));
    });
    match JsFuture::from(answer).await {
        Ok(end) => end.dyn_into().map(|end| Some(Lock(end))).map_err(drop),
        Err(_) => Ok(None),
    }
}

/// Whether another page has the lock; not to be asked by the one that has it.
pub async fn is_taken() -> bool {
    async fn held() -> Option<bool> {
        let query = call(&locks()?, "query", &Array::new())?.dyn_into::<Promise>().ok()?;
        let held: Array = get(&JsFuture::from(query).await.ok()?, "held")?.dyn_into().ok()?;
        Some(held.iter().any(|lock| get(&lock, "name").is_some_and(|name| name == NAME)))
    }
    held().await.unwrap_or(false)
}
