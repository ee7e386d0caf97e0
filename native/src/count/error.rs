//! Errors of the backends.

use queens_core::document::BackendKind;

/// Reasons why a backend cannot start or continue a count.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BackendError {
    /// The backend has no device with this index.
    #[error("the {} backend has no device {device}; {devices}", .kind.id())]
    NoDevice {
        kind: BackendKind,
        /// The requested index.
        device: usize,
        /// The valid indices, in one clause.
        devices: String,
    },
    /// The driver is missing, the machine has no device, or its devices cannot be used.
    #[error("the {} backend is not available: {reason}", .kind.id())]
    Unavailable {
        kind: BackendKind,
        /// The missing part, or the devices with the reason why each cannot be used.
        reason: String,
        /// What the user can do about the error.
        hint: Option<String>,
    },
    /// A device failed during a count.
    #[error("{device} failed: {reason}")]
    Failed {
        device: String,
        /// The step that failed, and what the driver reported.
        reason: String,
        /// What the user can do about the error.
        hint: Option<String>,
    },
    /// A spot check showed that a device counts incorrectly.
    #[error("{device} COUNTS INCORRECTLY: {reason}; the results of this count are not reliable")]
    Wrong {
        device: String,
        /// The mismatch, in one clause.
        reason: String,
    },
    /// The operating system could not start the threads.
    #[error("cannot start {threads} threads: {reason}")]
    Threads {
        threads: usize,
        /// The error of the operating system.
        reason: String,
    },
}

impl BackendError {
    /// Returns what the user of the command can do about the error.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            BackendError::NoDevice { .. } => Some("see `queens devices`".to_owned()),
            BackendError::Unavailable { hint, .. } | BackendError::Failed { hint, .. } => {
                hint.clone()
            }
            BackendError::Wrong { .. } => {
                Some("check the device, or use `--backend cpu`".to_owned())
            }
            BackendError::Threads { .. } => Some("use fewer `--threads`".to_owned()),
        }
    }
}
