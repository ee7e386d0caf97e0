//! A CUDA driver without a GPU. With it, the command's own host code runs the kernels' CPU build.
//!
//! `driver.cpp` is the driver. The comment at its top lists the settings that describe the devices
//! and their failures.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use tempfile::TempDir;

use crate::command;

/// The driver, compiled into a folder that is deleted with this value.
#[derive(Debug)]
pub struct StubDriver {
    folder: TempDir,
}

/// The names by which programs load the driver.
const NAMES: [&str; 2] = ["libcuda.so", "libcuda.so.1"];

impl StubDriver {
    /// Compiles the driver. An error contains the compiler's messages.
    pub fn build(compiler: &str) -> Result<StubDriver> {
        StubDriver::compile(compiler, &["src/kernels/shim.cpp", "src/stub_driver/driver.cpp"])
    }

    /// Compiles a driver without any functions, to imitate a driver that is too old.
    pub fn without_functions(compiler: &str) -> Result<StubDriver> {
        StubDriver::compile(compiler, &["src/stub_driver/empty.cpp"])
    }

    fn compile(compiler: &str, sources: &[&str]) -> Result<StubDriver> {
        let folder = TempDir::new().context("making a folder")?;
        let project = Path::new(env!("CARGO_MANIFEST_DIR"));
        let [file, copy] = NAMES.map(|name| folder.path().join(name));
        let output = Command::new(compiler)
            .args(["-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror"])
            .args(["-Wno-unknown-pragmas", "-shared", "-fPIC", "-pthread", "-I"])
            .arg(project.join("../shaders"))
            .args(sources.iter().map(|source| project.join(source)))
            .arg("-o")
            .arg(&file)
            .output()
            .with_context(|| format!("starting {compiler}"))?;
        ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        fs::copy(&file, &copy).context("copying the driver")?;
        Ok(StubDriver { folder })
    }

    /// The command with this driver and these device settings.
    pub fn command<S: AsRef<OsStr>>(
        &self,
        settings: &[(&str, &str)],
        arguments: impl IntoIterator<Item = S>,
    ) -> Result<Command> {
        let mut command = with_libraries(self.folder.path())?;
        command.envs(settings.iter().copied()).args(arguments);
        Ok(command)
    }
}

/// A folder that hides an installed driver. Its files have the driver's names but are not libraries.
/// The loader stops at them with an error and does not search further.
pub fn no_driver() -> Result<TempDir> {
    let folder = TempDir::new().context("making a folder")?;
    for name in NAMES {
        File::create(folder.path().join(name)).context("creating a file")?;
    }
    Ok(folder)
}

/// The command with this folder first in its library search path.
pub fn with_libraries(folder: &Path) -> Result<Command> {
    let mut command = Command::new(command::path()?);
    command.env("LD_LIBRARY_PATH", folder).env_remove("CUDA_VISIBLE_DEVICES");
    Ok(command)
}
