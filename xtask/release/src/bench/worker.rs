//! Measures how fast the page's worker counts in the browser with SIMD, compared with the portable code
//! outside the browser.

use std::process::Command;

use anyhow::{Context, Result, ensure};
use xtask::{page, project, test};

use super::report::spread;
use crate::page::SETTINGS;

/// Measures the same tasks in the browser and outside it, in turn, and prints the times.
pub fn compare(runs: u16) -> Result<()> {
    let bench = ["--quiet", "--bench", "colours"];
    let mut outside = project::cargo();
    outside.arg("bench").args(bench).args(["--package", page::PACKAGES[1]]);
    let mut inside = project::cargo();
    inside.arg("test").args(bench).args(page::settings(page::RELEASED)).args(SETTINGS);
    test::in_the_browser(&mut inside)?;
    inside.args(["--", "--nocapture"]).env("WASM_BINDGEN_TEST_TIMEOUT", "600");
    // The first run compiles everything and is not measured.
    for command in [&mut outside, &mut inside] {
        time(command)?;
    }
    let mut rounds = vec![];
    for _ in 0..runs {
        rounds.push((time(&mut inside)?, time(&mut outside)?));
    }
    let column = |value: fn(&(f64, f64)) -> f64, digits, unit| {
        spread(&rounds.iter().map(value).collect::<Vec<_>>(), digits, unit)
    };
    println!("WebAssembly with SIMD, in the browser: {}", column(|times| times.0, 0, " ms"));
    println!("portable code, on this machine:        {}", column(|times| times.1, 0, " ms"));
    println!("speed of WebAssembly / portable:       {}", column(|times| times.1 / times.0, 2, ""));
    Ok(())
}

/// Runs a benchmark and returns the time that it prints, in milliseconds.
fn time(command: &mut Command) -> Result<f64> {
    let output = command.output().context("could not start cargo")?;
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "the benchmark failed: {text}{errors}");
    read(&text).with_context(|| format!("the benchmark printed no time: {text}"))
}

/// Returns the number before "ms".
fn read(text: &str) -> Option<f64> {
    let (before, _) = text.split_once(" ms")?;
    before.rsplit(' ').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_time_before_its_unit() {
        assert_eq!(read("running 1 test\nsimd128, N = 18: 368.6 ms\nok"), Some(368.6));
        assert_eq!(read("no time"), None);
    }
}
