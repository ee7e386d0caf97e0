//! Measures several programs on the same boards in turn.

use anyhow::Result;
use serde::Serialize;

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
