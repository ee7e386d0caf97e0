//! Programs that run beside a test and end with it.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};

use anyhow::{Context, Result, ensure};

/// A program that is ended when this value goes, also when a test panics.
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

    /// Sends it a signal: `INT` is what Ctrl-C does, `STOP` holds it up until `CONT`, so that it
    /// cannot be done before a test has looked at it, however fast the machine is.
    pub fn signal(&self, name: &str) -> Result<()> {
        let status = send(name, self.0.id())?;
        ensure!(status.success(), "the signal {name} could not be sent");
        Ok(())
    }
}

/// Gives SIGINT, SIGTERM and SIGHUP their default dispositions, which programs that this process starts
/// inherit.
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

/// Sends a signal to a process. The shell does it, since minimal systems have no program for that.
pub fn send(signal: &str, process: u32) -> Result<ExitStatus> {
    let line = format!("kill -s {signal} {process}");
    let mut shell = Command::new("sh");
    // It would only say that the process is not there any more.
    shell.args(["-c", &line]).stderr(Stdio::null()).status().context("starting sh")
}

impl Drop for Companion {
    fn drop(&mut self) {
        // An error means that it has ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The first of `names` that lies in a folder of `PATH`.
pub fn find_program(names: &[&str]) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    let folders: Vec<_> = env::split_paths(&path).collect();
    names
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)))
        .map(|file| file.with_extension(env::consts::EXE_EXTENSION))
        .find(|file| file.is_file())
}

/// The folder that cargo builds into, found from the running test's own place
/// in `<target>/<profile>/deps`.
pub fn target_folder() -> Result<PathBuf> {
    Ok(profile_folder()?
        .parent()
        .context("the test binary lies outside a target folder")?
        .to_owned())
}

/// `<target>/<profile>` of the running test.
pub fn profile_folder() -> Result<PathBuf> {
    let test = env::current_exe().context("the test binary does not know where it is")?;
    let deps = test.parent().and_then(Path::parent);
    Ok(deps.context("the test binary lies outside a target folder")?.to_owned())
}
