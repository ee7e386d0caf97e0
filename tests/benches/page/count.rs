//! Benchmarks of Count: two workers of the page compared with two threads of the command, and the
//! time that a stop takes.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use queens_tests::browser::traced;
use queens_tests::command::CommandOutput;
use queens_tests::motions::count::{count, stop};

const N: u32 = 19;

/// The number of counts by the page and by the command; odd, for the median.
const ROUNDS: usize = 3;

/// The number of times that a count is stopped.
const STOPS: usize = 5;

/// A larger board, which does not end before it is stopped.
const LARGE: u32 = 21;

/// Measures the page and `command`, a release build, alternately.
pub fn measure(command: &Path) -> Result<()> {
    let (mut here, mut native) = (vec![], vec![]);
    for round in 0..ROUNDS {
        native.push(by_command(command)?);
        let (motion, seconds) = traced(|browser| count(browser, N))?;
        here.push(seconds);
        if round == 0 {
            crate::print(&format!("Count counts N = {N} in 2 workers"), &motion);
        }
    }
    let (here, native) = (median(here), median(native));
    println!("{:<32} {here:>8.2} s, by the command {native:.2} s", "that takes");
    println!("{:<32} {:>10.2}", "times as long", here / native);
    let slowest = traced(|browser| stop(browser, LARGE, STOPS))?;
    println!("{:<32} {slowest:>7.0} ms", format!("the slowest of {STOPS} stops"));
    Ok(())
}

/// Returns the seconds that the command needs with two threads. Its portable code uses vectors as wide as the
/// page's.
fn by_command(command: &Path) -> Result<f64> {
    let line = format!(
        "count {N} --backend cpu --method colours --isa portable --threads 2 --no-journal --json \
         --quiet"
    );
    let output = CommandOutput::capture(Command::new(command).args(line.split(' ')))?;
    ensure!(output.code == Some(0), "{}", output.err);
    output.json()["seconds"].as_f64().context("the seconds of a document")
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
