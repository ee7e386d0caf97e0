//! Interface of the backends.

use std::{sync::Arc, time::Duration};

use queens_core::{Form, Method, Plan, Tally, TaskSample, document::Backend as Record};

use super::{BackendError, TaskQueue};
use crate::journal::PartialTasks;

/// Hardware that counts tasks of a plan: CPU threads or GPUs.
///
/// A backend only turns tasks into tallies. Sums, checks, documents and progress are the same for all
/// backends.
pub trait Backend: Send + Sync {
    /// Returns the description for the result document.
    fn record(&self) -> Record;

    /// Returns the form of a method that this backend runs.
    fn form(&self, method: Method) -> Form;

    /// Returns the number of threads of this process that the backend keeps busy, at least 1.
    fn threads(&self) -> usize;

    /// Returns the tasks of a plan in the order in which they are counted, by default that of [`Plan::order`].
    fn order(&self, plan: &Plan) -> Vec<usize> {
        plan.order()
    }

    /// Starts the tasks in `task_queue` and returns without waiting for them. On the CPU, tasks of
    /// methods that place no queens resume from their partial results in `partials`, and record new ones
    /// there. Other methods and GPUs ignore `partials`.
    ///
    /// # Errors
    /// [`BackendError`] if the work cannot start. Later failures are reported to `task_queue`.
    fn start(
        &self,
        plan: Arc<Plan>,
        task_queue: TaskQueue<Tally>,
        partials: PartialTasks,
    ) -> Result<(), BackendError>;

    /// Starts sampling the tasks in `task_queue` and returns without waiting, like
    /// [`start`](Backend::start). A backend may count only a part of each task; see [`TaskSample`].
    fn start_sample(
        &self,
        plan: Arc<Plan>,
        task_queue: TaskQueue<SampleResult>,
    ) -> Result<(), BackendError>;
}

/// The measurements of one sampled task.
#[derive(Clone, Copy, Debug)]
pub struct SampleResult {
    /// The number of solutions found, and the share of the task that was counted.
    pub observed: TaskSample,
    /// The time from the start of the task until counting began. All parts of a task share this
    /// preparation. So if only one of them was counted, an estimate multiplies only the time after the
    /// preparation by the number of parts.
    pub prepared: Duration,
    /// Memory of the thread, or of the GPU's queue, in bytes, if known.
    pub memory: Option<usize>,
}
