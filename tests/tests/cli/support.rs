//! Runs the command and reads its output.

use std::{
    ffi::OsStr,
    fs,
    path::Path,
    process::{self, Command},
    sync::atomic::{AtomicU32, Ordering},
};

pub use queens_tests::command::CommandOutput;
use serde_json::Value;

/// The command without a terminal and without settings from the environment.
pub fn command() -> Command {
    let mut command = Command::new(queens_tests::command::path().unwrap());
    // Each call gets a separate data folder without the journals of other tests.
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let data_folder = format!("data-{}-{}", process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
    let data_folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(data_folder);
    // A process of an earlier run may have had the same id.
    let _ = fs::remove_dir_all(&data_folder);
    command.env("XDG_DATA_HOME", data_folder);
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "QUEENS_TOKEN"] {
        command.env_remove(name);
    }
    command
}

/// Runs the command with these arguments.
pub fn queens<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>) -> CommandOutput {
    command().args(args).output().unwrap().into()
}

/// Runs the command with the arguments of a line, separated by spaces.
pub fn line(line: &str) -> CommandOutput {
    queens(line.split_whitespace())
}

/// Returns the known numbers of N from a data file that the program does not read.
pub fn known(n: u64) -> Value {
    let all: Value = serde_json::from_str(include_str!("../../data/known-counts.json")).unwrap();
    all["counts"].as_array().unwrap().iter().find(|line| line["n"] == n).unwrap().clone()
}

/// The output of `verify` for a file with this text.
pub fn verify(text: &str, args: &[&str]) -> CommandOutput {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("result.json");
    fs::write(&path, text).unwrap();
    queens(["verify", path.to_str().unwrap()].iter().chain(args))
}
