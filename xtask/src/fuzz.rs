//! Runs the fuzz targets of `fuzz/`, each for a given time.
//!
//! libFuzzer generates the inputs, guided by the branches that they reach. The stable compiler can
//! instrument branches, so neither a nightly toolchain nor cargo-fuzz is needed.

use std::path::{Path, PathBuf};
use std::process::{self, Command, Output};
use std::sync::{Mutex, PoisonError};
use std::{env, fs, thread};

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::project;

/// The options of `cargo xtask fuzz`.
#[derive(Args)]
pub struct Fuzz {
    /// Fuzz target, a file in fuzz/fuzz_targets [default: all, one after another]
    target: Option<String>,
    /// Run the target once on each of these inputs, for example one that failed, instead of fuzzing
    #[arg(value_name = "INPUT")]
    inputs: Vec<PathBuf>,
    /// Seconds to run each target
    #[arg(long, default_value_t = 60)]
    seconds: u32,
}

/// The manifest of the targets, relative to the project's root.
pub const MANIFEST: &str = "fuzz/Cargo.toml";

/// The time for which the test run fuzzes each target, in seconds.
const BRIEF_SECONDS: u32 = 5;

/// Limits: seconds per input, and memory of the process in MiB.
const LIMITS: [&str; 2] = ["-timeout=20", "-rss_limit_mb=2048"];

/// The compiler flags of cargo-fuzz, without a sanitizer: a sanitizer would need a nightly
/// toolchain, and the core has no unsafe code except in half-board matching, which Miri checks.
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
    let targets = targets()?;
    let chosen: Vec<&String> = targets
        .iter()
        .filter(|&name| options.target.as_ref().is_none_or(|it| it == name))
        .collect();
    if chosen.is_empty() {
        let wanted = options.target.as_deref().unwrap_or_default();
        bail!("unknown fuzz target \"{wanted}\"; targets are {}", targets.join(", "));
    }
    let programs = build()?;
    for name in chosen {
        let program = programs.join(name);
        if options.inputs.is_empty() {
            run(name, &program, options.seconds)?;
        } else {
            let mut command = Command::new(program);
            command.args(LIMITS).args(&options.inputs);
            project::run(&mut command, name)?;
        }
    }
    Ok(())
}

/// Checks the formatting and the lints of the targets' sources, then runs every target for
/// `BRIEF_SECONDS`, two at a time.
pub fn run_briefly() -> Result<()> {
    let format = ["fmt", "--check", "--manifest-path", MANIFEST];
    project::run(project::cargo().args(format), "cargo fmt")?;
    let mut clippy = cargo("clippy")?;
    project::run(clippy.args(["--", "--deny", "warnings"]), "cargo clippy")?;
    let programs = build()?;
    // Each target runs on one thread.
    let targets = Mutex::new(targets()?.into_iter());
    let next = || targets.lock().unwrap_or_else(PoisonError::into_inner).next();
    let run_some = || -> Result<()> {
        while let Some(name) = next() {
            run(&name, &programs.join(&name), BRIEF_SECONDS)?;
        }
        Ok(())
    };
    thread::scope(|scope| {
        let other = scope.spawn(run_some);
        let outcome = run_some();
        match other.join() {
            Ok(other) => outcome.and(other),
            Err(_) => bail!("a thread that ran fuzz targets panicked"),
        }
    })
}

/// Returns the names of all targets.
fn targets() -> Result<Vec<String>> {
    let metadata = project::metadata(&["--no-deps", "--manifest-path", MANIFEST])?;
    let targets = metadata["packages"][0]["targets"].as_array().into_iter().flatten();
    let programs = targets.filter(|target| target["kind"][0] == "bin");
    Ok(programs.filter_map(|target| target["name"].as_str().map(str::to_owned)).collect())
}

/// Returns the folder for build output, corpora and findings.
fn folder() -> PathBuf {
    project::target().join("fuzz")
}

/// Returns a cargo command for the targets, with a separate target folder.
fn cargo(subcommand: &str) -> Result<Command> {
    let mut command = project::cargo();
    command
        .args([subcommand, "--release", "--manifest-path", MANIFEST, "--target", &host()?])
        .arg("--target-dir")
        .arg(folder())
        .env("CARGO_ENCODED_RUSTFLAGS", FLAGS.join("\u{1f}"));
    Ok(command)
}

/// Builds all targets and returns the folder that contains them.
fn build() -> Result<PathBuf> {
    project::run(&mut cargo("build")?, "building the fuzz targets")?;
    Ok(folder().join(host()?).join("release"))
}

/// Returns the target triple of this machine. Without an explicit target, cargo would also pass the
/// flags to build scripts.
fn host() -> Result<String> {
    let output = Command::new("rustc").args(["--print", "host-tuple"]).output();
    let output = output.context("could not start rustc")?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Runs a target for `seconds`, starting from the project's corpus and from the inputs that earlier
/// runs on this machine added.
fn run(name: &str, program: &Path, seconds: u32) -> Result<()> {
    println!("{name}: {seconds} s …");
    let [corpus, findings] = ["corpus", "findings"].map(|kind| folder().join(kind).join(name));
    for folder in [&corpus, &findings] {
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    let corpora = ["fuzz/corpus/".to_owned() + name, "tests/data/results".to_owned()];
    // The example documents are shared with other tests.
    let corpora = corpora.iter().take(if name == "document" { 2 } else { 1 });
    let corpora =
        corpora.map(|folder| project::root().join(folder)).filter(|folder| folder.is_dir());
    let files = Scratch::new(name)?;
    let output = Command::new(program)
        .env("TMPDIR", &files.0)
        .args(LIMITS)
        .arg(format!("-max_total_time={seconds}"))
        .arg("-print_final_stats=1")
        .arg(format!("-artifact_prefix={}/", findings.display()))
        .arg(&corpus)
        .args(corpora)
        .output()
        .with_context(|| format!("could not start {name}"))?;
    let log = log(&output);
    if output.status.success() {
        let inputs = text_after(&log, "stat::number_of_executed_units:").unwrap_or("no");
        println!("{name}: {inputs} inputs, no failure");
        return Ok(());
    }
    // Print the output, but not its progress lines.
    let lines = log.lines().filter(|line| !line.starts_with('#') && !line.starts_with("INFO"));
    println!("{}", lines.collect::<Vec<_>>().join("\n"));
    let Some(input) = text_after(&log, "Test unit written to") else {
        bail!("{name} failed ({})", output.status);
    };
    show(program, Path::new(input));
    bail!("{name} found a failing input; to run it again: cargo xtask fuzz {name} {input}")
}

/// A temporary folder for the files of a target, in memory if possible, because some targets write one
/// per input. libFuzzer ends a target before the target can remove its files.
struct Scratch(PathBuf);

impl Scratch {
    fn new(target: &str) -> Result<Scratch> {
        let name = format!("queens-fuzz-{target}-{}", process::id());
        let in_memory = Path::new("/dev/shm").join(&name);
        if fs::create_dir(&in_memory).is_ok() {
            return Ok(Scratch(in_memory));
        }
        let folder = env::temp_dir().join(name);
        fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
        Ok(Scratch(folder))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // If the folder cannot be removed, the system removes it with its other temporary files.
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn log(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Returns the rest of the first line that contains `label`.
fn text_after<'a>(log: &'a str, label: &str) -> Option<&'a str> {
    log.lines().find_map(|line| Some(line.split_once(label)?.1.trim()))
}

/// Prints the input as the value that the target parses from its bytes.
fn show(program: &Path, input: &Path) {
    let file = folder().join("input.txt");
    let shown = Command::new(program).arg(input).env("RUST_LIBFUZZER_DEBUG_PATH", &file).output();
    if let (Ok(_), Ok(text)) = (shown, fs::read_to_string(&file)) {
        println!("The input is:\n{text}");
    }
}
