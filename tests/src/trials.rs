//! Trials of test binaries that have their own main functions, because they need a tool or a system that
//! this machine may lack.

use std::{env, fs::OpenOptions, io::Write, sync::Arc};

use anyhow::{Result, anyhow};
use libtest_mimic::{Arguments, Failed, Trial};

/// The environment variable with the file that lists what was skipped. `cargo xtask test` prints the
/// file at its end.
const SKIPPED: &str = "QUEENS_SKIPPED";

/// The reason why tests cannot run.
#[derive(Debug)]
pub enum CannotRun {
    /// A tool is not installed. The tests are ignored; with `CI=true`, they fail.
    Missing(String),
    /// The hardware, the system or its rights do not allow the tests. They are always ignored.
    Unsupported(String),
    /// All parts exist, but one of them does not work. The tests fail.
    Broken(anyhow::Error),
}

impl CannotRun {
    /// The reason as an error.
    pub fn into_error(self) -> anyhow::Error {
        match self {
            Self::Missing(reason) | Self::Unsupported(reason) => anyhow!(reason),
            Self::Broken(error) => error,
        }
    }
}

impl From<anyhow::Error> for CannotRun {
    fn from(error: anyhow::Error) -> Self {
        Self::Broken(error)
    }
}

/// Returns trials of `tests`, each of which receives `part`, such as a compiled library. If there is no such
/// part, the trials are ignored or fail, depending on the reason.
pub fn trials<T, F>(
    arguments: &Arguments,
    suite: &str,
    part: Result<T, CannotRun>,
    tests: impl IntoIterator<Item = (&'static str, F)>,
) -> Vec<Trial>
where
    T: Send + Sync + 'static,
    F: FnOnce(&T) -> Result<()> + Send + 'static,
{
    let tests = tests.into_iter();
    match part {
        Ok(part) => {
            let part = Arc::new(part);
            let trial = |(name, test): (&'static str, F)| {
                let part = Arc::clone(&part);
                Trial::test(name, move || test(&part).map_err(|error| failed(&error)))
            };
            tests.map(trial).collect()
        }
        Err(reason) => unrunnable(arguments, suite, &reason, tests.map(|(name, _)| name)),
    }
}

/// Returns trials of tests that cannot run. If the arguments select one of them, reports the reason.
pub fn unrunnable(
    arguments: &Arguments,
    suite: &str,
    reason: &CannotRun,
    names: impl IntoIterator<Item = impl Into<String>>,
) -> Vec<Trial> {
    let (ignored, reason) = match reason {
        CannotRun::Missing(reason) => (!parts_are_required(), reason.clone()),
        CannotRun::Unsupported(reason) => (true, reason.clone()),
        CannotRun::Broken(error) => (false, format!("{error:#}")),
    };
    let trial = |name: String| {
        let reason = reason.clone();
        Trial::test(name, move || Err(reason.into())).with_ignored_flag(ignored)
    };
    let trials: Vec<_> = names.into_iter().map(|name| trial(name.into())).collect();
    let any_selected = trials.iter().any(|trial| !arguments.is_filtered_out(trial));
    if ignored && any_selected && !arguments.list {
        report_skipped(suite, &reason);
    }
    trials
}

/// Whether a missing tool is a failure.
fn parts_are_required() -> bool {
    env::var("CI").is_ok_and(|value| value == "true")
}

/// Adds a line to the list of skipped parts.
fn report_skipped(what: &str, reason: &str) {
    eprintln!("skipped {what}: {reason}");
    let Some(list) = env::var_os(SKIPPED) else { return };
    let file = OpenOptions::new().create(true).append(true).open(list);
    let added = file.and_then(|mut file| writeln!(file, "{what}: {reason}"));
    if let Err(error) = added {
        eprintln!("cannot write to the file in {SKIPPED}: {error}");
    }
}

/// Converts an error into the failure of a trial.
pub fn failed(error: &anyhow::Error) -> Failed {
    format!("{error:#}").into()
}
