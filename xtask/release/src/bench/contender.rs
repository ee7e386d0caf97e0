//! A program to measure: its command line, its runs and the check of its answer.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use serde::Serialize;
use serde_json::Value;

/// A program that takes part in a benchmark.
#[derive(Debug, Serialize)]
pub struct Contender {
    /// The name in tables.
    pub name: String,
    /// The command line for a shell, in which `{n}` stands for N.
    #[serde(rename = "command")]
    line: String,
    /// The value of `QUEENS` for the command line.
    #[serde(skip)]
    queens: Option<PathBuf>,
}

/// One run of a program.
#[derive(Clone, Copy, Debug)]
pub struct Measurement {
    /// The time from the start of the process to its end, in seconds.
    pub seconds: f64,
    /// The CPU time of all threads, in user and kernel mode, in seconds. `None` if the system does
    /// not report it.
    pub processor: Option<f64>,
    /// The mean time that a thread worked on tasks, in seconds, without the start-up. `None` if the
    /// program does not report it.
    pub at_work: Option<f64>,
}

impl Contender {
    /// Creates a contender for `queens count` with these arguments.
    pub fn ours(program: &Path, arguments: &str) -> Contender {
        // A run must not resume from the journal of an earlier run.
        let line = format!("\"$QUEENS\" count {{n}} {arguments} --json --quiet --no-journal");
        Contender { name: format!("queens {arguments}"), line, queens: Some(program.to_owned()) }
    }

    /// Creates a contender from the value of `--rival`, NAME=COMMAND.
    pub fn rival(text: &str) -> Result<Contender> {
        let (name, line) = text
            .split_once('=')
            .with_context(|| format!("invalid `--rival {text}`: expected NAME=COMMAND"))?;
        ensure!(line.contains("{n}"), "invalid `--rival {text}`: the command must contain {{n}}");
        let (name, line) = (name.trim().to_owned(), line.trim().to_owned());
        Ok(Contender { name, line, queens: None })
    }

    /// Measures one count of size `n`. Also returns the result document if the program prints one, as
    /// `queens` does. Fails if the program does not print `total`.
    pub fn run(&self, n: u32, total: &str) -> Result<(Measurement, Value)> {
        let Contender { name, line, queens } = self;
        let mut command = Command::new("sh");
        command.args(["-c", &line.replace("{n}", &n.to_string())]);
        command.envs(queens.iter().map(|path| ("QUEENS", path)));
        let before = children_cpu_seconds();
        let clock = Instant::now();
        let output = command.output().with_context(|| format!("starting {name}"))?;
        let seconds = clock.elapsed().as_secs_f64();
        let processor = children_cpu_seconds().zip(before).map(|(after, before)| after - before);
        let text = String::from_utf8_lossy(&output.stdout);
        let errors = String::from_utf8_lossy(&output.stderr);
        let status = output.status;
        ensure!(status.success(), "{name} failed at N = {n} ({status}): {}", errors.trim());
        let document: Value = serde_json::from_str(&text).unwrap_or_default();
        ensure!(
            has_total(&document, &text, total),
            "{name} did not print the right total for N = {n}; expected {total}, got:\n{text}"
        );
        let at_work = seconds_at_work(&document);
        Ok((Measurement { seconds, processor, at_work }, document))
    }
}

/// Returns the CPU time of all finished child processes of this process.
#[cfg(unix)]
fn children_cpu_seconds() -> Option<f64> {
    use nix::sys::{resource, time::TimeValLike};
    let usage = resource::getrusage(resource::UsageWho::RUSAGE_CHILDREN).ok()?;
    let time = usage.user_time() + usage.system_time();
    Some(time.num_microseconds() as f64 / 1e6)
}

#[cfg(not(unix))]
fn children_cpu_seconds() -> Option<f64> {
    None
}

/// Returns the total time of all tasks divided by the number of threads, in seconds.
fn seconds_at_work(document: &Value) -> Option<f64> {
    let tasks = document["tasks"].as_array()?.iter().filter_map(|task| task["seconds"].as_f64());
    Some(tasks.sum::<f64>() / document["host"]["threads"].as_f64()?)
}

/// Returns whether a program that printed this text, as JSON if it is a document, counted right.
fn has_total(document: &Value, text: &str, total: &str) -> bool {
    match document["total"].as_str() {
        Some(counted) => counted == total,
        None => contains_number(text, total),
    }
}

/// Returns whether the text contains the number, possibly with commas between groups of digits, as
/// a separate number.
fn contains_number(text: &str, number: &str) -> bool {
    let plain = text.replace(',', "");
    [text, &plain].into_iter().any(|text| {
        text.split(|letter: char| !letter.is_ascii_digit()).any(|digits| digits == number)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_a_rival_as_name_and_command() {
        let rival = Contender::rival("somers = ./somers {n}").unwrap();
        assert_eq!((rival.name.as_str(), rival.line.as_str()), ("somers", "./somers {n}"));
        for wrong in ["./somers {n}", "somers=./somers"] {
            assert!(Contender::rival(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn finds_the_answer_only_as_a_separate_number() {
        for text in ["92", "total: 92, unique: 12", "8 -> 92 in 0.1 s", "n=8,92,0.001"] {
            assert!(contains_number(text, "92"), "{text}");
        }
        assert!(contains_number("14,772,512 solutions", "14772512"));
        for text in ["", "920", "192", "9 2"] {
            assert!(!contains_number(text, "92"), "{text}");
        }
    }

    #[test]
    fn divides_task_times_by_the_number_of_threads() {
        let document = serde_json::json!({
            "host": { "threads": 2 }, "tasks": [{ "seconds": 1.5 }, { "seconds": 0.5 }],
        });
        assert_eq!(seconds_at_work(&document), Some(1.0));
        assert_eq!(seconds_at_work(&serde_json::json!({})), None);
    }

    #[cfg(unix)]
    #[test]
    fn measures_the_processor_time_of_the_program() {
        let run = |line: &str| {
            let contender = Contender::rival(&format!("rival={line}")).unwrap();
            contender.run(8, "92").unwrap().0
        };
        // Child processes of other tests may end meanwhile, and their time is included.
        let idle = (0..5).map(|_| run("sleep 0.3; echo 92 {n}"));
        let idle = idle.min_by(|a, b| a.processor.unwrap().total_cmp(&b.processor.unwrap()));
        let idle = idle.unwrap();
        assert!(idle.seconds >= 0.3 && idle.processor.unwrap() < 0.2, "{idle:?}");
        let busy = run("i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done; echo 92 {n}");
        assert!(busy.processor.unwrap() > 0.01, "{busy:?}");
    }

    #[cfg(unix)]
    #[test]
    fn rejects_wrong_answers_and_failed_runs() {
        let run = |line: &str| {
            let contender = Contender::rival(&format!("rival={line}")).unwrap();
            contender.run(8, "92").map_err(|error| error.to_string())
        };
        assert!(run("echo N = {n}: 92").unwrap().0.at_work.is_none());
        let wrong = run("echo N = {n}: 93").unwrap_err();
        assert!(
            wrong.starts_with("rival did not print the right total for N = 8; expected 92, got:"),
            "{wrong}"
        );
        let failed = run("echo 92 {n}; echo no device >&2; exit 3").unwrap_err();
        assert!(failed.starts_with("rival failed at N = 8") && failed.ends_with("no device"));
    }
}
