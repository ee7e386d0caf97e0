//! The command from the point of view of a user or a script: its output, its errors and its exit
//! codes.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests may panic, too")]

mod count;
mod documented;
mod interruption;
mod journals;
mod output;
#[cfg_attr(not(unix), allow(dead_code, reason = "other systems cannot pause a process"))]
mod running;
mod shards;
mod support;
mod transcripts;
mod verify;
