//! Library of the command `queens`: all of the program except its command line.

// All output goes through `cli::output`, which replaces control characters.
#![cfg_attr(not(test), warn(clippy::print_stdout, clippy::print_stderr))]

pub mod count;
pub mod host;
pub mod isa;
pub mod journal;
mod lock;
pub mod paths;
pub mod post;
pub mod server;
pub mod sqlite;
pub mod store;
