//! What a count runs on.

use std::{sync::Arc, time::Duration};

use queens_core::{Form, Glimpse, Method, Plan, Tally, document::Backend as Record};

use super::{BackendError, Orders};
use crate::journal::InWork;

/// Something that counts tasks of a plan: the processor's threads, or GPUs.
///
/// It takes masks, prefixes and tasks from the core and gives tallies back; what becomes of them
/// (sums, checks, documents, progress) is the same for all.
pub trait Backend: Send + Sync {
    /// What the result document says of it.
    fn record(&self) -> Record;

    /// The writing of a method that runs on it.
    fn form(&self, method: Method) -> Form;

    /// Threads of this process that it keeps busy, at least 1.
    fn threads(&self) -> usize;

    /// The tasks of a plan in the order in which they are best taken up.
    fn order(&self, plan: &Plan) -> Vec<usize> {
        plan.order()
    }

    /// Starts to do the ordered tasks of `plan`, and returns while that goes on elsewhere. What
    /// takes long goes on where `in_work` says that a task is, and notes there how far it is.
    ///
    /// # Errors
    /// [`BackendError`] if the work cannot begin. Later failures go to the orders.
    fn start(
        &self,
        plan: Arc<Plan>,
        orders: Orders<Tally>,
        in_work: InWork,
    ) -> Result<(), BackendError>;

    /// Starts to look at the ordered tasks of `plan`, as [`start`](Backend::start) does them: what
    /// can count a piece of a task counts no more than that.
    fn start_sample(&self, plan: Arc<Plan>, orders: Orders<Seen>) -> Result<(), BackendError>;
}

/// What was seen of a task.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    /// What it comes to.
    pub glimpse: Glimpse,
    /// How long it took to come to what may be a part of a piece.
    pub prepared: Duration,
    /// The memory that all threads share and that each has of its own, in bytes, where that is known;
    /// of a GPU, what its queues share and what each has.
    pub memory: Option<(usize, usize)>,
}
