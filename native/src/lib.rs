//! What the command `queens` is made of, apart from its command line.

// Printed texts go through `cli::output`, which lets a terminal obey nothing.
#![cfg_attr(not(test), warn(clippy::print_stdout, clippy::print_stderr))]

pub mod count;
pub mod host;
pub mod isa;
pub mod journal;
mod lock;
pub mod paths;
pub mod post;
pub mod server;
mod sqlite;
pub mod store;
