//! The estimate of a count's time, and its chart.

mod forecast;
mod job_progress;
mod time_chart;

pub use forecast::{Forecast, row_times};
pub use job_progress::JobProgress;
pub use time_chart::{TimeLine, distinguishing_executor, time_lines};
