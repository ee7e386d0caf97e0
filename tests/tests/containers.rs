//! Containers: journals of processes that cannot see each other.

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use libtest_mimic::Arguments;
use queens::journal::{Journal, Locking};
use queens_tests::{
    command::{self, CommandOutput},
    process::Companion,
    trials::{CannotRun, trials},
};

type Test<T> = fn(&T) -> Result<()>;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let container = container()
        .ok_or_else(|| CannotRun::Unsupported("`unshare` is missing or not permitted".to_owned()));
    let in_containers: [(_, Test<&[&str]>); 1] =
        [("a journal in use by another container is not used", |container| {
            journal_held_elsewhere(container)
        })];
    let trials = trials(&arguments, "containers", container, in_containers);
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// The arguments with which unshare creates a separate PID namespace, as root or as another user.
fn container() -> Option<&'static [&'static str]> {
    const AS_ROOT: &[&str] = &["--pid", "--fork", "--mount-proc", "--kill-child"];
    const AS_USER: &[&str] =
        &["--user", "--map-root-user", "--pid", "--fork", "--mount-proc", "--kill-child"];
    [AS_ROOT, AS_USER].into_iter().find(|arguments| {
        let mut unshare = Command::new("unshare");
        unshare.args(*arguments).arg("true").stderr(Stdio::null());
        unshare.status().is_ok_and(|status| status.success())
    })
}

fn queens(container: &[&str], arguments: &[&str]) -> Result<Command> {
    let mut command = Command::new("unshare");
    command.args(container).arg(command::path()?).args(arguments);
    command.env("XDG_DATA_HOME", env!("CARGO_TARGET_TMPDIR")).stdout(Stdio::null());
    Ok(command)
}

fn journal_held_elsewhere(container: &[&str]) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("twenty.journal");
    let name = file.display().to_string();
    // The count takes minutes; the test ends it sooner.
    let count = [
        "count",
        "20",
        "--isa",
        "portable",
        "--threads",
        "1",
        "--backend",
        "cpu",
        "--journal",
        &name,
    ];
    for first_container in [&[][..], container] {
        let mut first = match first_container {
            [] => Command::new(command::path()?),
            arguments => {
                let mut unshare = Command::new("unshare");
                unshare.args(arguments).arg(command::path()?);
                unshare
            }
        };
        first.args(count).stdout(Stdio::null()).stderr(Stdio::null());
        let running = Companion::start(first.env("XDG_DATA_HOME", env!("CARGO_TARGET_TMPDIR")))?;
        wait_for_lock(&file)?;
        let output =
            CommandOutput::capture(&mut queens(container, &["resume", &name, "--no-wait"])?)?;
        ensure!(output.code == Some(1), "{output:?}");
        ensure!(output.err.contains(" is in use by process "), "{output:?}");
        drop(running);
        fs::remove_file(&file)?;
    }
    Ok(())
}

fn wait_for_lock(file: &Path) -> Result<()> {
    let end = Instant::now() + Duration::from_secs(300);
    let is_held = || {
        // The journal may be incomplete.
        let journal = Journal::find(file, Locking::On).ok().flatten();
        journal.is_some_and(|journal| journal.holder().is_some())
    };
    while !file.exists() || !is_held() {
        ensure!(Instant::now() < end, "no process holds {}", file.display());
        thread::sleep(Duration::from_millis(50));
    }
    Ok(())
}
