//! Errors of devices and their drivers.

/// A failure of a device or its driver.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct DeviceError {
    /// What failed, in one clause: the step and what the driver reported.
    pub reason: String,
    /// What the user of the command can do about it.
    pub hint: Option<String>,
}

impl DeviceError {
    /// An error without a hint.
    pub fn new(reason: impl Into<String>) -> DeviceError {
        DeviceError { reason: reason.into(), hint: None }
    }

    /// The same error with a hint.
    #[must_use]
    pub fn with_hint(self, hint: impl Into<String>) -> DeviceError {
        DeviceError { hint: Some(hint.into()), ..self }
    }
}
