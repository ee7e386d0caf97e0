//! A program to measure: its command line, its runs and the check of its answer.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

/// A program that takes part in a benchmark.
#[derive(Debug)]
pub struct Contender {
    /// The name in tables.
    pub name: String,
    /// The source and the commit of another program, if the project records them.
    pub source: Option<String>,
    call: Call,
}

#[derive(Debug)]
enum Call {
    /// `queens count` with these arguments, which prints a result document.
    Ours { program: String, arguments: Vec<String> },
    /// A shell command line, in which `{n}` is replaced by N, and its working directory.
    Shell { line: String, folder: PathBuf },
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
    pub task_seconds: Option<f64>,
}

impl Contender {
    /// Creates a contender for `queens count` with these arguments.
    pub fn ours(name: String, program: &Path, mut arguments: Vec<String>) -> Contender {
        // A run must not resume from the journal of an earlier run.
        arguments.push("--no-journal".to_owned());
        let program = program.display().to_string();
        Contender { name, source: None, call: Call::Ours { program, arguments } }
    }

    /// Creates a contender from the value of `--rival`, NAME=COMMAND.
    pub fn rival(text: &str) -> Result<Contender> {
        let (name, line) = text
            .split_once('=')
            .with_context(|| format!("invalid `--rival {text}`: expected NAME=COMMAND"))?;
        ensure!(line.contains("{n}"), "invalid `--rival {text}`: the command must contain {{n}}");
        let (name, line) = (name.trim().to_owned(), line.trim().to_owned());
        let call = Call::Shell { line, folder: PathBuf::from(".") };
        Ok(Contender { name, source: None, call })
    }

    /// Creates a contender for a rival program that runs in `folder`.
    pub fn rival_in(folder: PathBuf, name: String, line: String, source: String) -> Contender {
        Contender { name, source: Some(source), call: Call::Shell { line, folder } }
    }

    /// Returns the command line for reports, without the path of `queens`.
    pub fn line(&self) -> String {
        match &self.call {
            Call::Ours { arguments, .. } => format!("queens count {{n}} {}", arguments.join(" ")),
            Call::Shell { line, .. } => line.clone(),
        }
    }

    fn command(&self, n: u32) -> Command {
        match &self.call {
            Call::Ours { program, arguments } => {
                let mut command = Command::new(program);
                command.arg("count").arg(n.to_string()).args(arguments);
                command
            }
            Call::Shell { line, folder } => {
                let mut command = Command::new("sh");
                command.arg("-c").arg(line.replace("{n}", &n.to_string())).current_dir(folder);
                command
            }
        }
    }

    /// Measures one count of size `n`. Fails if the program does not print `total`.
    pub fn run(&self, n: u32, total: &str) -> Result<Measurement> {
        Ok(self.measure(n, total)?.0)
    }

    /// Like [`run`](Contender::run) for `queens`, but returns its result document.
    pub fn document(&self, n: u32, total: &str) -> Result<Value> {
        let (_, text) = self.measure(n, total)?;
        serde_json::from_str(&text).context("reading a result document")
    }

    fn measure(&self, n: u32, total: &str) -> Result<(Measurement, String)> {
        let Contender { name, .. } = self;
        let mut command = self.command(n);
        let before = children_cpu_seconds();
        let clock = Instant::now();
        let output = command.output().with_context(|| format!("starting {name}"))?;
        let seconds = clock.elapsed().as_secs_f64();
        let processor = children_cpu_seconds().zip(before).map(|(after, before)| after - before);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        if !output.status.success() {
            let stderr = String::from_utf8_lossy(&output.stderr);
            bail!("{name} failed at N = {n} ({}): {}", output.status, stderr.trim());
        }
        let mut task_seconds = None;
        match &self.call {
            Call::Ours { .. } => {
                let document: Value =
                    serde_json::from_str(&text).context("reading a result document")?;
                let counted = &document["total"];
                ensure!(
                    counted == total,
                    "{name} counts {counted} for N = {n}; the right total is {total}"
                );
                task_seconds = seconds_at_work(&document);
            }
            Call::Shell { .. } => ensure!(
                contains_number(&text, total),
                "{name} did not print the right total for N = {n}; expected {total}, got:\n{text}"
            ),
        }
        Ok((Measurement { seconds, processor, task_seconds }, text))
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
        assert_eq!((rival.name.as_str(), rival.line().as_str()), ("somers", "./somers {n}"));
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
            contender.run(8, "92").unwrap()
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
        assert!(run("echo N = {n}: 92").unwrap().task_seconds.is_none());
        let wrong = run("echo N = {n}: 93").unwrap_err();
        assert!(
            wrong.starts_with("rival did not print the right total for N = 8; expected 92, got:"),
            "{wrong}"
        );
        let failed = run("echo 92 {n}; echo no device >&2; exit 3").unwrap_err();
        assert!(failed.starts_with("rival failed at N = 8") && failed.ends_with("no device"));
    }
}
