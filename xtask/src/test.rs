//! `cargo xtask test`: the tests that run after every change, and `--full`, all others.

mod full;
mod steps;

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Duration;

use anyhow::Result;
use clap::Args;

use crate::project::{self, cargo, run, run_within};
use crate::{page, tools};
use steps::Steps;

/// Options of the tests.
#[derive(Args)]
pub struct Test {
    /// Run everything that the command without this option does not run: all browser tests, GPUs,
    /// clusters, faults, fuzzing, other processors, documentation and release files
    #[arg(long)]
    full: bool,
    /// First install what the browser tests need: Chromium and its driver, a Japanese font and axe-core
    /// (as root on Debian)
    #[arg(long, conflicts_with = "full")]
    install: bool,
}

/// The packages that run on the host. Every call of cargo names the same ones, because cargo unifies the
/// features of what it builds in one call and would build shared dependencies again. The packages of the
/// page are among them: whatever needs no browser is tested on the host, where tests can read files.
const HOST: &str = "--workspace --exclude queens-gpu-worker --exclude xtask --exclude xtask-release \
    --exclude wasm-test-runner";

/// The packages whose tests are linted on the host. Those of the page are linted for WebAssembly.
const HOST_LINTS: &str = "--package queens-core --package queens-gpu --package queens \
    --package queens-tests --features queens-tests/full";

/// The time limit of the tests on the host, which take about three minutes after their build.
const LIMIT: Duration = Duration::from_secs(20 * 60);

/// Runs the tests. With `CI=true` a missing tool is a failure.
pub fn test(how: &Test) -> Result<ExitCode> {
    let mut steps = Steps::start()?;
    if how.full {
        full::run_all(&mut steps);
        return steps.finish();
    }
    if how.install {
        let mut setup = Command::new("sh");
        run(setup.args([".ci/setup", "browser"]).current_dir(project::root()))?;
    }
    steps.run("tools of Rust", || {
        tools::need_target(project::WASM_TARGET)?;
        tools::need_component("rustfmt", "fmt")?;
        tools::need_component("clippy", "clippy")
    });
    steps.run("format", || run(&mut cargo("fmt --all --check")));
    steps.run("page", page::build_with_site);
    steps.run("lints", || lint(HOST_LINTS));
    // With the crates that they depend on, for WebAssembly.
    steps.run("lints of the page", || lint(&page::selected()));
    steps.run("tests", || run_within(LIMIT, &mut host_tests(&page::folder())));
    steps.finish()
}

/// Runs the browser tests with these arguments, after building what they need.
pub fn browser(arguments: &[OsString]) -> Result<()> {
    tools::need_target(project::WASM_TARGET)?;
    page::build_with_site()?;
    let mut tests = full::long_tests_of("smoke browser", &page::folder())?;
    run(tests.arg("--").args(arguments))
}

/// Runs the long variants of the tests that break things.
pub fn survive() -> Result<()> {
    let mut tests = full::long_tests_of("crashes faults server_load", &page::folder())?;
    tests.args(["--", "--test-threads", "1", "--nocapture"]).env("QUEENS_ENDURE", "1");
    run(&mut tests)
}

/// Returns the command `cargo test` for the packages of the host, with the command built with this page.
pub fn host_tests(page: &Path) -> Command {
    host("test --no-fail-fast", page)
}

/// Returns a cargo command for the packages of the host, with the command built with this page.
fn host(subcommand: &str, page: &Path) -> Command {
    let mut command = cargo(&format!("{subcommand} {HOST}"));
    command.env(page::SITE_VARIABLE, page::site_folder());
    command.env(steps::SKIPPED_VARIABLE, steps::skipped_file());
    // Tests that need no page can run before it is built.
    if page.join("index.html").exists() {
        command.env(page::FOLDER_VARIABLE, page);
    }
    command
}

/// Lints all code of some packages, for the host unless the arguments select another target.
fn lint(packages: &str) -> Result<()> {
    run(&mut cargo(&format!("clippy --quiet --all-targets {packages} -- --deny warnings")))
}
