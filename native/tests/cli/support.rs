//! Running the command and reading what it says.

use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use serde_json::Value;

/// What came of one call.
#[derive(Debug)]
pub struct Said {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Said {
    /// Everything, as snapshots show it.
    pub fn all(&self) -> String {
        let code = self.code.map_or("killed".to_owned(), |code| code.to_string());
        let mut text = format!("exit code {code}\n");
        for (name, part) in [("stdout", &self.out), ("stderr", &self.err)] {
            if !part.is_empty() {
                text += &format!("--- {name}\n{part}");
            }
        }
        text
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error} in {self:?}"))
    }
}

impl From<Output> for Said {
    fn from(output: Output) -> Said {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Said { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }
}

/// The command as tests call it: not on a terminal, without settings from outside.
pub fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_queens"));
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "QUEENS_TOKEN"] {
        command.env_remove(name);
    }
    command
}

pub fn queens<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>) -> Said {
    command().args(args).output().unwrap().into()
}

/// The same for a line with spaces between the arguments.
pub fn line(line: &str) -> Said {
    queens(line.split_whitespace())
}

/// A file of the project's test data.
pub fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data").join(name)
}

/// What is known about N, from the data file that the program itself does not read.
pub fn known(n: u64) -> Value {
    let text = std::fs::read_to_string(data("known-counts.json")).unwrap();
    let all: Value = serde_json::from_str(&text).unwrap();
    all["counts"].as_array().unwrap().iter().find(|line| line["n"] == n).unwrap().clone()
}

/// Compares with a snapshot in which times and versions are blotted out.
macro_rules! assert_said {
    ($name:expr, $text:expr) => {
        insta::with_settings!({
            filters => vec![
                (r"\d\d:\d\d:\d\d:\d\d\.\d\d", "[dd:hh:mm:ss.cc]"),
                (r"queens\.exe", "queens"),
                (r"the fastest last: portable[a-z0-9, ]*\.", "the fastest last: portable[, …]."),
                (r#"(?s)"isa": \[\s*"portable"[^\]]*\]"#, "\"isa\": [\"portable\", …]"),
            ],
            omit_expression => true,
        }, {
            insta::assert_snapshot!($name, $text);
        });
    };
}
pub(crate) use assert_said;
