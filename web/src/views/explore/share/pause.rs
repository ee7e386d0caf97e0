//! A pause between slices of work.

use gloo_timers::callback::Timeout;
use js_sys::Promise;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

/// Waits for this number of milliseconds. Even with 0, the browser can handle other events meanwhile.
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
