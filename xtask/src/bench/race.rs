//! Measures several programs on the same boards in turn.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use super::contender::{Contender, Measurement};

/// All runs of all programs.
#[derive(Debug)]
pub struct Race {
    /// The contenders; `queens` comes first.
    pub contenders: Vec<Contender>,
    /// The runs of each board.
    pub boards: Vec<BoardRuns>,
}

/// The runs of one board.
#[derive(Debug)]
pub struct BoardRuns {
    pub n: u32,
    /// The runs of each program, in the order of the contenders.
    pub runs: Vec<Vec<Measurement>>,
}

impl Race {
    /// Measures each program `runs` times on each board. The programs take turns, so a machine that
    /// gets hot or busy affects all of them alike. Every answer is checked.
    pub fn run(contenders: Vec<Contender>, boards: &[(u32, String)], runs: u16) -> Result<Race> {
        if let Some((n, total)) = boards.first() {
            // Run each program once without measuring it, to fill caches such as that for compiled kernels.
            for contender in &contenders {
                contender.run(*n, total)?;
            }
        }
        let mut measured = vec![];
        for (n, total) in boards {
            let mut board = BoardRuns { n: *n, runs: vec![vec![]; contenders.len()] };
            for round in 0..runs {
                eprintln!("N = {n}, round {} of {runs}", round + 1);
                for (contender, runs) in contenders.iter().zip(&mut board.runs) {
                    runs.push(contender.run(*n, total)?);
                }
            }
            measured.push(board);
        }
        Ok(Race { contenders, boards: measured })
    }
}

/// Counts a board `counts` times, compares the classes and every task with the first count, and returns the
/// time in seconds.
pub fn soak(contender: &Contender, n: u32, total: &str, counts: u32) -> Result<f64> {
    let tasks = |document: &Value| -> Vec<(Value, Value)> {
        let tasks = document["tasks"].as_array().into_iter().flatten();
        tasks.map(|task| (task["id"].clone(), task["total"].clone())).collect()
    };
    let clock = Instant::now();
    let first = contender.document(n, total)?;
    for round in 1..counts {
        let next = contender.document(n, total)?;
        for class in ["count2", "count4", "count8"] {
            ensure!(
                next[class] == first[class],
                "N = {n}: {class} was {} in round 1 and {} in round {}",
                first[class],
                next[class],
                round + 1
            );
        }
        let pairs = tasks(&first).into_iter().zip(tasks(&next));
        if let Some((before, after)) = pairs.into_iter().find(|(before, after)| before != after) {
            bail!(
                "N = {n}, task {}: {} in round 1 and {} in round {}",
                before.0,
                before.1,
                after.1,
                round + 1
            );
        }
    }
    Ok(clock.elapsed().as_secs_f64())
}

/// Returns the host machine, as a result document of the command describes it.
pub fn host(queens: &Path) -> Result<Value> {
    let arguments = ["--backend", "cpu", "--json", "--quiet"].map(str::to_owned).into();
    let document = Contender::ours("queens".to_owned(), queens, arguments).document(8, "92")?;
    Ok(document["host"].clone())
}

/// Returns the devices that the command finds.
pub fn devices(queens: &Path) -> Result<Value> {
    let output = Command::new(queens)
        .args(["devices", "--json"])
        .output()
        .with_context(|| format!("starting {}", queens.display()))?;
    serde_json::from_slice(&output.stdout).context("reading the list of devices")
}
