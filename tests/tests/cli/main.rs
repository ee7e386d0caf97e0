//! The command as a person or a script meets it: what it prints, what it refuses, how it ends.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests may panic, too")]

mod completes;
mod counts;
mod documented;
mod journals;
mod refuses;
mod releases;
mod shards;
mod shell;
mod shows;
mod stops;
mod support;
mod verifies;
// Elsewhere adapters cannot be hidden.
#[cfg(target_os = "linux")]
mod wgpu;
