//! Runs the fuzz targets of `fuzz/`: libFuzzer generates inputs, guided by the branches that they reach.
//!
//! The stable compiler can instrument branches (fuzz/.cargo/config.toml), so neither a nightly toolchain nor
//! cargo-fuzz is needed.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use clap::Args;

use crate::project::{cargo, root, run, target};

/// The options of `cargo xtask fuzz`.
#[derive(Args)]
pub struct Fuzz {
    /// Fuzz target, a file or folder in fuzz/fuzz_targets [default: all, at the same time]
    target: Option<String>,
    /// Seconds to run
    #[arg(long, default_value_t = 60)]
    seconds: u32,
}

/// Runs the requested targets.
pub fn fuzz(options: &Fuzz) -> Result<()> {
    let mut names = names()?;
    if let Some(name) = &options.target {
        let known = names.join(", ");
        names.retain(|known| known == name);
        ensure!(!names.is_empty(), "unknown fuzz target \"{name}\"; targets are {known}");
    }
    search(&names, options.seconds)
}

/// Checks the formatting and the lints of the targets, then runs all of them for ten seconds.
pub fn run_briefly() -> Result<()> {
    run(&mut fuzz_cargo("fmt --check"))?;
    run(&mut fuzz_cargo("clippy --release -- --deny warnings"))?;
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

/// Returns a cargo command that runs in `fuzz/`.
fn fuzz_cargo(arguments: &str) -> Command {
    let mut command = cargo(arguments);
    command.current_dir(root().join("fuzz"));
    command
}

/// Builds the targets and runs them at the same time, each on one thread: from the project's seeds, and
/// from the inputs that earlier runs on this machine collected. An input that takes longer than 20 seconds is a
/// failure.
fn search(names: &[String], seconds: u32) -> Result<()> {
    run(&mut fuzz_cargo("build --release"))?;
    println!("fuzzing for {seconds} s: {}", names.join(", "));
    let mut running = Vec::new();
    for name in names {
        let [collected, findings] =
            ["corpus", "findings"].map(|kind| target().join("fuzz").join(kind).join(name));
        fs::create_dir_all(&collected).and_then(|()| fs::create_dir_all(&findings))?;
        let seeds = match name.as_str() {
            "document" => root().join("tests/data/results"),
            _ => root().join("fuzz/corpus").join(name),
        };
        let child = fuzz_cargo(&format!("run --quiet --release --bin {name} --"))
            .args(["-timeout=20", "-verbosity=0", "-print_funcs=0"])
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
        "{failed} failed; fuzz/README.md explains how to run an input again"
    );
    Ok(())
}
