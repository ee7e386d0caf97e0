//! The suites that `cargo test` runs.

use std::io::{BufRead, BufReader, pipe};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::report::Tests;
use crate::parts::{self, Part};
use crate::{page, project};

/// What is built for the host, in groups.
///
/// Cargo joins the features of all that it builds in one call, so the chores are apart: what was
/// compiled to run them would be compiled again. The page is built for WebAssembly.
pub const HOST: [&[&str]; 3] = [
    &[
        "--workspace",
        "--exclude",
        page::PAGE.package,
        "--exclude",
        page::WORKER.package,
        "--exclude",
        "xtask",
        "--exclude",
        RUNNER,
    ],
    &["--package", "xtask"],
    &["--package", RUNNER],
];

/// What of the page and its worker needs no browser: it is tested on the host, where tests may
/// read files.
const PAGE: &[&str] =
    &["--package", page::PAGE.package, "--package", page::WORKER.package, "--bins", "--lib"];

/// The package and program that runs WebAssembly test binaries.
const RUNNER: &str = "wasm-test-runner";

/// Tells the tests where the page is as static files.
const SITE_VARIABLE: &str = "QUEENS_SITE_DIR";

/// Every call of cargo names the page, because one that does not would build
/// the command again without it.
pub fn with_page(command: &mut Command) {
    command.env(page::FOLDER_VARIABLE, page::folder()).env(SITE_VARIABLE, page::site_folder());
}

/// All tests of the host, those that drive the browser among them.
pub fn host(tests: &mut Tests) -> Result<()> {
    let mut outcome = Ok(());
    for packages in HOST.into_iter().chain([PAGE]) {
        let mut command = project::cargo();
        command.args(["test", "--no-fail-fast"]).args(packages);
        with_page(&mut command);
        outcome = outcome.and(run(command, tests));
    }
    outcome
}

/// The core's tests without a heap.
pub fn heapless(tests: &mut Tests) -> Result<()> {
    let mut command = project::cargo();
    command.args(["test", "--no-fail-fast", "--package", "queens-core", "--no-default-features"]);
    command.arg("--tests");
    run(command, tests)
}

/// The core's tests that depend on instructions which processors of another kind have.
pub fn emulated(tests: &mut Tests) -> Result<()> {
    let qemu = parts::QEMU.path().context("qemu-user is not there")?;
    let mut command = project::cargo();
    command
        .args(["test", "--no-fail-fast", "--package", "queens-core", "--lib", "--test", "halves"])
        .args(["--target", parts::EMULATED])
        // Rust's own linker knows processors of any kind; a C compiler knows one.
        .env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_LINKER", "rust-lld")
        .env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_RUNNER", qemu);
    run(command, tests)
}

/// The core's tests of half-board matching, interpreted step by step: the portable code and that
/// for AVX2, on any processor.
pub fn miri(tests: &mut Tests) -> Result<()> {
    let Part::Miri(toolchain) = parts::MIRI else { bail!("{} is not Miri", parts::MIRI.name()) };
    let mut outcome = Ok(());
    for which in [&["--lib", "halves::"][..], &["--test", "halves"]] {
        // Rustup's, because the cargo that runs this belongs to another toolchain.
        let mut command = Command::new("rustup");
        command
            .current_dir(project::root())
            .args(["run", toolchain, "cargo", "miri", "test", "--package", "queens-core"])
            .args(["--target", "x86_64-unknown-linux-gnu"])
            .args(which)
            .env("RUSTFLAGS", "-C target-feature=+avx2,+bmi1,+bmi2,+popcnt")
            // Cargo sets these for what it starts, and they would lead back to its own toolchain.
            .env_remove("RUSTC")
            .env_remove("CARGO");
        outcome = outcome.and(run(command, tests));
    }
    outcome
}

/// The tests that run inside WebAssembly in the browser. They are built like
/// the worker, so they share what was compiled for it.
pub fn wasm(tests: &mut Tests) -> Result<()> {
    let mut command = project::cargo();
    command.args(["test", "--no-fail-fast", "--test", "*"]).args(page::WORKER.settings());
    in_the_browser(&mut command)?;
    run(command, tests)
}

/// Has cargo start WebAssembly test binaries in the browser; builds what does so.
pub fn in_the_browser(command: &mut Command) -> Result<()> {
    project::run(project::cargo().args(["build", "--package", RUNNER]), "building the runner")?;
    command
        .env(
            "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER",
            project::target().join("debug").join(RUNNER),
        )
        .env("WASM_BINDGEN_TEST_WEBDRIVER_JSON", project::root().join("tests/webdriver.json"))
        // Where a test file does not say so itself.
        .env("WASM_BINDGEN_USE_BROWSER", "1");
    Ok(())
}

/// Runs `cargo test`, passes on what it prints and counts its results.
fn run(mut command: Command, tests: &mut Tests) -> Result<()> {
    // One pipe for both streams: cargo's headings are on one, the results
    // that follow them on the other.
    let (reader, writer) = pipe().context("making a pipe")?;
    command
        .env("CARGO_TERM_COLOR", "never")
        .stdout(writer.try_clone().context("making a pipe")?)
        .stderr(writer);
    let mut child = command.spawn().context("cargo could not be started")?;
    // The pipe ends when the last writer goes, and the command holds two.
    drop(command);
    let before = tests.failed().len();
    for line in BufReader::new(reader).split(b'\n') {
        let line = line.context("reading what cargo test prints")?;
        let line = String::from_utf8_lossy(&line);
        println!("{line}");
        tests.read(&line);
    }
    let status = child.wait().context("waiting for cargo test")?;
    if status.success() {
        return Ok(());
    }
    match &tests.failed()[before..] {
        [] => bail!("cargo test failed ({status})"),
        names => bail!("cargo test failed ({status}): {}", names.join(", ")),
    }
}
