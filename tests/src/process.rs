//! Programs that run beside a test and end with it.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::{env, io};

use anyhow::{Context, Result};

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
}

impl Drop for Companion {
    fn drop(&mut self) {
        // An error means that it has ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A port of the loopback interface that nothing listens on right now.
pub fn free_port() -> io::Result<u16> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
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
