//! A pause between slices of work.

use gloo_timers::callback::Timeout;
use js_sys::Promise;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

/// Waits for some milliseconds, at least until the browser had time for the user.
pub async fn pause(milliseconds: u32) {
    let waited = Promise::new(&mut |resolve, _| {
        Timeout::new(milliseconds, move || {
            // Resolving a promise never fails.
            let _ = resolve.call0(&JsValue::NULL);
        })
        .forget();
    });
    // The promise is never rejected.
    let _ = JsFuture::from(waited).await;
}
