//! A Slurm cluster with two nodes on this machine: the real daemons on loopback, with all files in
//! one folder.

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

use crate::command::{self, CommandOutput};
use crate::process::{Companion, find_program, send};

/// The required programs.
const PROGRAMS: [&str; 5] = ["munged", "slurmctld", "slurmd", "sbatch", "scontrol"];

/// The longest time for daemons to answer or to end on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(180);

/// The required programs that are missing on this machine.
pub fn missing() -> Vec<&'static str> {
    PROGRAMS.into_iter().filter(|name| find_program(&[name]).is_none()).collect()
}

/// A running cluster of the nodes n1 and n2, with one CPU each. Dropping it kills all its processes.
#[derive(Debug)]
pub struct Cluster {
    folder: TempDir,
    controller: Option<Companion>,
    /// munged, then one slurmd for each node.
    others: Vec<Companion>,
}

impl Cluster {
    /// Starts a cluster and waits until its nodes are idle.
    pub fn start() -> Result<Cluster> {
        let folder = tempfile::tempdir().context("creating a folder for the cluster")?;
        let mut cluster = Cluster { folder, controller: None, others: vec![] };
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
        self.others.push(Companion::start(&mut munged)?);
        wait("munged", || Ok(self.file("munge.socket").exists()))?;
        self.start_controller()?;
        for node in ["n1", "n2"] {
            let mut slurmd = self.daemon("slurmd", node)?;
            slurmd.args(["-D", "-N", node]);
            self.others.push(Companion::start(&mut slurmd)?);
        }
        wait("idle nodes", || {
            let nodes = self.run("sinfo", &["--noheader", "--Node", "--format=%T"]);
            Ok(nodes.is_ok_and(|states| !states.is_empty() && states.lines().all(|s| s == "idle")))
        })
    }

    fn settings(&self) -> Result<String> {
        let text = |name: &str, arguments: &[&str]| -> Result<String> {
            Ok(CommandOutput::capture(Command::new(name).args(arguments))?.out.trim().to_owned())
        };
        let folder = self.folder.path().display().to_string();
        let mut settings = include_str!("slurm/slurm.conf")
            .replace("FOLDER", &folder)
            .replace("USER", &text("id", &["-un"])?)
            .replace("HOST", &text("uname", &["-n"])?);
        for (number, port) in ports()?.into_iter().enumerate() {
            settings = settings.replace(&format!("PORT{number}"), &port.to_string());
        }
        Ok(settings)
    }

    /// A daemon of the cluster, which writes its standard error into a file.
    fn daemon(&self, program: &str, name: &str) -> Result<Command> {
        let mut daemon = self.command(program);
        let output = self.file(&format!("{name}.output"));
        daemon.stderr(File::options().create(true).append(true).open(output)?);
        Ok(daemon)
    }

    /// The state of the cluster and the last output of its daemons, for error reports.
    pub fn state(&self) -> String {
        let mut state = String::new();
        for (program, arguments) in
            [("sinfo", &["--Node", "--long"][..]), ("squeue", &["--array", "--long"])]
        {
            let text = self.run(program, arguments).unwrap_or_else(|error| format!("{error:#}\n"));
            state += &format!("\n--- {program}\n{text}");
        }
        let mut files: Vec<_> = fs::read_dir(self.folder.path()).into_iter().flatten().collect();
        files.sort_by_key(|file| file.as_ref().map(fs::DirEntry::file_name).ok());
        for file in files.into_iter().flatten().map(|file| file.path()) {
            if file.extension().is_some_and(|kind| kind == "output") {
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

    /// A program that uses this cluster and finds the built command as `queens`.
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

    /// Runs a [`command`](Self::command) in the cluster's folder and returns its output.
    pub fn run(&self, program: &str, arguments: &[&str]) -> Result<String> {
        self.run_in(self.folder.path(), program, arguments)
    }

    /// Runs a [`command`](Self::command) in another folder and returns its output.
    pub fn run_in(&self, folder: &Path, program: &str, arguments: &[&str]) -> Result<String> {
        let mut command = self.command(program);
        command.args(arguments).current_dir(folder).stdout(Stdio::piped()).stderr(Stdio::piped());
        let output = CommandOutput::capture(&mut command)?;
        if output.code != Some(0) {
            bail!("{program} {}: {}", arguments.join(" "), output.all());
        }
        Ok(output.out)
    }

    pub fn start_controller(&mut self) -> Result<()> {
        let mut controller = self.daemon("slurmctld", "slurmctld")?;
        controller.arg("-D");
        self.controller = Some(Companion::start(&mut controller)?);
        wait("slurmctld", || Ok(self.run("scontrol", &["ping"]).is_ok()))
    }

    /// The value of a field that the controller reports for a job, or for a task of an array such
    /// as `4_3`.
    pub fn job(&self, id: &str, field: &str) -> Result<String> {
        let text = self.run("scontrol", &["--oneliner", "show", "job", id])?;
        let value = text.split_whitespace().find_map(|word| {
            let (name, value) = word.split_once('=')?;
            (name == field).then(|| value.to_owned())
        });
        value.with_context(|| format!("job {id} has no {field}: {text}"))
    }

    /// The indices of the running tasks of an array.
    pub fn running(&self, array: &str) -> Result<Vec<u32>> {
        let options = ["--noheader", "--array", "--states=RUNNING", "--format=%K", "--jobs", array];
        let lines = self.run("squeue", &options)?;
        Ok(lines.lines().filter_map(|task| task.trim().parse().ok()).collect())
    }

    /// Whether no job is waiting or running.
    pub fn is_empty(&self) -> Result<bool> {
        Ok(self.run("squeue", &["--noheader"])?.is_empty())
    }

    /// The running processes that this cluster has started.
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

    /// Shuts the cluster down as its administrator would, and returns the processes that remain.
    pub fn shut_down(mut self) -> Result<Vec<u32>> {
        self.run("scontrol", &["shutdown"])?;
        wait("the end of the daemons", || {
            // The first of the others is munged, which is not part of Slurm and keeps running.
            let mut daemons = self.controller.iter_mut().chain(self.others.iter_mut().skip(1));
            Ok(daemons.all(|daemon| matches!(daemon.0.try_wait(), Ok(Some(_)))))
        })?;
        self.controller = None;
        self.others.clear();
        Ok(self.processes())
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        self.controller = None;
        self.others.clear();
        for process in self.processes() {
            // The process may already have ended.
            let _ = send("KILL", process);
        }
    }
}

/// Finds three free ports below the range from which the system assigns ports.
fn ports() -> Result<[u16; 3]> {
    let begin = 20_000 + (std::process::id() % 10_000) as u16;
    // The listeners stay open until three ports are found, so that no port is found twice.
    let found = (begin..32_000).filter_map(|port| TcpListener::bind(("127.0.0.1", port)).ok());
    let found: Vec<_> = found.take(3).collect();
    ensure!(found.len() == 3, "no three ports are free from {begin} on");
    let mut ports = [0; 3];
    for (port, listener) in ports.iter_mut().zip(&found) {
        *port = listener.local_addr()?.port();
    }
    Ok(ports)
}

/// Waits until a condition holds, for at most three minutes.
pub fn wait(what: &str, is_met: impl FnMut() -> Result<bool>) -> Result<()> {
    wait_for(TIMEOUT, what, is_met)
}

/// Waits until a condition holds, for at most `timeout`.
pub fn wait_for(
    timeout: Duration,
    what: &str,
    mut is_met: impl FnMut() -> Result<bool>,
) -> Result<()> {
    let begun = Instant::now();
    while !is_met()? {
        if begun.elapsed() > timeout {
            bail!("waited {} s for {what}", timeout.as_secs());
        }
        thread::sleep(Duration::from_millis(100));
    }
    Ok(())
}
