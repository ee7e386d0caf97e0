//! Tests of the core with the project's data, which the published package does not have.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests may panic, too")]

mod largest_n;
mod work;

#[cfg(feature = "document")]
mod document;
#[cfg(feature = "document")]
mod order;

// These use features that need a heap.
#[cfg(feature = "alloc")]
mod exercise_seeds;
#[cfg(feature = "alloc")]
mod known;
#[cfg(feature = "alloc")]
mod positions;
