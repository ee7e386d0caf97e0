//! Containers: journals of processes that cannot see each other, mounted files, and limited memory.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, bail, ensure};
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
    let group = ControlGroup::new().map(drop);
    let group = group.map_err(|error| CannotRun::Unsupported(format!("{error:#}")));
    let in_a_group: [(_, Test<()>); 1] =
        [("the memory limit of a control group counts", |()| limited_control_group())];
    let mut all = trials(&arguments, "containers", container, in_containers);
    all.extend(trials(&arguments, "control groups", group, in_a_group));
    libtest_mimic::run(&arguments, all).exit_code()
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

/// A control group with a memory limit. Dropping it removes the group.
struct ControlGroup(PathBuf);

impl ControlGroup {
    /// Creates the group. Fails without the permission, and on systems without control groups.
    fn new() -> Result<ControlGroup> {
        let id = format!("queens-{}", std::process::id());
        // The second version of control groups, and the first.
        for (folder, limit) in [("", "memory.max"), ("memory", "memory.limit_in_bytes")] {
            let group = Path::new("/sys/fs/cgroup").join(folder).join(&id);
            if fs::create_dir(&group).is_err() {
                continue;
            }
            let group = ControlGroup(group);
            if group.0.join(limit).exists() {
                fs::write(group.0.join(limit), "200000000")?;
                return Ok(group);
            }
        }
        bail!("there are no control groups, or they cannot be created")
    }
}

impl Drop for ControlGroup {
    fn drop(&mut self) {
        // The last process may not have left the group yet.
        for _ in 0..100 {
            if fs::remove_dir(&self.0).is_ok() {
                return;
            }
            thread::sleep(Duration::from_millis(50));
        }
    }
}

/// Slurm and containers limit the memory in this way, and end a process that needs more.
fn limited_control_group() -> Result<()> {
    const SCRIPT: &str =
        "echo $$ > \"$GROUP/cgroup.procs\" && exec \"$QUEENS\" count 27 --no-journal --threads 2";
    let group = ControlGroup::new()?;
    let mut shell = Command::new("sh");
    shell.args(["-c", SCRIPT]).env("GROUP", &group.0).env("QUEENS", command::path()?);
    let output = CommandOutput::capture(&mut shell)?;
    ensure!(output.code == Some(69), "{output:?}");
    ensure!(output.err.contains("this process may use 190 MiB"), "{output:?}");
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
