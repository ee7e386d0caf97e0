//! The page's end of the conversation with the worker.

mod client;

pub use client::*;
