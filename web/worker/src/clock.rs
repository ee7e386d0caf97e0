//! The worker's clock and random numbers.

use std::time::Duration;

use wasm_bindgen::JsCast;
use web_sys::WorkerGlobalScope;

/// Returns milliseconds from a monotonic clock, or from the system's clock if the worker has no
/// other.
pub fn now() -> f64 {
    js_sys::global()
        .dyn_into::<WorkerGlobalScope>()
        .ok()
        .and_then(|scope| scope.performance())
        .map_or_else(js_sys::Date::now, |performance| performance.now())
}

/// Converts a difference of two times in milliseconds to a duration. If the clock was set back and
/// the difference is negative, the duration is zero.
pub fn milliseconds(span: f64) -> Duration {
    Duration::try_from_secs_f64(span / 1000.0).unwrap_or_default()
}

/// Returns a random index below `below`, or 0 if `below` is 0.
pub fn random_index(below: usize) -> usize {
    ((js_sys::Math::random() * below as f64) as usize).min(below.saturating_sub(1))
}

/// Returns a random number from 1 to 2^53.
pub fn random_number() -> u64 {
    (js_sys::Math::random() * (1_u64 << 53) as f64) as u64 + 1
}
