//! The worker's clock, and chance.

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

/// Any number below another one; 0 if there is none.
pub fn any(below: usize) -> usize {
    ((js_sys::Math::random() * below as f64) as usize).min(below.saturating_sub(1))
}
