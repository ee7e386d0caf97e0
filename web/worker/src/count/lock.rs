//! Web Locks. One allows only one tab of the browser to count: the browser releases it when the tab closes. The
//! others, one for each pool worker, show that the worker has ended: nothing else reports a worker that the
//! browser or a script terminates. Over plain HTTP, browsers have no locks; then a channel shows that another
//! tab counts.
//!
//! In `web-sys`, Web Locks are an unstable interface, so this module calls them by their JavaScript
//! names.

use std::mem;

use js_sys::{Array, Function, Promise, Reflect};
use wasm_bindgen::{JsCast, JsValue, prelude::Closure};
use wasm_bindgen_futures::JsFuture;

use super::browser::{call, get};
use crate::clock;

/// The name of the lock for counting, and of the channel.
const COUNT: &str = "queens-count";

/// Returns the browser's lock manager, which is missing on pages that are not a secure context.
fn locks() -> Option<JsValue> {
    get(&get(&js_sys::global(), "navigator")?, "locks")
}

/// Waits for a lock and holds it for the rest of this worker's life. Returns whether the browser has locks.
async fn hold(name: &str) -> bool {
    let Some(locks) = locks() else { return false };
    let taken = Promise::new(&mut |resolve, _| {
        let granted = Closure::once_into_js(move |_: JsValue| -> JsValue {
            let _ = resolve.call0(&JsValue::NULL);
            // Never settled. The browser must not collect it, because that could release the lock.
            let forever = Promise::new(&mut |end, _| mem::forget(end));
            forever.into()
        });
        call(&locks, "request", &Array::of2(&name.into(), &granted));
    });
    JsFuture::from(taken).await.is_ok()
}

/// Waits until no other tab counts, and then keeps others from it. Returns whether the browser has locks.
pub async fn hold_count() -> bool {
    hold(COUNT).await
}

/// Takes a lock of its own for this worker. Returns its name; `None` if the browser has no locks.
pub async fn hold_for_life() -> Option<String> {
    let name = format!("{COUNT}-worker-{}", clock::random_number());
    hold(&name).await.then_some(name)
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

/// A channel to the other tabs of a browser without locks.
pub struct Channel(JsValue);

impl Channel {
    /// Calls `on_count` whenever another tab [says](Channel::say) that it counts.
    pub fn open(on_count: impl Fn() + 'static) -> Option<Channel> {
        let class: Function = get(&js_sys::global(), "BroadcastChannel")?.dyn_into().ok()?;
        let channel = Reflect::construct(&class, &Array::of1(&COUNT.into())).ok()?;
        let on_message = Closure::<dyn Fn()>::new(on_count).into_js_value();
        Reflect::set(&channel, &"onmessage".into(), &on_message).ok()?;
        Some(Channel(channel))
    }

    /// Tells the other tabs that this one counts.
    pub fn say(&self) {
        call(&self.0, "postMessage", &Array::of1(&JsValue::NULL));
    }
}
