//! Measures several programs on the same boards in turn.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::contender::{Contender, Measurement};

/// All runs of all programs.
#[derive(Debug)]
pub struct Race {
    /// The contenders; the variants of `queens` come first.
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
            // Run each program once without measuring it, to fill caches such as the cache of compiled
            // kernels.
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
    let clock = Instant::now();
    let first = contender.document(n, total)?;
    for round in 1..counts {
        let next = contender.document(n, total)?;
        if let Some(difference) = difference(&first, &next) {
            bail!("N = {n}, rounds 1 and {}: {difference}", round + 1);
        }
    }
    Ok(clock.elapsed().as_secs_f64())
}

/// Returns the first difference between the classes and the tasks of two documents.
fn difference(first: &Value, second: &Value) -> Option<String> {
    for class in ["count2", "count4", "count8"] {
        if first[class] != second[class] {
            return Some(format!("{class} is {} and {}", first[class], second[class]));
        }
    }
    let [before, after] = [first, second].map(|document| {
        let tasks = document["tasks"].as_array().into_iter().flatten();
        tasks.map(|task| (task["id"].to_string(), &task["total"])).collect::<BTreeMap<_, _>>()
    });
    let ids: BTreeSet<_> = before.keys().chain(after.keys()).collect();
    ids.into_iter().find_map(|id| match [&before, &after].map(|tasks| tasks.get(id)) {
        [Some(before), Some(after)] if before == after => None,
        [Some(before), Some(after)] => Some(format!("task {id} is {before} and {after}")),
        [None, _] => Some(format!("task {id} is missing in the first")),
        [_, None] => Some(format!("task {id} is missing in the second")),
    })
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn finds_differences_and_missing_tasks() {
        let document = |class: &str, tasks: &[(u32, &str)]| {
            let tasks = tasks.iter().map(|(id, total)| json!({ "id": id, "total": total }));
            json!({ "count2": "0", "count4": "1", "count8": class, "tasks": tasks.collect::<Value>() })
        };
        let first = document("11", &[(0, "4"), (1, "8")]);
        for (second, expected) in [
            (document("11", &[(1, "8"), (0, "4")]), None),
            (document("10", &[(0, "4"), (1, "8")]), Some("count8 is \"11\" and \"10\"")),
            (document("11", &[(0, "4"), (1, "6")]), Some("task 1 is \"8\" and \"6\"")),
            (document("11", &[(0, "4")]), Some("task 1 is missing in the second")),
            (
                document("11", &[(0, "4"), (1, "8"), (2, "0")]),
                Some("task 2 is missing in the first"),
            ),
        ] {
            assert_eq!(difference(&first, &second).as_deref(), expected);
        }
    }
}
