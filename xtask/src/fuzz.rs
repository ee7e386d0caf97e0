//! Fuzzing: each target of `fuzz/` is given inputs that nobody has thought of, as many as its time
//! allows.
//!
//! libFuzzer makes them, led by which branches of the code they reach. The compiler can mark those
//! by itself, so there is need neither of a nightly toolchain nor of cargo-fuzz.

use std::path::{Path, PathBuf};
use std::process::{self, Command, Output};
use std::{env, fs};

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::project;

/// What to fuzz, and for how long.
#[derive(Args)]
pub struct Fuzz {
    /// The target, a file of fuzz/fuzz_targets; all of them, one after another, if left out.
    target: Option<String>,
    /// Inputs to run once each instead, such as one that was found.
    #[arg(value_name = "INPUT")]
    inputs: Vec<PathBuf>,
    /// How long each target runs.
    #[arg(long, default_value_t = 60)]
    seconds: u32,
}

/// The manifest of the targets, from the project's root.
pub const MANIFEST: &str = "fuzz/Cargo.toml";

/// How long the tests run each target, in seconds.
const BRIEFLY: u32 = 5;

/// Longer than any input takes, in seconds, and more memory than any needs, in MiB.
const LIMITS: [&str; 2] = ["-timeout=20", "-rss_limit_mb=2048"];

/// What cargo-fuzz gives the compiler, but for a sanitizer: that would take a nightly toolchain,
/// and the core has no unsafe code outside half-board matching, which Miri looks after.
const FLAGS: [&str; 6] = [
    "--cfg=fuzzing",
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
];

/// Runs the targets that are asked for.
pub fn fuzz(how: &Fuzz) -> Result<()> {
    let targets = targets()?;
    let chosen: Vec<&String> =
        targets.iter().filter(|&name| how.target.as_ref().is_none_or(|it| it == name)).collect();
    if chosen.is_empty() {
        let wanted = how.target.as_deref().unwrap_or_default();
        bail!("\"{wanted}\" is no target; there are {}", targets.join(", "));
    }
    let programs = build()?;
    for name in chosen {
        let program = programs.join(name);
        if how.inputs.is_empty() {
            run(name, &program, how.seconds)?;
        } else {
            let mut command = Command::new(program);
            command.args(LIMITS).args(&how.inputs);
            project::run(&mut command, name)?;
        }
    }
    Ok(())
}

/// Runs every target for some seconds, and holds their sources to the usual lints.
pub fn briefly() -> Result<()> {
    let format = ["fmt", "--check", "--manifest-path", MANIFEST];
    project::run(project::cargo().args(format), "cargo fmt")?;
    let mut clippy = cargo("clippy")?;
    project::run(clippy.args(["--", "--deny", "warnings"]), "cargo clippy")?;
    fuzz(&Fuzz { target: None, inputs: Vec::new(), seconds: BRIEFLY })
}

/// The names of all targets.
fn targets() -> Result<Vec<String>> {
    let metadata = project::metadata(&["--no-deps", "--manifest-path", MANIFEST])?;
    let targets = metadata["packages"][0]["targets"].as_array().into_iter().flatten();
    let programs = targets.filter(|target| target["kind"][0] == "bin");
    Ok(programs.filter_map(|target| target["name"].as_str().map(str::to_owned)).collect())
}

/// Where all that belongs to fuzzing and not to the sources is kept.
fn folder() -> PathBuf {
    project::target().join("fuzz")
}

/// Cargo for the targets; nothing of it is shared with what is built for other ends.
fn cargo(subcommand: &str) -> Result<Command> {
    let mut command = project::cargo();
    command
        .args([subcommand, "--release", "--manifest-path", MANIFEST, "--target", &host()?])
        .arg("--target-dir")
        .arg(folder())
        .env("CARGO_ENCODED_RUSTFLAGS", FLAGS.join("\u{1f}"));
    Ok(command)
}

/// Builds all targets; returns the folder that they are in.
fn build() -> Result<PathBuf> {
    project::run(&mut cargo("build")?, "building the fuzz targets")?;
    Ok(folder().join(host()?).join("release"))
}

/// The target of this machine. Cargo has to be told, or it would give its flags to build scripts,
/// too.
fn host() -> Result<String> {
    let output = Command::new("rustc").args(["--print", "host-tuple"]).output();
    let output = output.context("rustc could not be started")?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Runs a target for so many seconds. It begins with the inputs that the project keeps and with
/// those that earlier runs on this machine found worth keeping.
fn run(name: &str, program: &Path, seconds: u32) -> Result<()> {
    println!("{name}: {seconds} s …");
    let [found, findings] = ["corpus", "findings"].map(|kind| folder().join(kind).join(name));
    for folder in [&found, &findings] {
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    let kept = ["fuzz/corpus/".to_owned() + name, "tests/data/results".to_owned()];
    // What documents there are serve other tests, too.
    let kept = kept.iter().take(if name == "document" { 2 } else { 1 });
    let kept = kept.map(|folder| project::root().join(folder)).filter(|folder| folder.is_dir());
    let files = Scratch::new()?;
    let output = Command::new(program)
        .env("TMPDIR", &files.0)
        .args(LIMITS)
        .arg(format!("-max_total_time={seconds}"))
        .arg("-print_final_stats=1")
        .arg(format!("-artifact_prefix={}/", findings.display()))
        .arg(&found)
        .args(kept)
        .output()
        .with_context(|| format!("{name} could not be started"))?;
    let said = said(&output);
    if output.status.success() {
        let inputs = after(&said, "stat::number_of_executed_units:").unwrap_or("no");
        println!("{name}: {inputs} inputs, nothing found");
        return Ok(());
    }
    // What it says beside its progress.
    let lines = said.lines().filter(|line| !line.starts_with('#') && !line.starts_with("INFO"));
    println!("{}", lines.collect::<Vec<_>>().join("\n"));
    let Some(input) = after(&said, "Test unit written to") else {
        bail!("{name} failed ({})", output.status);
    };
    show(program, Path::new(input));
    bail!("{name} fails with an input that was found; again: cargo xtask fuzz {name} {input}")
}

/// A folder for the files that a target writes: in memory where the system has such a place, since
/// some write one for every input. libFuzzer ends a target before it could remove them.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Result<Scratch> {
        let name = format!("queens-fuzz-{}", process::id());
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
        // What cannot be removed is the system's to clean up.
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// What stands behind `words` in their line.
fn after<'a>(said: &'a str, words: &str) -> Option<&'a str> {
    said.lines().find_map(|line| Some(line.split_once(words)?.1.trim()))
}

/// Prints what a target reads from an input's bytes.
fn show(program: &Path, input: &Path) {
    let file = folder().join("input.txt");
    let shown = Command::new(program).arg(input).env("RUST_LIBFUZZER_DEBUG_PATH", &file).output();
    if let (Ok(_), Ok(text)) = (shown, fs::read_to_string(&file)) {
        println!("The input is:\n{text}");
    }
}
