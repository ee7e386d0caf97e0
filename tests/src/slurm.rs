//! A Slurm cluster of two nodes on this machine: its real daemons, on loopback, with all their
//! files in one folder.

use std::env;
use std::ffi::OsString;
use std::fs::{self, File, Permissions};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use tempfile::TempDir;

use crate::command::{self, Said};
use crate::process::{Companion, find_program, send};

/// What has to be on the machine.
const PROGRAMS: [&str; 5] = ["munged", "slurmctld", "slurmd", "sbatch", "scontrol"];

/// How long daemons may take to answer, or to end, on a machine that has other things to do.
const PATIENCE: Duration = Duration::from_secs(180);

/// The programs that are missing here.
pub fn missing() -> Vec<&'static str> {
    PROGRAMS.into_iter().filter(|name| find_program(&[name]).is_none()).collect()
}

/// A running cluster; when it goes, all that it runs ends.
///
/// Its nodes n1 and n2 have a CPU each. Jobs of the partition `high` push those of `low`, the
/// usual one, back into the queue.
#[derive(Debug)]
pub struct Cluster {
    folder: TempDir,
    controller: Option<Companion>,
    _others: Vec<Companion>,
}

impl Cluster {
    /// Starts a cluster, and waits until its nodes are idle.
    pub fn start() -> Result<Cluster> {
        let folder = tempfile::tempdir().context("a folder for the cluster")?;
        let mut cluster = Cluster { folder, controller: None, _others: vec![] };
        cluster.start_daemons().map_err(|error| error.context(cluster.state()))?;
        Ok(cluster)
    }

    fn start_daemons(&mut self) -> Result<()> {
        fs::create_dir(self.file("state"))?;
        fs::write(self.file("slurm.conf"), self.settings()?)?;
        fs::write(self.file("munge.key"), [7; 128])?;
        fs::set_permissions(self.file("munge.key"), Permissions::from_mode(0o600))?;
        let mut munged = self.daemon("munged", "munged")?;
        munged.args(["--foreground", "--force", "--num-threads=2"]);
        for (option, name) in [
            ("key-file", "munge.key"),
            ("socket", "munge.socket"),
            ("pid-file", "munge.pid"),
            ("log-file", "munge.log"),
            ("seed-file", "munge.seed"),
        ] {
            munged.arg(format!("--{option}={}", self.file(name).display()));
        }
        self._others.push(Companion::start(&mut munged)?);
        wait("munged", || Ok(self.file("munge.socket").exists()))?;
        self.start_controller()?;
        for node in ["n1", "n2"] {
            let mut slurmd = self.daemon("slurmd", node)?;
            slurmd.args(["-D", "-N", node]);
            self._others.push(Companion::start(&mut slurmd)?);
        }
        wait("idle nodes", || {
            let nodes = self.say("sinfo", &["--noheader", "--Node", "--format=%T"]);
            Ok(nodes.is_ok_and(|states| !states.is_empty() && states.lines().all(|s| s == "idle")))
        })
    }

    fn settings(&self) -> Result<String> {
        let text = |name: &str, arguments: &[&str]| -> Result<String> {
            Ok(Said::of(Command::new(name).args(arguments))?.out.trim().to_owned())
        };
        let folder = self.folder.path().display().to_string();
        let mut settings = include_str!("slurm/slurm.conf")
            .replace("FOLDER", &folder)
            .replace("USER", &text("id", &["-un"])?)
            .replace("HOST", &text("uname", &["-n"])?);
        for (place, port) in ports()?.into_iter().enumerate() {
            settings = settings.replace(&format!("PORT{place}"), &port.to_string());
        }
        Ok(settings)
    }

    /// A program of the cluster that stays, and writes what it says into a file.
    fn daemon(&self, program: &str, name: &str) -> Result<Command> {
        let mut daemon = self.command(program);
        let said = self.file(&format!("{name}.said"));
        daemon.stderr(File::options().create(true).append(true).open(said)?);
        Ok(daemon)
    }

    /// What the cluster looks like and what its daemons said last: where something went wrong, the
    /// reason is there.
    pub fn state(&self) -> String {
        let mut state = String::new();
        for (program, arguments) in
            [("sinfo", &["--Node", "--long"][..]), ("squeue", &["--array", "--long"])]
        {
            let said = self.say(program, arguments).unwrap_or_else(|error| format!("{error:#}\n"));
            state += &format!("\n--- {program}\n{said}");
        }
        let mut files: Vec<_> = fs::read_dir(self.folder.path()).into_iter().flatten().collect();
        files.sort_by_key(|file| file.as_ref().map(fs::DirEntry::file_name).ok());
        for file in files.into_iter().flatten().map(|file| file.path()) {
            if file.extension().is_some_and(|kind| kind == "said") {
                let text =
                    String::from_utf8_lossy(&fs::read(&file).unwrap_or_default()).into_owned();
                let last = text.lines().rev().take(40).collect::<Vec<_>>();
                let last: Vec<_> = last.into_iter().rev().collect();
                state += &format!("--- the end of {}\n{}\n", file.display(), last.join("\n"));
            }
        }
        state
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A program that talks with this cluster, and finds the built command as `queens`.
    pub fn command(&self, program: &str) -> Command {
        let mut path = OsString::new();
        if let Ok(queens) = command::path()
            && let Some(folder) = queens.parent()
        {
            path.push(folder);
            path.push(":");
        }
        path.push(env::var_os("PATH").unwrap_or_default());
        let mut command = Command::new(program);
        command.env("PATH", path).env("SLURM_CONF", self.file("slurm.conf"));
        command.env("XDG_DATA_HOME", self.file("data"));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    /// Runs such a program in the cluster's folder, and returns what it prints.
    pub fn say(&self, program: &str, arguments: &[&str]) -> Result<String> {
        self.say_in(self.folder.path(), program, arguments)
    }

    /// The same in another folder.
    pub fn say_in(&self, folder: &Path, program: &str, arguments: &[&str]) -> Result<String> {
        let mut command = self.command(program);
        command.args(arguments).current_dir(folder).stdout(Stdio::piped()).stderr(Stdio::piped());
        let said = Said::of(&mut command)?;
        if said.code != Some(0) {
            bail!("{program} {}: {}", arguments.join(" "), said.all());
        }
        Ok(said.out)
    }

    pub fn start_controller(&mut self) -> Result<()> {
        let mut controller = self.daemon("slurmctld", "slurmctld")?;
        controller.arg("-D");
        self.controller = Some(Companion::start(&mut controller)?);
        wait("slurmctld", || Ok(self.say("scontrol", &["ping"]).is_ok()))
    }

    /// Stops the controller alone, as an administrator does. (Killed at once it forgets the jobs of
    /// the last seconds.)
    pub fn stop_controller(&mut self) -> Result<()> {
        self.say("scontrol", &["shutdown", "slurmctld"])?;
        wait("the end of slurmctld", || {
            Ok(self.controller.as_mut().is_none_or(|it| matches!(it.0.try_wait(), Ok(Some(_)))))
        })?;
        self.controller = None;
        Ok(())
    }

    /// What the controller knows of a job or of a task of an array, `4_3` say: the value of a
    /// field.
    pub fn job(&self, id: &str, field: &str) -> Result<String> {
        let text = self.say("scontrol", &["--oneliner", "show", "job", id])?;
        let value = text.split_whitespace().find_map(|word| {
            let (name, value) = word.split_once('=')?;
            (name == field).then(|| value.to_owned())
        });
        value.with_context(|| format!("job {id} has no {field}: {text}"))
    }

    /// The numbers of the tasks of an array that run, and where.
    pub fn running(&self, array: &str) -> Result<Vec<(u32, String)>> {
        let how = ["--noheader", "--array", "--states=RUNNING", "--format=%K %N", "--jobs", array];
        let lines = self.say("squeue", &how)?;
        let task = |line: &str| {
            let (task, node) = line.split_once(' ')?;
            Some((task.parse().ok()?, node.to_owned()))
        };
        Ok(lines.lines().filter_map(task).collect())
    }

    /// Whether nothing waits or runs.
    pub fn is_empty(&self) -> Result<bool> {
        Ok(self.say("squeue", &["--noheader"])?.is_empty())
    }

    /// The processes that this cluster has started and that still run.
    fn processes(&self) -> Vec<u32> {
        let mark = format!("SLURM_CONF={}", self.file("slurm.conf").display());
        let has_mark = |process: &PathBuf| {
            let environment = fs::read(process.join("environ")).unwrap_or_default();
            environment.split(|&byte| byte == 0).any(|variable| variable == mark.as_bytes())
        };
        let all = fs::read_dir("/proc").into_iter().flatten().flatten();
        all.map(|entry| entry.path())
            .filter(has_mark)
            .filter_map(|process| process.file_name()?.to_str()?.parse().ok())
            .collect()
    }

    /// Ends the cluster as its administrator would, and tells which processes are left after it.
    pub fn shut_down(mut self) -> Result<Vec<u32>> {
        self.say("scontrol", &["shutdown"])?;
        wait("the end of the daemons", || {
            let mut daemons = self.controller.iter_mut().chain(self._others.iter_mut().skip(1));
            Ok(daemons.all(|daemon| matches!(daemon.0.try_wait(), Ok(Some(_)))))
        })?;
        self.controller = None;
        self._others.clear();
        Ok(self.processes())
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        self.controller = None;
        self._others.clear();
        for process in self.processes() {
            // It may have ended by itself.
            let _ = send("KILL", process);
        }
    }
}

/// Three ports that nobody listens on, below those that the system gives to whoever asks for any.
fn ports() -> Result<[u16; 3]> {
    let begin = 20_000 + (std::process::id() % 10_000) as u16;
    // Held until all are found.
    let found = (begin..32_000).filter_map(|port| TcpListener::bind(("127.0.0.1", port)).ok());
    let found: Vec<_> = found.take(3).collect();
    ensure!(found.len() == 3, "no three ports are free from {begin} on");
    let mut ports = [0; 3];
    for (port, listener) in ports.iter_mut().zip(&found) {
        *port = listener.local_addr()?.port();
    }
    Ok(ports)
}

/// Waits some minutes at most until something is so.
pub fn wait(what: &str, is_so: impl FnMut() -> Result<bool>) -> Result<()> {
    wait_for(PATIENCE, what, is_so)
}

/// Waits until something is so.
pub fn wait_for(
    patience: Duration,
    what: &str,
    mut is_so: impl FnMut() -> Result<bool>,
) -> Result<()> {
    let begun = Instant::now();
    while !is_so()? {
        if begun.elapsed() > patience {
            bail!("waited {} s for {what}", patience.as_secs());
        }
        thread::sleep(Duration::from_millis(100));
    }
    Ok(())
}
