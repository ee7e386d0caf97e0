//! Web Locks. One allows only one counting page at a time: all tabs of the browser share the lock,
//! and the browser releases it when the page that holds it closes. The others, one for each pool worker, show
//! that the worker has ended: nothing else reports a worker that the browser or a script terminates.
//!
//! In `web-sys`, Web Locks are an unstable interface, so this module calls them by their JavaScript
//! names.

use std::mem;

use js_sys::{Array, Function, Object, Promise, Reflect};
use wasm_bindgen::{JsCast, JsValue, prelude::Closure};
use wasm_bindgen_futures::JsFuture;

use super::browser::{call, get};
use crate::clock;

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

/// Takes a lock for the rest of this worker's life. Returns its name; `None` if the browser has no locks.
pub async fn hold_for_life() -> Option<String> {
    let locks = locks()?;
    let name = format!("{NAME}-worker-{}", clock::random_number());
    let taken = Promise::new(&mut |resolve, _| {
        let granted = Closure::once_into_js(move |_: JsValue| -> JsValue {
            let _ = resolve.call0(&JsValue::NULL);
            // Never settled. The browser must not collect it, because that could release the lock.
            let forever = Promise::new(&mut |end, _| mem::forget(end));
            forever.into()
        });
        call(&locks, "request", &Array::of2(&name.as_str().into(), &granted));
    });
    JsFuture::from(taken).await.ok()?;
    Some(name)
}

/// Waits until the worker that [holds](hold_for_life) a lock has ended.
pub async fn wait_for_end(name: String) {
    let Some(locks) = locks() else { return };
    let granted = Closure::once_into_js(|_: JsValue| {});
    let request = call(&locks, "request", &Array::of2(&name.into(), &granted));
    if let Some(request) = request.and_then(|request| request.dyn_into::<Promise>().ok()) {
        let _ = JsFuture::from(request).await;
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
