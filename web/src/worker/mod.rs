//! The page's end of the conversation with the worker.

mod client;
mod job;

pub use client::*;
pub use job::{Job, State, use_job};
