//! Shared parts of tests that cross crates: the built command, its server, a real browser for the
//! page, the CUDA kernels on the CPU, a CUDA driver without a GPU, failing system calls, and a Slurm
//! cluster.
//!
//! The browser tests are in `tests/smoke/` and, one file per view or topic, in `tests/browser/`; [`browser`]
//! explains how to write one.

pub mod browser;
pub mod command;
pub mod facts;
pub mod faults;
pub mod host;
pub mod japanese;
pub mod journals;
pub mod kernels;
pub mod measurements;
pub mod motions;
pub mod process;
pub mod server;
#[cfg(unix)]
pub mod slurm;
pub mod stub_driver;
pub mod trials;

/// Returns `short`, or `long` if `cargo xtask survive` runs the test.
pub fn short_or_long<T>(short: T, long: T) -> T {
    if std::env::var_os("QUEENS_ENDURE").is_some() { long } else { short }
}
