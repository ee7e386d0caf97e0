//! The report of a test run: steps with their times, and suites with their counts.

use std::fmt;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::Result;

use super::failures::{Failure, Failures};
use super::limits;
use super::times::{self, TestTimes};
use crate::prerequisites::{self, Prerequisite};
use crate::project;

/// The report of a whole run.
pub struct Report {
    start: Instant,
    missing: Vec<Prerequisite>,
    steps: Vec<Step>,
    tests: Tests,
}

struct Step {
    name: String,
    outcome: Outcome,
    time: Duration,
}

enum Outcome {
    Passed,
    Failed(String),
    Skipped(String),
}

impl Report {
    /// Starts a report on a machine that lacks these prerequisites.
    pub fn new(missing: Vec<Prerequisite>) -> Self {
        Self { start: Instant::now(), missing, steps: Vec::new(), tests: Tests::default() }
    }

    /// Runs a step. Skips it if a prerequisite is missing; fails it if the time of the whole run is used up.
    pub fn step(
        &mut self,
        name: &str,
        needs: &[Prerequisite],
        run: impl FnOnce(&mut Tests) -> Result<()>,
    ) {
        println!("\n== {name}");
        let start = Instant::now();
        if limits::time_left().is_zero() {
            let minutes = limits::MAX_RUN_TIME.as_secs() / 60;
            let reason =
                format!("not run: the limit of {minutes} minutes for all steps is used up");
            return self.finish_step(name, Outcome::Failed(reason), Duration::ZERO);
        }
        let missing: Vec<_> =
            needs.iter().copied().filter(|part| self.missing.contains(part)).collect();
        let outcome = if missing.is_empty() {
            match run(&mut self.tests) {
                Ok(()) => Outcome::Passed,
                Err(error) => Outcome::Failed(format!("{error:#}")),
            }
        } else {
            Outcome::Skipped(format!("missing: {}", prerequisites::list(&missing)))
        };
        self.finish_step(name, outcome, start.elapsed());
    }

    /// Skips a step for a reason other than a missing prerequisite.
    pub fn skip(&mut self, name: &str, reason: String) {
        println!("\n== {name}");
        self.finish_step(name, Outcome::Skipped(reason), Duration::ZERO);
    }

    fn finish_step(&mut self, name: &str, outcome: Outcome, time: Duration) {
        let step = Step { name: name.to_owned(), outcome, time };
        println!("{step}");
        self.steps.push(step);
    }

    /// Prints the summary, which ends like the output of `cargo test`.
    pub fn finish(self) -> ExitCode {
        println!("\n== summary");
        for step in &self.steps {
            println!("{step}");
        }
        let slowest = self.tests.times.slowest();
        println!("\nThe slowest tests:");
        for (name, time) in &slowest {
            println!("{:15.1} s  {name}", time.as_secs_f64());
        }
        self.write_times(&slowest);
        println!();
        for suite in self.tests.suites.iter().filter(|suite| suite.counts.has_results()) {
            println!("{}: {}", suite.name, suite.line);
        }
        for failure in &self.tests.flaky {
            println!("\nFLAKY (failed, and passed when it ran again)  {failure}");
        }
        for failure in self.tests.failures.all() {
            println!("\nFAILED  {failure}");
        }
        let counts = self.counts();
        let failed = self.has_failed();
        println!(
            "\ntest result: {}. {counts}; finished in {:.2}s",
            if failed { "FAILED" } else { "ok" },
            self.start.elapsed().as_secs_f64()
        );
        if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
    }

    /// Writes the times as JSON. A failure to write does not change the result of the tests.
    fn write_times(&self, slowest: &[(&str, Duration)]) {
        let steps = self.steps.iter().map(|step| (&*step.name, step.time));
        let times = times::to_json(self.start.elapsed(), steps, slowest);
        let file = project::target().join("test-times.json");
        match std::fs::write(&file, format!("{times:#}\n")) {
            Ok(()) => println!("The times are in {}.", file.display()),
            Err(error) => println!("Cannot write {}: {error}", file.display()),
        }
    }

    fn has_failed(&self) -> bool {
        self.steps.iter().any(|step| matches!(step.outcome, Outcome::Failed(_)))
            || self.tests.total().failed > 0
    }

    /// Returns the counts of all suites. A skipped step counts as one ignored test. A failed step
    /// counts as one failed test, unless failed tests explain it.
    fn counts(&self) -> Counts {
        let mut counts = self.tests.total();
        let explained = counts.failed > 0;
        for step in &self.steps {
            match step.outcome {
                Outcome::Passed => {}
                Outcome::Failed(_) if explained && step.name.starts_with("tests") => {}
                Outcome::Failed(_) => counts.failed += 1,
                Outcome::Skipped(_) => counts.ignored += 1,
            }
        }
        counts
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (word, reason) = match &self.outcome {
            Outcome::Passed => ("ok", ""),
            Outcome::Failed(reason) => ("FAILED", reason.as_str()),
            Outcome::Skipped(reason) => ("skipped", reason.as_str()),
        };
        let seconds = self.time.as_secs_f64();
        write!(f, "{word:8}{seconds:7.1} s  {}", self.name)?;
        if !reason.is_empty() {
            write!(f, ": {reason}")?;
        }
        Ok(())
    }
}

/// The results of `cargo test`, read from its output line by line.
#[derive(Default)]
pub struct Tests {
    /// The name of the suite whose output is being read.
    heading: String,
    suites: Vec<Suite>,
    failures: Failures,
    /// Tests that failed first and passed on the second try.
    flaky: Vec<Failure>,
    /// The time when the first line was read.
    start: Option<Instant>,
    times: TestTimes,
}

struct Suite {
    name: String,
    /// The line `test result: …` that `cargo test` printed.
    line: String,
    counts: Counts,
}

impl Tests {
    /// Reads a line that `cargo test` printed.
    pub fn read(&mut self, line: &str) {
        let text = line.trim();
        if let Some(name) = name_of_binary(text) {
            self.heading = name;
        } else if text.starts_with("Doc-tests ") {
            text.clone_into(&mut self.heading);
        } else if let Some(counts) = Counts::read(text) {
            self.times.end_suite(&self.heading);
            self.suites.push(Suite { name: self.heading.clone(), line: text.to_owned(), counts });
        }
        self.times.read(text, self.start.get_or_insert_with(Instant::now).elapsed());
        self.failures.read(&self.heading, line);
    }

    /// Adds the results of another run, which ran at the same time.
    pub fn add(&mut self, other: Tests) {
        self.suites.extend(other.suites);
        self.failures.add(other.failures);
        self.flaky.extend(other.flaky);
        self.times.add(other.times);
    }

    /// Returns the number of failed tests.
    pub fn failed(&self) -> usize {
        self.total().failed
    }

    /// Returns the names of the failed tests except the first `before`. Returns `None` if there are
    /// none, or if not every failure has a name.
    pub fn failed_since(&self, before: usize) -> Option<Vec<String>> {
        let failures = self.failures.all();
        let names = || failures[before..].iter().map(|failure| failure.name.clone()).collect();
        (failures.len() == self.failed() && failures.len() > before).then(names)
    }

    /// Marks all failures except the first `before` as passed on the second try.
    pub fn mark_flaky(&mut self, before: usize) {
        self.flaky.extend(self.failures.split_off(before));
    }

    pub fn passed(&self) -> usize {
        self.total().passed
    }

    fn total(&self) -> Counts {
        let mut total = Counts::default();
        for suite in &self.suites {
            total.passed += suite.counts.passed;
            total.failed += suite.counts.failed;
            total.ignored += suite.counts.ignored;
            total.filtered += suite.counts.filtered;
        }
        total.failed -= self.flaky.len();
        total.passed += self.flaky.len();
        total
    }
}

/// Returns the name `queens_core, unittests src/lib.rs` from a line such as `Running unittests
/// src/lib.rs (target/debug/deps/queens_core-0123)`. If cargo built for a named target, the result ends with
/// that target.
fn name_of_binary(heading: &str) -> Option<String> {
    let what = heading.strip_prefix("Running ")?.strip_suffix(')')?;
    let (source, binary) = what.split_once(" (")?;
    let mut folders = binary.rsplit('/');
    let file = folders.next()?;
    let name = file.rsplit_once('-').map_or(file, |(name, _hash)| name);
    // The target's folder is above `deps` and the profile.
    let target = folders.nth(2).filter(|folder| folder.matches('-').count() > 1);
    Some(match target {
        Some(target) => format!("{name}, {source}, {target}"),
        None => format!("{name}, {source}"),
    })
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct Counts {
    passed: usize,
    failed: usize,
    ignored: usize,
    filtered: usize,
}

impl Counts {
    /// Parses `test result: ok. 2 passed; 0 failed; 1 ignored; …`.
    fn read(line: &str) -> Option<Self> {
        let (_, numbers) = line.strip_prefix("test result: ")?.split_once(". ")?;
        let mut counts = Self::default();
        for part in numbers.split("; ") {
            let Some((number, word)) = part.split_once(' ') else {
                continue;
            };
            let Ok(number) = number.parse() else { continue };
            match word {
                "passed" => counts.passed = number,
                "failed" => counts.failed = number,
                "ignored" => counts.ignored = number,
                "filtered out" => counts.filtered = number,
                _ => {}
            }
        }
        Some(counts)
    }

    fn has_results(self) -> bool {
        self.passed + self.failed + self.ignored > 0
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} passed; {} failed; {} ignored; 0 measured; {} filtered out",
            self.passed, self.failed, self.ignored, self.filtered
        )
    }
}

#[cfg(test)]
mod tests {
    use anyhow::bail;

    use super::*;

    const OUTPUT: &str = "
     Running unittests src/lib.rs (target/debug/deps/queens_core-0123abcd)
Running headless tests in Chrome on `http://127.0.0.1:1/`
test result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 3 filtered out; finished in 0.00s
   Doc-tests queens_core
test result: FAILED. 4 passed; 5 failed; 0 ignored; 0 filtered out; finished in 0.03s
";

    #[test]
    fn assigns_results_to_their_suite() {
        let mut tests = Tests::default();
        OUTPUT.lines().for_each(|line| tests.read(line));
        let names: Vec<_> = tests.suites.iter().map(|suite| &suite.name).collect();
        assert_eq!(names, ["queens_core, unittests src/lib.rs", "Doc-tests queens_core"]);
        assert_eq!(
            tests.total().to_string(),
            "6 passed; 5 failed; 1 ignored; 0 measured; 3 filtered out"
        );
    }

    #[test]
    fn merges_results_of_parallel_runs() {
        let tests_of = |end: &str| {
            let mut tests = Tests::default();
            end.lines().for_each(|line| tests.read(line));
            tests
        };
        let failing =
            "---- b stdout ----\ngone\nfailures:\ntest result: FAILED. 1 passed; 1 failed";
        let mut tests = tests_of("test result: ok. 2 passed; 0 failed");
        tests.add(tests_of(failing));
        let mut again = tests_of(failing);
        again.mark_flaky(0);
        tests.add(again);
        assert_eq!((tests.passed(), tests.failed()), (5, 1));
        assert_eq!(tests.failed_since(0), Some(vec!["b".to_owned()]));
    }

    #[test]
    fn names_suites_of_other_targets_by_target() {
        let name = |folder: &str| {
            name_of_binary(&format!("Running tests/halves.rs ({folder}/debug/deps/halves-01ab)"))
        };
        assert_eq!(name("target").as_deref(), Some("halves, tests/halves.rs"));
        let other = "halves, tests/halves.rs, aarch64-unknown-linux-musl";
        assert_eq!(name("target/aarch64-unknown-linux-musl").as_deref(), Some(other));
    }

    #[test]
    fn counts_failed_and_skipped_steps() {
        let mut report = Report::new(vec![prerequisites::CHROMIUM]);
        report.step("lints", &[], |_| bail!("no"));
        report.step("tests in WebAssembly", &[prerequisites::CHROMIUM], |_| Ok(()));
        report.step("tests", &[], |tests| {
            tests.read("test result: ok. 7 passed; 0 failed; 0 ignored");
            Ok(())
        });
        let counts = report.counts();
        assert_eq!((counts.passed, counts.failed, counts.ignored), (7, 1, 1));
        report.skip("instructions", "another compiler".to_owned());
        assert_eq!(report.counts().ignored, 2);
        assert!(report.has_failed());
    }

    #[test]
    fn a_run_without_failures_succeeds() {
        let mut report = Report::new(Vec::new());
        report.step("tests", &[], |_| Ok(()));
        assert!(!report.has_failed());
        assert_eq!(report.counts(), Counts::default());
    }
}
