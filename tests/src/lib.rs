//! What tests that cross crates share: the built command, its server, a real
//! browser to look at its page, and the CUDA kernels on the CPU.
//!
//! The browser tests are in `tests/browser/`, one file for each view; how to
//! write one is told in [`browser`].

pub mod browser;
pub mod command;
pub mod faults;
pub mod host;
pub mod japanese;
pub mod journals;
pub mod kernels;
pub mod light_sets;
pub mod motions;
pub mod process;
pub mod server;
#[cfg(unix)]
pub mod slurm;
pub mod stub_driver;
pub mod watched;

/// Runs a test, and prints the time that it took in the form that `cargo xtask test` reads.
pub fn timed<T>(name: &str, run: impl FnOnce() -> T) -> T {
    let start = std::time::Instant::now();
    let outcome = run();
    println!("{name} took {:.1} s", start.elapsed().as_secs_f64());
    outcome
}
