//! A Web Lock that allows only one counting page at a time. All tabs of the browser share the lock,
//! and the browser releases it when the page that holds it closes.
//!
//! In `web-sys`, Web Locks are an unstable interface, so this module calls them by their JavaScript
//! names.

use js_sys::{Array, Function, Object, Promise, Reflect};
use wasm_bindgen::{JsCast, JsValue, prelude::Closure};
use wasm_bindgen_futures::JsFuture;

use super::browser::{call, get};

const NAME: &str = "queens-count";

/// The held lock. Dropping the value releases the lock.
pub struct Lock(Function);

impl Drop for Lock {
    fn drop(&mut self) {
        // Settles the inner promise. The browser holds the lock until then.
        let _ = self.0.call0(&JsValue::NULL);
    }
}

/// Returns the browser's lock manager, which is missing on pages that are not a secure context.
fn locks() -> Option<JsValue> {
    get(&get(&js_sys::global(), "navigator")?, "locks")
}

/// Requests the lock without waiting. Returns an error if another page holds it, and `None` if the
/// browser has no locks.
pub async fn take() -> Result<Option<Lock>, ()> {
    let Some(locks) = locks() else { return Ok(None) };
    // The outer promise resolves to a function that settles the inner promise. The browser holds
    // the lock until then.
    let answer = Promise::new(&mut |resolve, _| {
        let granted = Closure::once_into_js(move |lock: JsValue| -> JsValue {
            if lock.is_null() {
                let _ = resolve.call1(&JsValue::NULL, &JsValue::NULL);
                return JsValue::UNDEFINED;
            }
            Promise::new(&mut |end, _| {
                let _ = resolve.call1(&JsValue::NULL, &end);
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

/// Returns whether another page holds the lock. The holder must not call this, because its own lock
/// would be found.
pub async fn is_taken() -> bool {
    async fn held() -> Option<bool> {
        let query = call(&locks()?, "query", &Array::new())?.dyn_into::<Promise>().ok()?;
        let held: Array = get(&JsFuture::from(query).await.ok()?, "held")?.dyn_into().ok()?;
        Some(held.iter().any(|lock| get(&lock, "name").is_some_and(|name| name == NAME)))
    }
    held().await.unwrap_or(false)
}
