//! Durations measured by the browser's clock.

use std::time::Duration;

/// Converts a difference of two times in milliseconds, which is negative if the clock was set back, to
/// a duration, which is zero then.
pub fn milliseconds(span: f64) -> Duration {
    Duration::try_from_secs_f64(span / 1000.0).unwrap_or_default()
}
