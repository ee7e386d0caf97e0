//! What can go wrong on a device.

/// What a driver refused, as a sentence: what was asked of it and what it said.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct DeviceError(pub String);
