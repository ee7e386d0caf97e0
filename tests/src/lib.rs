//! Shared parts of tests that cross crates: the built command, its server, a real browser for the
//! page, the CUDA kernels on the CPU, a CUDA driver without a GPU, failing system calls, and a Slurm
//! cluster.
//!
//! The browser tests are in `tests/browser/`, one file per view or topic; [`browser`] explains how
//! to write one.

pub mod browser;
pub mod command;
pub mod facts;
pub mod faults;
pub mod host;
pub mod japanese;
pub mod journals;
pub mod kernels;
pub mod light_sets;
pub mod motions;
pub mod process;
pub mod recording_device;
pub mod server;
#[cfg(unix)]
pub mod slurm;
pub mod stub_driver;

/// Runs a test and prints its time in the form that `cargo xtask test` reads.
pub fn timed<T>(name: &str, run: impl FnOnce() -> T) -> T {
    let start = std::time::Instant::now();
    let outcome = run();
    println!("{name} took {:.1} s", start.elapsed().as_secs_f64());
    outcome
}
