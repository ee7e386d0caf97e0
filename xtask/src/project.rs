//! The project's paths, and how its programs are started.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::{Duration, Instant};
use std::{env, iter, thread};

use anyhow::{Context, Result, bail, ensure};

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

/// Returns a command for the cargo that started this program, with arguments that are separated by spaces. It
/// runs in the project's root.
pub fn cargo(arguments: &str) -> Command {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(arguments.split_whitespace()).current_dir(root());
    command
}

/// Returns the command that runs a chore of the package `xtask-release`, with arguments that are separated by
/// spaces.
pub fn release_chore(arguments: &str) -> Command {
    cargo(&format!("run --quiet --package xtask-release -- {arguments}"))
}

/// Returns the current commit, for result documents. `None` outside a checkout or if there are
/// uncommitted changes of tracked files.
pub fn commit() -> Option<String> {
    let mut git = Command::new("git");
    git.args(["describe", "--always", "--exclude=*", "--abbrev=12", "--dirty"]);
    let output = git.current_dir(root()).output().ok().filter(|output| output.status.success())?;
    let commit = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    Some(commit).filter(|commit| !commit.ends_with("-dirty"))
}

/// Returns the command line for messages.
fn line(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_stem().unwrap_or_default();
    let words = iter::once(program).chain(command.get_args()).map(OsStr::to_string_lossy);
    words.collect::<Vec<_>>().join(" ")
}

/// Runs `command` to its end with this program's standard streams.
pub fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("starting `{}`", line(command)))?;
    ensure!(status.success(), "`{}` failed ({status})", line(command));
    Ok(())
}

/// Like [`run`], but kills the command and, on Linux, all its descendants after `limit`.
pub fn run_within(limit: Duration, command: &mut Command) -> Result<()> {
    let line = line(command);
    let mut child = command.spawn().with_context(|| format!("starting `{line}`"))?;
    let end = Instant::now() + limit;
    loop {
        match child.try_wait()? {
            Some(status) if status.success() => return Ok(()),
            Some(status) => bail!("`{line}` failed ({status})"),
            None if Instant::now() > end => {
                kill_tree(&mut child);
                bail!("`{line}` took over {} minutes and was killed", limit.as_secs() / 60);
            }
            None => thread::sleep(Duration::from_millis(50)),
        }
    }
}

fn kill_tree(child: &mut Child) {
    // The descendants are listed first, because the children of a killed process get another parent.
    let tree = descendants(child.id());
    let _ = child.kill();
    if !tree.is_empty() {
        let _ = Command::new("kill").arg("-KILL").args(tree.iter().map(u32::to_string)).status();
    }
    let _ = child.wait();
}

/// Returns the descendants of a process as /proc lists them, which only Linux has.
fn descendants(root: u32) -> Vec<u32> {
    let parent = |process: u32| -> Option<u32> {
        let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
        // PID (NAME) STATE PARENT …, where the name may contain spaces and brackets.
        stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
    };
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let processes = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let parents: Vec<_> = processes.filter_map(|id| Some((id, parent(id)?))).collect();
    let mut tree = vec![root];
    let mut next = 0;
    while let Some(&process) = tree.get(next) {
        tree.extend(parents.iter().filter(|(_, parent)| *parent == process).map(|(id, _)| id));
        next += 1;
    }
    tree.split_off(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn kills_everything_that_a_hanging_command_started() {
        let file = target().join(format!("hanging-{}", std::process::id()));
        let mut command = Command::new("sh");
        command.args(["-c", "sleep 61 & echo $! > \"$0\"; wait"]).arg(&file);
        let error = run_within(Duration::from_secs(1), &mut command).unwrap_err().to_string();
        assert!(
            error.starts_with("`sh -c sleep 61") && error.ends_with(" and was killed"),
            "{error}"
        );
        let sleep = std::fs::read_to_string(&file).unwrap();
        std::fs::remove_file(file).unwrap();
        // A killed process runs until the system has ended it, and is a zombie until its new parent has
        // read its status.
        let runs = || {
            let stat = std::fs::read_to_string(format!("/proc/{}/stat", sleep.trim()));
            stat.is_ok_and(|stat| !stat.contains(") Z "))
        };
        let end = Instant::now() + Duration::from_secs(30);
        while runs() {
            assert!(Instant::now() < end, "{sleep} still runs");
            thread::sleep(Duration::from_millis(20));
        }
    }
}
