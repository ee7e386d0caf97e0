//! `cargo xtask test`: runs every check and every test, and reports one result.

mod dependencies;
mod failures;
mod functions;
mod layers;
mod limits;
mod registry;
mod regressions;
mod report;
mod suites;
mod times;

use std::env;
use std::ffi::OsString;
use std::process::{Command, ExitCode};

use anyhow::{Result, bail};

use crate::prerequisites::{self, Prerequisite};
use crate::{dist, fuzz, instructions, page, project, ptx};
use report::Report;

pub use suites::in_the_browser;

/// Runs everything that this machine can run. The exit code is a failure if anything failed. With `CI=true`,
/// missing tools are an error before the first test.
pub fn test(install: bool) -> Result<ExitCode> {
    let strict = env::var("CI").is_ok_and(|value| value == "true");
    let mut missing = prerequisites::missing();
    if install && !missing.is_empty() {
        if let Err(error) = prerequisites::install(&missing) {
            println!("Could not install everything: {error:#}");
        }
        missing = prerequisites::missing();
    }
    if strict {
        prerequisites::need_all(&missing)?;
    }
    if !missing.is_empty() {
        println!(
            "Skipping tests that need: {}. Use `--install` to install missing tools.",
            prerequisites::list(&missing)
        );
    }
    let mut report = Report::new(missing);
    run_all(&mut report);
    Ok(report.finish())
}

/// Runs a single test target that drives the command or the browser.
pub fn run_target(target: [&str; 2], arguments: &[OsString]) -> Result<()> {
    run_targets(&target, |test| test.arg("--").args(arguments))
}

/// Runs the long variants of the tests of some targets, one after another.
pub fn run_long_variants(targets: &[&str]) -> Result<()> {
    prerequisites::need_target(project::WASM_TARGET)?;
    page::build_with_site()?;
    let targets: Vec<_> = targets.iter().flat_map(|target| ["--test", target]).collect();
    run_targets(&targets, |test| {
        test.args(["--", "--test-threads", "1", "--nocapture"]).env("QUEENS_ENDURE", "1")
    })
}

/// Builds the command, which the tests start, and runs test targets.
fn run_targets(targets: &[&str], more: impl FnOnce(&mut Command) -> &mut Command) -> Result<()> {
    let [packages, ..] = suites::HOST;
    let mut build = project::cargo();
    build.args(["build", "--bin", "queens"]).args(packages);
    let mut test = project::cargo();
    more(test.arg("test").args(targets).args(packages));
    for (mut command, what) in [(build, "building the command"), (test, "cargo test")] {
        suites::with_page(&mut command);
        project::run(&mut command, what)?;
    }
    Ok(())
}

/// Runs all steps, quick ones first.
fn run_all(report: &mut Report) {
    let wasm = Prerequisite::Target(project::WASM_TARGET);
    let clippy = Prerequisite::Component("clippy", "clippy");
    report.step("format", &[Prerequisite::Component("rustfmt", "fmt")], |_| {
        cargo(&["fmt", "--all", "--check"])
    });
    report.step("dependencies", &[], |_| dependencies::check());
    report.step("layers", &[], |_| layers::check());
    report.step("lengths of functions", &[], |_| functions::check());
    report.step("regressions", &[], |_| regressions::check());
    report.step("PTX of the kernels", &[prerequisites::NVRTC, prerequisites::PTXAS], |_| {
        ptx::check()
    });
    report.step("page", &[wasm], |_| page::build_with_site().map(drop));
    report.step("lints", &[clippy], |_| lint_host());
    report.step("lints of the page", &[clippy, wasm], |_| lint_page());
    report.step("documentation", &[wasm], |_| document());
    report.step("oldest Rust", &[prerequisites::OLDEST], |_| check_oldest());
    for target in [prerequisites::BARE_X86, prerequisites::BARE_ARM] {
        let name = format!("core without std on {target}");
        report.step(&name, &[Prerequisite::Target(target)], |_| check_core(target));
    }
    report.step("tests of the core without a heap", &[], suites::heapless);
    report.step("tests", &[], suites::host);
    // This step packs the command that the tests have built.
    report.step("release archive", &[wasm], |_| dist::check_tested_command());
    report.step("fuzzing", &[clippy, prerequisites::CXX], |_| fuzz::run_briefly());
    let counting = "instructions of hot paths";
    match instructions::incomparable() {
        Ok(Some(reason)) => report.skip(counting, reason),
        _ => report.step(counting, &[prerequisites::VALGRIND], |_| instructions::count(false)),
    }
    for processor in &prerequisites::FOREIGN {
        let name = format!("tests on a processor {}", processor.name);
        report.step(&name, processor.parts, |tests| suites::foreign(processor, tests));
    }
    report.step("tests under Miri", &[prerequisites::MIRI], suites::miri);
    let browser = [wasm, prerequisites::CHROMIUM, prerequisites::CHROMEDRIVER];
    report.step("tests in WebAssembly", &browser, suites::wasm);
}

fn lint_host() -> Result<()> {
    let all_targets = suites::HOST.map(|packages| [&["--all-targets"], packages].concat());
    for packages in all_targets.iter().map(Vec::as_slice).chain([suites::HEAPLESS]) {
        cargo(&[&["clippy"], packages, &["--", "--deny", "warnings"]].concat())?;
    }
    Ok(())
}

fn lint_page() -> Result<()> {
    for packages in [
        &["--package", "queens-core"][..],
        &["--package", "queens-gpu"],
        &["--package", "queens-state"],
        &[&page_packages()[..], &["--all-targets"]].concat(),
    ] {
        let target = &["clippy", "--target", project::WASM_TARGET][..];
        cargo(&[target, packages, &["--", "--deny", "warnings"]].concat())?;
    }
    Ok(())
}

/// Returns the packages of the page's modules, as arguments.
fn page_packages() -> Vec<&'static str> {
    page::PACKAGES.into_iter().flat_map(|package| ["--package", package]).collect()
}

fn document() -> Result<()> {
    let page = [&page_packages()[..], &["--target", project::WASM_TARGET]].concat();
    for packages in suites::HOST.into_iter().chain([&page[..]]) {
        let mut command = project::cargo();
        command.args(["doc", "--no-deps"]).args(packages).env("RUSTDOCFLAGS", "--deny warnings");
        suites::with_page(&mut command);
        project::run(&mut command, "cargo doc")?;
    }
    document_as_published()
}

/// Builds the core's documentation like docs.rs. docs.rs uses a nightly compiler to show the features of
/// each item; `RUSTC_BOOTSTRAP` enables this in the default compiler.
fn document_as_published() -> Result<()> {
    let mut command = project::cargo();
    command
        .args(["doc", "--no-deps", "--package", "queens-core", "--all-features", "--target-dir"])
        .arg(project::target().join("published"))
        .env("RUSTC_BOOTSTRAP", "1")
        .env("RUSTDOCFLAGS", "--cfg docsrs --deny warnings");
    project::run(&mut command, "cargo doc as docs.rs does it")
}

/// Checks that the host's packages, except this one and the test runner, compile with the minimum supported
/// Rust version.
fn check_oldest() -> Result<()> {
    let Prerequisite::Rust(version) = prerequisites::OLDEST else {
        bail!("{} is not a Rust version", prerequisites::OLDEST.name())
    };
    if prerequisites::is_default_rust(version) {
        println!("Skipped: everything here is already built with Rust {version}.");
        return Ok(());
    }
    let [packages, ..] = suites::HOST;
    // rustup's cargo, because the cargo that runs this program belongs to another toolchain.
    let mut command = Command::new("rustup");
    command
        .current_dir(project::root())
        .args(["run", version, "cargo", "check", "--quiet"])
        .args(packages)
        .arg("--target-dir")
        .arg(project::target().join("oldest"))
        .env_remove("RUSTC")
        .env_remove("CARGO");
    suites::with_page(&mut command);
    project::run(&mut command, "cargo check with the oldest Rust")
}

/// Checks that the core compiles without std, with and without a heap.
fn check_core(target: &str) -> Result<()> {
    for features in ["", "alloc", "serde", "document"] {
        cargo(&[
            "check",
            "--package",
            "queens-core",
            "--no-default-features",
            "--features",
            features,
            "--target",
            target,
        ])?;
    }
    Ok(())
}

fn cargo(arguments: &[&str]) -> Result<()> {
    let mut command = project::cargo();
    command.args(arguments);
    suites::with_page(&mut command);
    project::run(&mut command, &format!("cargo {}", arguments.join(" ")))
}
