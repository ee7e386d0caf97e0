//! A count in several workers: its messages, its state, and the estimate of its time.

mod count_state;
mod elapsed;
mod messages;
mod time_estimate;

pub use count_state::{Changes, CountState, FinishedCount, MachineInfo, TASKS};
pub use elapsed::milliseconds;
pub use messages::{
    CountCommand, CountEvent, CountJob, CountStatus, CurrentRow, Executor, FinishedRow, Forecast,
    Phase, Posted, Trouble, WebGpu, Wrong,
};
pub use time_estimate::TimeEstimate;
