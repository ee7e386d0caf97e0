//! The command `queens`, as cargo built it for this test run.

use std::env;
use std::path::PathBuf;
use std::process::{Command, Output};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use crate::process::{self, profile_folder};

/// The exit code and the output of a call.
#[derive(Debug)]
pub struct CommandOutput {
    /// The exit code; `None` if the command was killed.
    pub code: Option<i32>,
    /// The standard output.
    pub out: String,
    /// The standard error.
    pub err: String,
}

impl CommandOutput {
    /// Runs a command to its end.
    pub fn capture(command: &mut Command) -> Result<CommandOutput> {
        let output = command.output();
        Ok(output.with_context(|| format!("starting {}", command.get_program().display()))?.into())
    }

    /// The exit code and all output, as snapshots show them.
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

    /// Fails unless the command exited with 69 (unavailable) and printed only this error.
    pub fn ensure_unavailable(&self, sentence: &str) -> Result<()> {
        ensure!(self.code == Some(69), "exit code {:?}: {}{}", self.code, self.out, self.err);
        ensure!(self.out.is_empty(), "{}", self.out);
        let expected = format!("error: {sentence}\n");
        ensure!(self.err == expected, "stderr is {:?}, expected {expected:?}", self.err);
        Ok(())
    }

    /// The printed JSON, such as a result document.
    #[expect(clippy::panic, reason = "a test that expects JSON fails without it")]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error} in {self:?}"))
    }
}

impl From<Output> for CommandOutput {
    fn from(output: Output) -> CommandOutput {
        // Invalid UTF-8 shows up as replacement characters, with which every comparison fails.
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        CommandOutput {
            code: output.status.code(),
            out: text(output.stdout),
            err: text(output.stderr),
        }
    }
}

/// Returns the path of the built command, or the path in `QUEENS_BIN`, for example of a release.
///
/// Also resets the signal dispositions of this process, which its children inherit. Scripts, `nohup` and
/// some CI runners start tests with SIGINT or SIGHUP ignored; a test that sends Ctrl-C to the command
/// would then wait forever.
pub fn path() -> Result<PathBuf> {
    process::reset_signals();
    let path = match env::var_os("QUEENS_BIN") {
        Some(path) => PathBuf::from(path),
        None => profile_folder()?.join(format!("queens{}", env::consts::EXE_SUFFIX)),
    };
    if !path.is_file() {
        bail!("{} is not built; `cargo xtask test` builds it", path.display());
    }
    Ok(path)
}

/// Runs `queens` with `arguments` to its end and returns what it printed.
pub fn run(arguments: &[&str]) -> Result<Output> {
    let path = path()?;
    Command::new(&path)
        .args(arguments)
        .output()
        .with_context(|| format!("starting {}", path.display()))
}
