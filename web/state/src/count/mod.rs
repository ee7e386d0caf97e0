//! A count in several workers: its messages, its state, and the estimate of its time.

mod count_state;
mod elapsed;
mod messages;
mod time_estimate;

pub use count_state::{Changes, CountState, Entry, Machine, TASKS};
pub use elapsed::milliseconds;
pub use messages::{
    Command, Forecast, Line, News, Now, Order, Phase, Place, Posted, Standing, Trouble, WebGpu,
    Wrong,
};
pub use time_estimate::TimeEstimate;
