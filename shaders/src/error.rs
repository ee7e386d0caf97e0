//! Errors of devices and their drivers.

/// A failure of a device or its driver.
#[derive(Clone, Debug, Default, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct DeviceError {
    /// What went wrong, in one clause. After a failed driver call, usually the step and the driver's report.
    pub reason: String,
    /// Advice for the user of the command.
    pub hint: Option<String>,
    /// Whether there is not enough memory on the device.
    pub is_out_of_memory: bool,
}

impl DeviceError {
    /// Creates an error without a hint.
    pub fn new(reason: impl Into<String>) -> DeviceError {
        DeviceError { reason: reason.into(), ..DeviceError::default() }
    }

    /// Adds a hint to the error.
    #[must_use]
    pub fn with_hint(self, hint: impl Into<String>) -> DeviceError {
        DeviceError { hint: Some(hint.into()), ..self }
    }
}
