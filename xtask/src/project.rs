//! The project's paths, and how its programs are started.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

/// The target of the page and its workers.
pub const WASM_TARGET: &str = "wasm32-unknown-unknown";

/// Returns the root of the workspace.
pub fn root() -> &'static Path {
    let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().unwrap_or(xtask)
}

/// Returns the folder of cargo's outputs.
pub fn target() -> PathBuf {
    // A relative CARGO_TARGET_DIR is joined to the root, where cargo runs too.
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |dir| root().join(dir))
}

/// Returns a command for the cargo that started this program. It runs in the project's root.
pub fn cargo() -> Command {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(root());
    command
}

/// Runs `command` to its end with this program's standard streams. `what` names the command in
/// errors.
pub fn run(command: &mut Command, what: &str) -> Result<()> {
    let status = command.status().with_context(|| format!("could not start {what}"))?;
    if !status.success() {
        bail!("{what} failed ({status})");
    }
    Ok(())
}

/// Returns the output of `cargo metadata` for a package or a workspace.
pub fn metadata(arguments: &[&str]) -> Result<Value> {
    let output = cargo()
        .args(["metadata", "--format-version", "1"])
        .args(arguments)
        .output()
        .context("could not start cargo")?;
    if !output.status.success() {
        bail!("{}", String::from_utf8_lossy(&output.stderr).trim());
    }
    serde_json::from_slice(&output.stdout).context("reading cargo's metadata")
}
