//! Compiles the CUDA kernels to PTX. The PTX is committed with the sources, so users need only a driver.

mod assembler;
mod nvrtc;

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};

use crate::prerequisites::{self, Prerequisite};
use crate::project;

/// The architecture of the oldest supported GPUs. The driver compiles this PTX for any later GPU.
/// Separate PTX for later GPUs would not help: with PTX for Hopper, the search loop has the same
/// instructions.
const ARCHITECTURE: &str = "compute_52";

/// The architectures for which [`check`] assembles the kernels.
const GPUS: [&str; 4] = ["sm_75", "sm_80", "sm_90", "sm_120"];

/// The sources of the kernels, with the maximum number of registers per thread.
///
/// With 64 registers, 1024 threads fit on a multiprocessor. With 128 registers, 512 threads fit. That is enough
/// for `halves.cu`: shared memory limits `pairs` to fewer threads, and `__launch_bounds__` limits `join` to 64
/// registers on GPUs that can hold 32 blocks per multiprocessor.
const SOURCES: [(&str, u32); 2] = [("queens.cu", 64), ("halves.cu", 128)];

fn source(name: &str) -> PathBuf {
    project::root().join("shaders").join(name)
}

/// Compiles the kernels and returns the paths of their PTX.
pub fn build() -> Result<Vec<PathBuf>> {
    ensure_installed(prerequisites::NVRTC)?;
    let build = |(name, _)| {
        let path = source(name).with_extension("ptx");
        fs::write(&path, compile(name)?).with_context(|| path.display().to_string())?;
        Ok(path)
    };
    SOURCES.into_iter().map(build).collect()
}

/// Checks that the PTX is up to date, and that the assembled kernels use no stack and not too many
/// registers.
pub fn check() -> Result<()> {
    ensure_installed(prerequisites::NVRTC)?;
    ensure_installed(prerequisites::PTXAS)?;
    SOURCES.into_iter().try_for_each(|(name, max_registers)| check_one(name, max_registers))
}

fn check_one(name: &str, max_registers: u32) -> Result<()> {
    let path = source(name).with_extension("ptx");
    let committed = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    ensure!(
        committed == compile(name)?,
        "{} is out of date: shaders/{name} has changed; run `cargo xtask ptx`",
        path.display()
    );
    let ptxas = file_of(prerequisites::PTXAS)?;
    for gpu in GPUS {
        for kernel in assembler::assemble(&ptxas, gpu, &path)? {
            println!("{gpu}: {kernel}");
            ensure!(
                kernel.registers <= max_registers,
                "{gpu}: {kernel}, more than the {max_registers} registers allowed"
            );
            ensure!(
                kernel.stack == 0 && kernel.spilled == 0,
                "{gpu}: {kernel}; spills and stack use are not allowed"
            );
        }
    }
    Ok(())
}

fn ensure_installed(part: Prerequisite) -> Result<()> {
    if part.is_installed() { Ok(()) } else { prerequisites::install(&[part]) }
}

fn compile(name: &str) -> Result<String> {
    let path = source(name);
    let source = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let architecture = format!("--gpu-architecture={ARCHITECTURE}");
    nvrtc::compile(&file_of(prerequisites::NVRTC)?, &source, name, &[&architecture, "--std=c++14"])
}

fn file_of(part: Prerequisite) -> Result<PathBuf> {
    part.path().with_context(|| format!("{} has no file", part.name()))
}
