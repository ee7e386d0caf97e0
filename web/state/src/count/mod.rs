//! A count in several workers: its messages, its state, and the estimate of its time.

mod count_state;
mod elapsed;
mod forecast;
mod job_progress;
mod messages;
mod time_chart;

pub use count_state::{CountState, GPU_FAILED, MachineInfo, RowEntry, csv};
pub use elapsed::milliseconds;
pub use forecast::{Forecast, row_times};
pub use job_progress::JobProgress;
pub use messages::{
    CountCommand, CountEvent, CountJob, CountStatus, CurrentRow, Executor, FinishedRow, Phase,
    Trouble, WebGpu, WorkerStatus, WrongTask,
};
pub use time_chart::{TimeLine, distinguishing_executor, time_lines};
