//! What can go wrong with what a count runs on.

use queens_core::document::BackendKind;

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
    /// A device counted wrong.
    #[error(
        "{device} COUNTS WRONG: {reason}; nothing of this count can be relied on, so have the \
         device checked; `--backend cpu` counts without it"
    )]
    Wrong {
        /// The device's name.
        device: String,
        /// What was found, as half a sentence.
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
