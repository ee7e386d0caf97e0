//! The command `queens`, as cargo built it for this run of the tests.

use std::env;
use std::path::PathBuf;
use std::process::{Command, Output};

use anyhow::{Context, Result, bail};

use crate::process::profile_folder;

/// The built command. `QUEENS_BIN` may name another one, such as a release.
pub fn path() -> Result<PathBuf> {
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
