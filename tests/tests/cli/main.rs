//! The command from the point of view of a user or a script: its output, its errors and its exit
//! codes.

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
// On other systems, adapters cannot be hidden.
#[cfg(target_os = "linux")]
mod wgpu;
