//! The estimate of a count's time, and its chart.

mod forecast;
mod job_progress;
mod time_chart;

pub use forecast::{Forecast, growth, row_times};
pub use job_progress::JobProgress;
pub use time_chart::{TimeLine, distinguishing_executor, time_lines};

#[cfg(test)]
mod samples {
    use queens_core::{Method, Size, known::known};
    use queens_worker::{Executor, FinishedRow};

    /// A finished row of a count by two workers.
    pub fn row(method: Method, n: u32, seconds: f64) -> FinishedRow {
        FinishedRow {
            method,
            size: Size::new(n).unwrap(),
            outcome: Ok(*known(n).unwrap()),
            checks: Default::default(),
            executor: Executor::Workers(2),
            seconds,
            time: String::new(),
        }
    }
}
