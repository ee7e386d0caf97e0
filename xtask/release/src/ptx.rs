//! Compiles the CUDA kernels to PTX. The PTX is committed with the sources, so users need only a driver.

mod nvrtc;

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use xtask::{project, tools};

/// The architecture of the oldest supported GPUs. The driver compiles this PTX for any later GPU.
/// Separate PTX for later GPUs would not help: with PTX for Hopper, the search loop has the same
/// instructions.
const ARCHITECTURE: &str = "compute_52";

/// The architectures for which [`check`] assembles the kernels.
const GPUS: [&str; 4] = ["sm_75", "sm_80", "sm_90", "sm_120"];

/// The maximum number of registers per thread. With 64 registers, 1024 threads fit on a multiprocessor.
const MAX_REGISTERS: u32 = 64;

/// The compiler from CUDA C++ to PTX: a package of the Python index, and the file in it. Drivers accept PTX only
/// up to their own version, and new compilers drop old GPUs, so this is an old version.
const NVRTC: (&str, &str) =
    ("nvidia-cuda-nvrtc-cu11==11.8.89", "nvidia/cuda_nvrtc/lib/libnvrtc.so.11.2");

/// The assembler from PTX to machine code, which is otherwise part of the driver. This is a new
/// version, because it must support new GPUs.
const PTXAS: (&str, &str) = ("nvidia-cuda-nvcc==13.5.37", "nvidia/cu13/bin/ptxas");

/// Returns the path of a file of a package of the Python index. Installs the package if it is missing, in the
/// folder that `.ci/setup` uses too. Only its files are used, never Python.
fn installed((package, file): (&str, &str)) -> Result<PathBuf> {
    // The name includes the version, because pip does not change an existing folder.
    let folder = project::target().join("wheels").join(package);
    let file = folder.join(file);
    if !file.is_file() {
        let pip = ["pip3", "pip"].into_iter().find_map(tools::find_on_path);
        let pip = pip.with_context(|| format!("installing {package} requires pip"))?;
        println!("Installing {package} …");
        let mut install = Command::new(pip);
        // Old versions of pip lack the option but ignore the variable.
        install.env("PIP_ROOT_USER_ACTION", "ignore");
        install.args(["install", "--quiet", "--no-deps", "--disable-pip-version-check"]);
        install.arg("--target").arg(folder).arg(package);
        project::run(&mut install, "pip install")?;
    }
    Ok(file)
}

/// The sources of the kernels.
fn sources() -> Result<Vec<PathBuf>> {
    let files = project::root().join("shaders").read_dir().context("reading shaders/")?;
    let paths = files.map(|file| Ok(file?.path())).collect::<Result<Vec<_>>>()?;
    Ok(paths.into_iter().filter(|path| path.extension().is_some_and(|is| is == "cu")).collect())
}

/// Compiles the kernels and prints the paths of their PTX.
pub fn build() -> Result<()> {
    for source in sources()? {
        let path = source.with_extension("ptx");
        fs::write(&path, compile(&source)?).with_context(|| path.display().to_string())?;
        println!("Kernels are in {}.", path.display());
    }
    Ok(())
}

/// Checks that the PTX is up to date, and that the assembled kernels use no stack and not too many
/// registers.
pub fn check() -> Result<()> {
    sources()?.iter().try_for_each(|source| check_source(source))
}

fn check_source(source: &Path) -> Result<()> {
    let path = source.with_extension("ptx");
    let committed = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    ensure!(
        committed == compile(source)?,
        "{} is out of date: {} has changed; run `cargo xtask ptx`",
        path.display(),
        source.display()
    );
    for gpu in GPUS {
        let report = assemble(gpu, &path)?;
        check_report(&report, MAX_REGISTERS).with_context(|| gpu.to_owned())?;
    }
    println!("{} is up to date and assembles for {}.", path.display(), GPUS.join(", "));
    Ok(())
}

/// Assembles a file for a GPU architecture, and returns the report of ptxas about each kernel.
fn assemble(gpu: &str, file: &Path) -> Result<String> {
    let mut ptxas = Command::new(installed(PTXAS)?);
    ptxas.args(["--verbose", "--output-file", "/dev/null", "--gpu-name", gpu]).arg(file);
    let output = ptxas.output().context("starting ptxas")?;
    let report = String::from_utf8_lossy(&output.stderr).into_owned();
    ensure!(output.status.success(), "ptxas rejects the kernels for {gpu}:\n{report}");
    Ok(report)
}

/// Fails if a kernel uses the stack, moves registers to memory, or uses more than `max_registers`.
fn check_report(report: &str, max_registers: u32) -> Result<()> {
    let mut kernels = 0;
    for line in report.lines() {
        if let Some((_, rest)) = line.split_once("Used ") {
            let registers = rest.split(' ').next().and_then(|number| number.parse::<u32>().ok());
            let registers =
                registers.with_context(|| format!("no number of registers in {line}"))?;
            ensure!(
                registers <= max_registers,
                "{registers} of {max_registers} registers:\n{report}"
            );
            kernels += 1;
        }
        if line.contains("bytes stack frame") {
            let is_zero = line.trim().split(", ").all(|part| part.starts_with("0 bytes "));
            ensure!(is_zero, "a kernel uses the stack:\n{report}");
        }
    }
    ensure!(kernels > 0, "ptxas names no kernel:\n{report}");
    Ok(())
}

fn compile(path: &Path) -> Result<String> {
    let name = path.file_name().and_then(OsStr::to_str).context("the source has no name")?;
    let source = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let architecture = format!("--gpu-architecture={ARCHITECTURE}");
    nvrtc::compile(&installed(NVRTC)?, &source, name, &[&architecture, "--std=c++14"])
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = "\
ptxas info    : Compiling entry function 'search' for 'sm_75'
ptxas info    : Function properties for search
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 46 registers, used 0 barriers, 400 bytes cmem[0]
ptxas info    : Compile time = 54.419 ms
ptxas info    : Compiling entry function 'seed' for 'sm_75'
ptxas info    : Function properties for seed
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 26 registers, used 0 barriers
";

    #[test]
    fn rejects_kernels_that_use_the_stack_or_too_many_registers() {
        check_report(REPORT, 46).unwrap();
        let error = |report: &str| check_report(report, 45).unwrap_err().to_string();
        assert!(error(REPORT).starts_with("46 of 45 registers"));
        for wrong in ["8 bytes stack", "0 bytes stack frame, 4 bytes spill stores, 0"] {
            let from = wrong.replace(['8', '4'], "0");
            assert!(check_report(&REPORT.replacen(&from, wrong, 1), 64).is_err(), "{wrong}");
        }
        assert!(check_report("Used many registers", 64).is_err());
        assert!(check_report("", 64).is_err());
    }
}
