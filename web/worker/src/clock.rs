//! The worker's clock.

use wasm_bindgen::JsCast;
use web_sys::WorkerGlobalScope;

/// Milliseconds by a clock that never goes back.
pub fn now() -> f64 {
    js_sys::global()
        .dyn_into::<WorkerGlobalScope>()
        .ok()
        .and_then(|scope| scope.performance())
        .map_or_else(js_sys::Date::now, |performance| performance.now())
}
