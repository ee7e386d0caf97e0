//! Child processes that end with their test, signals, and the paths of programs and of cargo's
//! folders.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};

use anyhow::{Context, Result, ensure};

/// A process that is killed when this value is dropped, even if a test panics.
#[derive(Debug)]
pub struct Companion(pub Child);

impl Companion {
    /// Starts `command`.
    pub fn start(command: &mut Command) -> Result<Self> {
        let child = command
            .spawn()
            .with_context(|| format!("starting {}", command.get_program().display()))?;
        Ok(Self(child))
    }

    /// Sends a signal: `INT` is Ctrl-C; `STOP` pauses the process until `CONT`, so that it cannot
    /// finish before a test has checked its state, however fast the machine is.
    pub fn signal(&self, name: &str) -> Result<()> {
        let status = send(name, self.0.id())?;
        ensure!(status.success(), "the signal {name} could not be sent");
        Ok(())
    }
}

/// Resets SIGINT, SIGTERM and SIGHUP to their default dispositions, which child processes inherit.
#[cfg(unix)]
#[expect(unsafe_code, reason = "setting a disposition is a foreign call")]
pub fn reset_signals() {
    use nix::sys::signal::{SigHandler, Signal, signal};
    for each in [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP] {
        // SAFETY: the default disposition runs no code of this process.
        let _ = unsafe { signal(each, SigHandler::SigDfl) };
    }
}

/// Does nothing: other systems have no inherited dispositions.
#[cfg(not(unix))]
pub fn reset_signals() {}

/// Sends a signal to a process through the shell, since minimal systems have no `kill` program.
pub fn send(signal: &str, process: u32) -> Result<ExitStatus> {
    let line = format!("kill -s {signal} {process}");
    let mut shell = Command::new("sh");
    // The shell's message would only say that the process has ended.
    shell.args(["-c", &line]).stderr(Stdio::null()).status().context("starting sh")
}

impl Drop for Companion {
    fn drop(&mut self) {
        // An error means that the process has already ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Returns the first of `names` that exists in a folder of `PATH`.
pub fn find_program(names: &[&str]) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    let folders: Vec<_> = env::split_paths(&path).collect();
    names
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)))
        .map(|file| file.with_extension(env::consts::EXE_EXTENSION))
        .find(|file| file.is_file())
}

/// The target folder of cargo, derived from the path of the running test in
/// `<target>/<profile>/deps`.
pub fn target_folder() -> Result<PathBuf> {
    Ok(profile_folder()?
        .parent()
        .context("the test binary lies outside a target folder")?
        .to_owned())
}

/// The folder `<target>/<profile>` of the running test.
pub fn profile_folder() -> Result<PathBuf> {
    let test = env::current_exe().context("the path of the test binary is unknown")?;
    let deps = test.parent().and_then(Path::parent);
    Ok(deps.context("the test binary lies outside a target folder")?.to_owned())
}
