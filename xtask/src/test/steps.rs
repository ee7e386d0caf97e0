//! The steps of a test run, and its last lines: the steps with their times, and what was skipped.

use std::env;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result, anyhow};

use crate::project;

/// The environment variable with the file to which test programs append what they skip.
pub const SKIPPED_VARIABLE: &str = "QUEENS_SKIPPED";

/// Returns that file.
pub fn skipped_file() -> PathBuf {
    project::target().join("skipped.txt")
}

/// The steps of a test run. A failed step does not keep the next one from running.
pub struct Steps {
    start: Instant,
    /// Whether a skipped step is a failure.
    strict: bool,
    ended: Vec<String>,
    has_failed: bool,
}

impl Steps {
    pub fn start() -> Result<Steps> {
        fs::write(skipped_file(), "").context("cannot write to the target folder")?;
        Ok(Steps {
            start: Instant::now(),
            strict: env::var("CI").is_ok_and(|value| value == "true"),
            ended: Vec::new(),
            has_failed: false,
        })
    }

    /// Runs a step.
    pub fn run(&mut self, name: &str, step: impl FnOnce() -> Result<()>) {
        println!("\n== {name}");
        let start = Instant::now();
        let outcome = step();
        self.end(name, start, outcome);
    }

    /// Runs a step unless a tool that it needs is missing.
    pub fn run_with(
        &mut self,
        name: &str,
        missing: Option<String>,
        step: impl FnOnce() -> Result<()>,
    ) {
        let Some(tool) = missing else { return self.run(name, step) };
        let reason = format!("{tool} is not installed");
        if self.strict {
            return self.run(name, || Err(anyhow!("{reason}")));
        }
        println!("\n== {name}: skipped, {reason}");
        let list = OpenOptions::new().append(true).open(skipped_file());
        if let Err(error) = list.and_then(|mut list| writeln!(list, "{name}: {reason}")) {
            println!("cannot list it as skipped: {error}");
        }
    }

    fn end(&mut self, name: &str, start: Instant, outcome: Result<()>) {
        let seconds = start.elapsed().as_secs_f64();
        let (word, reason) = match outcome {
            Ok(()) => ("ok", String::new()),
            Err(error) => {
                self.has_failed = true;
                ("FAILED", format!(": {error:#}"))
            }
        };
        let line = format!("{word:6} {seconds:7.1} s  {name}{reason}");
        println!("{line}");
        self.ended.push(line);
    }

    /// Prints the steps and what was skipped.
    pub fn finish(self) -> Result<ExitCode> {
        println!("\n{}", self.ended.join("\n"));
        println!("{:14.1} s  in all", self.start.elapsed().as_secs_f64());
        let skipped = fs::read_to_string(skipped_file()).unwrap_or_default();
        if !skipped.is_empty() {
            println!("\nSkipped:\n{}", skipped.trim_end());
        }
        println!(
            "\n{}",
            if self.has_failed { "Something failed." } else { "Everything that ran passed." }
        );
        Ok(if self.has_failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    }
}
