//! Durations measured by the browser's clock.

use std::time::Duration;

/// Converts a difference of two times in milliseconds to a duration. If the clock was set back and
/// the difference is negative, the duration is zero.
pub fn milliseconds(span: f64) -> Duration {
    Duration::try_from_secs_f64(span / 1000.0).unwrap_or_default()
}
