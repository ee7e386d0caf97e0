//! A count in several workers: its messages, its state, and the estimate of its time.

mod count_state;
mod messages;
mod time_estimate;

use std::time::Duration;

pub use count_state::{Changes, CountState, Entry, Machine, TASKS};
pub use messages::{
    Command, Forecast, Line, News, Now, Order, Phase, Place, Posted, Standing, Trouble, WebGpu,
    Wrong,
};
pub use time_estimate::TimeEstimate;

/// Returns a duration of the browser's clock, which is zero if the clock was set back.
pub fn milliseconds(span: f64) -> Duration {
    Duration::try_from_secs_f64(span / 1000.0).unwrap_or_default()
}
