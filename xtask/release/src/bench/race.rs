//! Measures several programs on the same boards in turn.

use std::collections::BTreeMap;
use std::time::Instant;

use anyhow::{Result, bail, ensure};
use serde::Serialize;
use serde_json::Value;

use super::contender::{Contender, Measurement};

/// All runs on one board.
#[derive(Debug, Serialize)]
pub struct Board {
    pub n: u32,
    /// The times of each program, in the order of the contenders.
    pub programs: Vec<Times>,
}

/// The times of a program in seconds, in the order of its runs. A list is empty if its times are unknown.
#[derive(Debug, Default, Serialize)]
pub struct Times {
    pub name: String,
    /// Wall-clock times.
    pub seconds: Vec<f64>,
    pub processor: Vec<f64>,
    pub at_work: Vec<f64>,
}

impl Times {
    pub fn add(&mut self, run: Measurement) {
        self.seconds.push(run.seconds);
        self.processor.extend(run.processor);
        self.at_work.extend(run.at_work);
    }
}

/// Measures each program `runs` times on each board. The programs take turns, so a machine that gets hot or
/// busy affects all of them alike. Every answer is checked.
pub fn race(contenders: &[Contender], boards: &[(u32, String)], runs: u16) -> Result<Vec<Board>> {
    let mut measured = vec![];
    for (n, total) in boards {
        let times = |each: &Contender| Times { name: each.name.clone(), ..Times::default() };
        let mut programs: Vec<_> = contenders.iter().map(times).collect();
        for round in 0..runs {
            eprintln!("N = {n}, round {} of {runs}", round + 1);
            for (contender, times) in contenders.iter().zip(&mut programs) {
                times.add(contender.run(*n, total)?.0);
            }
        }
        measured.push(Board { n: *n, programs });
    }
    Ok(measured)
}

/// Counts each board `counts` times. Fails if the classes or a task differ from those of the first count.
pub fn soak(contender: &Contender, boards: &[(u32, String)], counts: u32) -> Result<()> {
    for (n, total) in boards {
        let clock = Instant::now();
        let first = contender.run(*n, total)?.1;
        ensure!(first["tasks"].is_array(), "{} prints no tasks", contender.name);
        for round in 1..counts {
            let next = contender.run(*n, total)?.1;
            if let Some(difference) = difference(&first, &next) {
                bail!("N = {n}, rounds 1 and {}: {difference}", round + 1);
            }
        }
        let (name, time) = (&contender.name, clock.elapsed().as_secs_f64());
        println!("{name}, N = {n}: {counts} counts agree, task by task, in {time:.1} s");
    }
    Ok(())
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
    let mut ids = before.keys().chain(after.keys());
    let id = ids.find(|&id| before.get(id) != after.get(id))?;
    let text = |tasks: &BTreeMap<_, &Value>| {
        tasks.get(id).map_or_else(|| "missing".to_owned(), ToString::to_string)
    };
    Some(format!("task {id} is {} and {}", text(&before), text(&after)))
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
            (document("11", &[(0, "4")]), Some("task 1 is \"8\" and missing")),
            (document("11", &[(0, "4"), (1, "8"), (2, "0")]), Some("task 2 is missing and \"0\"")),
        ] {
            assert_eq!(difference(&first, &second).as_deref(), expected);
        }
    }
}
