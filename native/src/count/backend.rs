//! What a count runs on.

use std::sync::Arc;

use queens_core::{
    Form, Plan, Tally,
    document::{Backend as Record, BackendKind},
};

use super::Orders;

/// Something that counts tasks of a plan: the processor's threads, or GPUs.
///
/// It takes masks, prefixes and tasks from the core and gives tallies back; what becomes of them
/// (sums, checks, documents, progress) is the same for all.
pub trait Backend: Send + Sync {
    /// What the result document says of it.
    fn record(&self) -> Record;

    /// The writing of the methods that runs on it.
    fn form(&self) -> Form;

    /// Threads of this process that it keeps busy, at least 1.
    fn threads(&self) -> usize;

    /// Starts to do the ordered tasks of `plan`, and returns while that goes on elsewhere.
    ///
    /// # Errors
    /// [`BackendError`] if the work cannot begin. Later failures go to the orders.
    fn start(&self, plan: Arc<Plan>, orders: Orders<Tally>) -> Result<(), BackendError>;
}

/// Why a backend cannot count, or not any more.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BackendError {
    /// There is no such device here.
    #[error("the {} backend is not available here: {reason}", .kind.id())]
    Unavailable {
        /// The backend.
        kind: BackendKind,
        /// What is missing, and what would help.
        reason: String,
    },
    /// A device failed at work.
    #[error("{device} failed: {reason}")]
    Failed {
        /// The device's name.
        device: String,
        /// What it was doing, and what its driver said.
        reason: String,
    },
    /// The operating system gave no threads.
    #[error("cannot start {threads} threads: {reason}")]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// What the system said.
        reason: String,
    },
}
