//! Tests of the command that wait for seconds, mainly for a count that must not end too soon.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests may panic, too")]

mod estimate;
mod journals;
#[path = "../cli/running.rs"]
mod running;
#[allow(dead_code, unused_imports, reason = "the tests of `cli` use the rest")]
#[path = "../cli/support.rs"]
mod support;
mod verify;
