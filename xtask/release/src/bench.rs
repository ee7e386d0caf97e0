//! Benchmarks: the command compared with other programs on the same machine, and the page.
//!
//! docs/performance.md explains the method.

mod contender;
mod race;
mod report;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::Args;
use serde_json::Value;
use xtask::{project, serve};

use crate::page;
use contender::Contender;

/// Options of the benchmarks.
#[derive(Args)]
pub struct Bench {
    /// Smallest board
    #[arg(long, value_name = "N", default_value_t = 16)]
    from: u32,
    /// Largest board
    #[arg(long, value_name = "N", default_value_t = 18)]
    to: u32,
    /// Number of times that each program counts each board
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..))]
    runs: u16,
    /// Arguments of `queens count`; repeatable, to compare methods, instruction sets or numbers of threads
    /// [default: the colour join on one thread]
    #[arg(long, value_name = "ARGUMENTS", allow_hyphen_values = true)]
    with: Vec<String>,
    /// Another program to measure: its name and its command line, with {n} for the board; repeatable
    ///
    /// docs/bench/rivals.sh builds some and prints their options.
    #[arg(long, value_name = "NAME=COMMAND")]
    rival: Vec<String>,
    /// Measure this build of queens [default: build the release]
    #[arg(long, value_name = "FILE")]
    queens: Option<PathBuf>,
    /// Write all times and the environment to this file as JSON
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Measure how smoothly the page runs in headless Chromium
    #[arg(long, exclusive = true)]
    page: bool,
}

impl Bench {
    /// Returns the boards in ascending order, each with its number of solutions.
    fn boards(&self) -> Result<Vec<(u32, String)>> {
        ensure!(self.from <= self.to, "`--from {}` is greater than `--to {}`", self.from, self.to);
        (self.from..=self.to).map(|n| Ok((n, known_total(n)?))).collect()
    }

    /// Returns the arguments of each variant of `queens count`.
    fn variants(&self) -> Vec<&str> {
        match &self.with[..] {
            [] => vec!["--backend cpu --method colours --threads 1"],
            selected => selected.iter().map(String::as_str).collect(),
        }
    }
}

/// Returns the known number of solutions of a board.
fn known_total(n: u32) -> Result<String> {
    const KNOWN: &str = include_str!("../../../tests/data/known-counts.json");
    let known: Value = serde_json::from_str(KNOWN).context("reading the known counts")?;
    let line = known["counts"].as_array().into_iter().flatten().find(|line| line["n"] == n);
    let total = line.and_then(|line| line["total"].as_str());
    total.map(str::to_owned).with_context(|| format!("the answer for N = {n} is not known"))
}

/// Runs the requested benchmark. A comparison of programs prints a table and writes the times.
pub fn bench(how: &Bench) -> Result<()> {
    if how.page {
        return measure_page();
    }
    let boards = how.boards()?;
    let queens = match &how.queens {
        Some(file) => file.clone(),
        None => release_command(&xtask::page::build()?)?,
    };
    let variants = how.variants().into_iter();
    let mut contenders: Vec<_> =
        variants.map(|arguments| Contender::ours(&queens, arguments)).collect();
    for rival in &how.rival {
        contenders.push(Contender::rival(rival)?);
    }
    // Run each program once without measuring it, to fill caches such as the cache of compiled kernels.
    // The first document describes the machine and the build.
    let (n, total) = boards.first().context("no board")?;
    let documents = contenders.iter().map(|each| Ok(each.run(*n, total)?.1));
    let documents = documents.collect::<Result<Vec<_>>>()?;
    let measured = race::race(&contenders, &boards, how.runs)?;
    println!("{}", report::table(&measured));
    if let Some(file) = &how.output {
        let document = documents.first().context("no program")?;
        let record = report::json(&contenders, &measured, document);
        let text = serde_json::to_string_pretty(&record)?;
        fs::write(file, text + "\n").with_context(|| file.display().to_string())?;
    }
    Ok(())
}

/// Measures how smoothly the page of a release moves.
fn measure_page() -> Result<()> {
    page::build(None)?;
    let queens = release_command(&xtask::page::released_folder())?;
    let mut bench = project::cargo("test --package queens-tests --bench page --");
    project::run(bench.arg(&queens).env("QUEENS_BIN", &queens))
}

/// Builds the release command with a page, and returns its path.
fn release_command(page: &Path) -> Result<PathBuf> {
    serve::build_command(page, "--release")?;
    Ok(serve::program())
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        bench: Bench,
    }

    #[test]
    fn measures_the_colour_join_unless_others_are_selected() {
        let variants = |line: &str| {
            let words =
                ["bench"].into_iter().chain(line.split(' ').filter(|word| !word.is_empty()));
            let words = words.map(|word| word.replace('_', " "));
            let line = Line::try_parse_from(words).unwrap();
            line.bench.variants().into_iter().map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(variants(""), ["--backend cpu --method colours --threads 1"]);
        let selected = variants("--with --isa_avx2 --with --isa_portable");
        assert_eq!(selected, ["--isa avx2", "--isa portable"]);
        assert!(Line::try_parse_from(["bench", "--page", "--from", "8"]).is_err());
    }

    #[test]
    fn expected_totals_come_from_the_data_file() {
        assert_eq!(known_total(8).unwrap(), "92");
        let error = known_total(28).unwrap_err().to_string();
        assert_eq!(error, "the answer for N = 28 is not known");
    }
}
