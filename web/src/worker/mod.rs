//! The client side of the worker protocol.

mod client;
mod job;

pub use client::*;
pub use job::{Job, JobState, use_job};
