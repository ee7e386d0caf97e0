//! The systems and processors that archives are built for.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use xtask::{project, tools};

/// Linux on ARM, without a C library to install.
const LINUX_ARM: &str = "aarch64-unknown-linux-musl";
/// Windows, as far as MinGW builds for it and Wine runs it.
const WINDOWS: &str = "x86_64-pc-windows-gnu";

/// The target of an archive.
pub struct Target {
    /// The target triple.
    pub triple: String,
    /// The emulator for programs of this target; `None` if this machine runs them directly.
    runner: Option<&'static str>,
}

impl Target {
    /// Returns the target of this machine.
    pub fn of_this_machine() -> Result<Target> {
        let triple = tools::rustc(&["--print", "host-tuple"]);
        Target::new(triple.context("rustc does not name the target of this machine")?.trim())
    }

    /// Returns a target by its name. Adds it to the Rust toolchain if it is missing; other missing tools are
    /// an error.
    pub fn new(triple: &str) -> Result<Target> {
        let runner = match triple {
            LINUX_ARM if !cfg!(target_arch = "aarch64") => Some("qemu-aarch64"),
            WINDOWS if !cfg!(windows) => Some("wine"),
            _ => None,
        };
        if let Some(missing) = runner.and_then(tools::missing_programs) {
            bail!("the command for {triple} prints its man pages itself, which requires {missing}");
        }
        tools::need_target(triple)?;
        let target = Target { triple: triple.to_owned(), runner };
        if target.is_windows() && target.is_emulated() {
            build_wine_library()?;
        }
        Ok(target)
    }

    fn is_windows(&self) -> bool {
        self.triple.contains("-windows-")
    }

    /// Returns whether programs of this target run in an emulator or in Wine.
    pub fn is_emulated(&self) -> bool {
        self.runner.is_some()
    }

    /// Returns the file extension of the target's archives.
    pub fn archive_ending(&self) -> &'static str {
        if self.is_windows() { "zip" } else { "tar.gz" }
    }

    /// Returns the file name of the command.
    pub fn program_name(&self) -> &'static str {
        if self.is_windows() { "queens.exe" } else { "queens" }
    }

    /// Returns the path of the command that cargo builds with this profile.
    pub fn program(&self, profile: &str) -> PathBuf {
        project::target().join(&self.triple).join(profile).join(self.program_name())
    }

    /// Returns the arguments of cargo that select this target.
    pub fn selected(&self) -> String {
        let settings = if self.is_emulated() { "--config .cargo/cross.toml" } else { "" };
        format!("--target {} {settings}", self.triple)
    }

    /// Runs a program that is built for this target, in its folder, and returns its standard output. Fails
    /// if the program fails.
    pub fn output(&self, program: &Path, arguments: &[&str]) -> Result<Vec<u8>> {
        let mut command = match self.runner {
            None => Command::new(program),
            Some(runner) => Command::new(runner),
        };
        if self.is_emulated() {
            command.arg(program);
        }
        command.args(arguments).current_dir(program.parent().unwrap_or(program));
        // Only Wine reads these.
        command
            .env("WINEDEBUG", "-all")
            .env("WINEPREFIX", project::target().join("wine"))
            .env("WINEPATH", wine_libraries());
        let called = || format!("{} {}", program.display(), arguments.join(" "));
        let output = command.output().with_context(|| format!("starting {}", called()))?;
        let errors = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "{} failed ({}): {errors}", called(), output.status);
        Ok(output.stdout)
    }
}

/// Returns the folder in which Wine looks for a library that is not one of its own.
fn wine_libraries() -> PathBuf {
    project::target().join("wine-libraries")
}

/// Builds a library that Rust's standard library needs and that Wine lacks up to version 8, which is in Debian 12.
fn build_wine_library() -> Result<()> {
    let folder = wine_libraries();
    fs::create_dir_all(&folder).with_context(|| format!("creating {}", folder.display()))?;
    let source = project::root().join("xtask/release/src/dist/bcryptprimitives.c");
    let mut build = Command::new("x86_64-w64-mingw32-gcc");
    build.arg("-shared").arg(source).arg("-o").arg(folder.join("bcryptprimitives.dll"));
    project::run(build.arg("-ladvapi32"))
}
