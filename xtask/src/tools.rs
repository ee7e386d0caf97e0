//! Tools besides cargo that chores need: whether they are here, and how rustup adds its own.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::Result;

use crate::project;

/// The browser, by its names on several systems.
const BROWSERS: [&str; 4] =
    ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// Adds a target to the Rust toolchain if it is missing.
pub fn need_target(target: &str) -> Result<()> {
    if has_target(target) {
        return Ok(());
    }
    rustup(&["target", "add", target])
}

/// Adds a component to the Rust toolchain if its cargo command is missing.
pub fn need_component(component: &str, command: &str) -> Result<()> {
    if succeeds(&mut project::cargo(&format!("{command} --version"))) {
        return Ok(());
    }
    rustup(&["component", "add", component])
}

fn rustup(arguments: &[&str]) -> Result<()> {
    println!("Running `rustup {}` …", arguments.join(" "));
    project::run(Command::new("rustup").args(arguments).current_dir(project::root()))
}

/// Returns whether the Rust toolchain has a target. Asks the compiler, because a toolchain may come
/// without rustup.
pub fn has_target(target: &str) -> bool {
    rustc(&["--print", "target-libdir", "--target", target])
        .is_some_and(|folder| Path::new(folder.trim()).is_dir())
}

/// Returns the output of the compiler, or `None` if it fails.
pub fn rustc(arguments: &[&str]) -> Option<String> {
    let mut command = Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    command.args(arguments).current_dir(project::root()).stderr(Stdio::null());
    let output = command.output().ok().filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok()
}

/// Returns the part of browser tests that is missing, if one is.
pub fn missing_browser() -> Option<String> {
    if BROWSERS.iter().all(|name| find_on_path(name).is_none()) {
        return Some("chromium".to_owned());
    }
    missing_programs("chromedriver")
}

/// Returns the first of these programs, separated by spaces, that is not on the `PATH`.
pub fn missing_programs(names: &str) -> Option<String> {
    names.split_whitespace().find(|name| find_on_path(name).is_none()).map(str::to_owned)
}

/// Returns the file of a program on the `PATH`.
pub fn find_on_path(program: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path)
        .map(|folder| folder.join(program).with_extension(env::consts::EXE_EXTENSION))
        .find(|file| file.is_file())
}

/// Returns whether a command runs and succeeds, without its output.
pub fn succeeds(command: &mut Command) -> bool {
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}
