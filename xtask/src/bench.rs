//! How fast the command counts, beside other programs on the same machine.
//!
//! docs/performance.md explains the method.

mod contender;
mod race;
mod report;

use std::path::PathBuf;
use std::process::ExitCode;
use std::{env, fs};

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use serde_json::Value;

use crate::project;
use contender::Contender;
use race::Race;

/// What to measure.
#[derive(Args)]
pub struct Bench {
    /// Measure counting on GPUs.
    #[arg(long, required = true)]
    gpu: bool,
    /// How the GPU is reached.
    #[arg(long, default_value = "cuda", value_parser = ["cuda", "wgpu"])]
    backend: String,
    /// Which device of the backend; by default what the command takes by itself.
    #[arg(long, value_name = "K")]
    device: Option<u16>,
    /// The smallest board.
    #[arg(long, value_name = "N", default_value_t = 16)]
    from: u32,
    /// The largest board.
    #[arg(long, value_name = "N", default_value_t = 20)]
    to: u32,
    /// How often each program counts each board.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..))]
    runs: u16,
    /// Another program: its name and the command that counts a board of {n}; may be repeated.
    #[arg(long, value_name = "NAME=COMMAND")]
    rival: Vec<String>,
    /// The command to measure, already built [default: build the release].
    #[arg(long, value_name = "FILE")]
    queens: Option<PathBuf>,
    /// Write all times and what was measured on.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Instead of measuring, count each board so often, and fail unless all counts agree, task by
    /// task.
    #[arg(long, value_name = "COUNTS", value_parser = clap::value_parser!(u32).range(1..))]
    soak: Option<u32>,
}

impl Bench {
    /// The boards, smallest first, each with its number of solutions.
    fn boards(&self) -> Result<Vec<(u32, String)>> {
        ensure!(self.from <= self.to, "--from {} is larger than --to {}", self.from, self.to);
        let file = project::root().join("tests/data/known-counts.json");
        let text = fs::read_to_string(&file).with_context(|| file.display().to_string())?;
        let known: Value = serde_json::from_str(&text).context("reading the known counts")?;
        (self.from..=self.to).map(|n| Ok((n, total(&known, n)?))).collect()
    }

    /// The arguments with which `queens` counts, but for the board.
    fn arguments(&self) -> Vec<String> {
        let mut arguments = vec!["--backend".to_owned(), self.backend.clone()];
        if let Some(device) = self.device {
            arguments.extend(["--device".to_owned(), device.to_string()]);
        }
        arguments.extend(["--json".to_owned(), "--quiet".to_owned()]);
        arguments
    }
}

/// The number of solutions of a board, from the project's list.
fn total(known: &Value, n: u32) -> Result<String> {
    let lines = known["counts"].as_array().into_iter().flatten();
    let total = lines.clone().find(|line| line["n"] == n).and_then(|line| line["total"].as_str());
    let Some(total) = total else {
        let largest = lines.filter_map(|line| line["n"].as_u64()).max().unwrap_or(0);
        bail!("no answer is known for N = {n}; it is for N = 1 to {largest}");
    };
    Ok(total.to_owned())
}

/// Measures, prints a table and writes the times.
pub fn bench(how: &Bench) -> Result<ExitCode> {
    let boards = how.boards()?;
    let queens = match &how.queens {
        Some(file) => file.clone(),
        None => build()?,
    };
    let ours = Contender::ours(&queens, how.arguments());
    if let Some(counts) = how.soak {
        for (n, total) in &boards {
            let time = race::soak(&ours, *n, total, counts)?;
            println!("N = {n}: {counts} counts agree, task by task, in {time:.1} s");
        }
        return Ok(ExitCode::SUCCESS);
    }
    let rivals = how.rival.iter().map(|rival| Contender::rival(rival));
    let contenders = [Ok(ours)].into_iter().chain(rivals).collect::<Result<Vec<_>>>()?;
    let devices = race::devices(&queens)?;
    let race = Race::run(contenders, &boards, how.runs)?;
    println!("{}", report::table(&race));
    if let Some(file) = &how.output {
        let text = serde_json::to_string_pretty(&report::json(&race, &devices))?;
        fs::write(file, text + "\n").with_context(|| file.display().to_string())?;
    }
    Ok(ExitCode::SUCCESS)
}

fn build() -> Result<PathBuf> {
    let mut build = project::cargo();
    build.args(["build", "--release", "--package", "queens"]);
    project::run(&mut build, "building the command")?;
    Ok(project::target().join("release").join(format!("queens{}", env::consts::EXE_SUFFIX)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_the_projects_own() {
        let known = serde_json::json!({ "counts": [{ "n": 8, "total": "92" }] });
        assert_eq!(total(&known, 8).unwrap(), "92");
        let error = total(&known, 9).unwrap_err().to_string();
        assert_eq!(error, "no answer is known for N = 9; it is for N = 1 to 8");
    }
}
