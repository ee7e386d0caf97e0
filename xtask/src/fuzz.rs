//! Runs the fuzz targets of `fuzz/`: libFuzzer generates inputs, guided by the branches that they reach.
//!
//! The stable compiler can instrument branches, so neither a nightly toolchain nor cargo-fuzz is needed.

use std::fs;
use std::path::{self, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use clap::Args;

use crate::project::{cargo, root, run, target};

/// The options of `cargo xtask fuzz`.
#[derive(Args)]
pub struct Fuzz {
    /// Fuzz target, a file or folder in fuzz/fuzz_targets [default: all, at the same time]
    target: Option<String>,
    /// Run the target once on each of these inputs, for example one that failed, instead of fuzzing
    #[arg(value_name = "INPUT")]
    inputs: Vec<PathBuf>,
    /// Seconds to run
    #[arg(long, default_value_t = 60)]
    seconds: u32,
}

/// The manifest of the targets, relative to the project's root.
const MANIFEST: &str = "fuzz/Cargo.toml";

/// The compiler flags of cargo-fuzz, without a sanitizer: a sanitizer would need a nightly
/// toolchain, and the core has no unsafe code except in the colour join, which Miri checks.
const FLAGS: [&str; 6] = [
    "--cfg=fuzzing",
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
];

/// Runs the requested targets.
pub fn fuzz(options: &Fuzz) -> Result<()> {
    let mut names = names()?;
    if let Some(name) = &options.target {
        let known = names.join(", ");
        names.retain(|known| known == name);
        ensure!(!names.is_empty(), "unknown fuzz target \"{name}\"; targets are {known}");
    }
    match &names[..] {
        [name] if !options.inputs.is_empty() => {
            let inputs = options.inputs.iter().map(path::absolute);
            run(program(name).args(inputs.collect::<Result<Vec<_>, _>>()?), name)
        }
        _ => search(&names, options.seconds),
    }
}

/// Checks the formatting and the lints of the targets, then runs all of them for ten seconds.
pub fn run_briefly() -> Result<()> {
    run(cargo().args(["fmt", "--check", "--manifest-path", MANIFEST]), "cargo fmt")?;
    run(instrumented("clippy").args(["--", "--deny", "warnings"]), "cargo clippy")?;
    search(&names()?, 10)
}

/// Returns the names of all targets.
fn names() -> Result<Vec<String>> {
    let folder = root().join("fuzz/fuzz_targets");
    let entries = fs::read_dir(&folder).with_context(|| folder.display().to_string())?;
    let stem = |path: PathBuf| Some(path.file_stem()?.to_str()?.to_owned());
    let mut names: Vec<_> = entries.filter_map(|entry| stem(entry.ok()?.path())).collect();
    names.sort();
    Ok(names)
}

/// Returns the folder for build output, collected inputs and findings.
fn folder() -> PathBuf {
    target().join("fuzz")
}

/// Returns a cargo command that instruments the targets and what they use. Without an explicit target
/// platform, it would instrument build scripts, too.
fn instrumented(subcommand: &str) -> Command {
    let mut command = cargo();
    command
        .args([subcommand, "--release", "--manifest-path", MANIFEST, "--target", "host-tuple"])
        .arg("--target-dir")
        .arg(folder())
        .env("CARGO_ENCODED_RUSTFLAGS", FLAGS.join("\u{1f}"));
    command
}

/// Returns a command that runs a target. An input that takes longer than 20 seconds is a failure.
fn program(name: &str) -> Command {
    let mut command = instrumented("run");
    command.args(["--quiet", "--bin", name, "--", "-timeout=20"]);
    command
}

/// Builds the targets and runs them at the same time, each on one thread: from the project's seeds, and
/// from the inputs that earlier runs on this machine collected.
fn search(names: &[String], seconds: u32) -> Result<()> {
    run(&mut instrumented("build"), "building the fuzz targets")?;
    println!("fuzzing for {seconds} s: {}", names.join(", "));
    let mut running = Vec::new();
    for name in names {
        let [collected, findings] =
            ["corpus", "findings"].map(|kind| folder().join(kind).join(name));
        fs::create_dir_all(&collected).and_then(|()| fs::create_dir_all(&findings))?;
        let seeds = match name.as_str() {
            "document" => root().join("tests/data/results"),
            _ => root().join("fuzz/corpus").join(name),
        };
        let child = program(name)
            .args(["-verbosity=0", "-print_funcs=0"])
            .arg(format!("-max_total_time={seconds}"))
            .arg(format!("-artifact_prefix={}/", findings.display()))
            .arg(collected)
            .args(Some(seeds).filter(|seeds| seeds.is_dir()))
            .stderr(Stdio::piped())
            .spawn();
        running.push((name.as_str(), child.with_context(|| format!("could not start {name}"))?));
    }
    let mut failed = Vec::new();
    for (name, child) in running {
        let output = child.wait_with_output()?;
        if !output.status.success() {
            eprintln!("{}", String::from_utf8_lossy(&output.stderr));
            failed.push(name);
        }
    }
    let failed = failed.join(", ");
    ensure!(
        failed.is_empty(),
        "{failed} failed; to run an input again: cargo xtask fuzz TARGET INPUT"
    );
    Ok(())
}
