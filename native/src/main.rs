//! The command `queens`.

mod cli;
mod count;
mod host;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run().unwrap_or_else(|error| cli::report(&error))
}
