//! Runs the command and reads its output.

use std::{
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    process::{self, Command},
    sync::atomic::{AtomicU32, Ordering},
};

pub use queens_tests::command::CommandOutput;
use serde_json::Value;
use tempfile::TempDir;

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

/// Returns the path of a file in the project's test data.
pub fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data").join(name)
}

/// Returns the known numbers of N from a data file that the program does not read.
pub fn known(n: u64) -> Value {
    let text = fs::read_to_string(data("known-counts.json")).unwrap();
    let all: Value = serde_json::from_str(&text).unwrap();
    all["counts"].as_array().unwrap().iter().find(|line| line["n"] == n).unwrap().clone()
}

/// Writes a text to a file in a new folder.
pub fn file(text: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("result.json");
    fs::write(&path, text).unwrap();
    (folder, path)
}

/// The output of `verify` for a file with this text, without the folder's name.
pub fn verify(text: &str, args: &[&str]) -> CommandOutput {
    let (folder, path) = file(text);
    let mut output = queens(["verify", path.to_str().unwrap()].iter().chain(args));
    output.err = output.err.replace(&format!("{}/", folder.path().display()), "");
    output
}

/// Compares a text with a snapshot, after replacing times, lists of instruction sets and `queens.exe`.
macro_rules! assert_output {
    ($name:expr, $text:expr) => {
        insta::with_settings!({
            filters => vec![
                (r"\d\d:\d\d:\d\d:\d\d\.\d\d", "[dd:hh:mm:ss.cc]"),
                (r"(Time +)\d+\.\d\d s", "$1[time]"),
                (r"queens\.exe", "queens"),
                (r"fastest last: portable[a-z0-9, ]*\.", "fastest last: portable[, …]."),
                (r#"(?s)"isa": \[\s*"portable"[^\]]*\]"#, "\"isa\": [\"portable\", …]"),
            ],
            omit_expression => true,
        }, {
            insta::assert_snapshot!($name, $text);
        });
    };
}
pub(crate) use assert_output;
