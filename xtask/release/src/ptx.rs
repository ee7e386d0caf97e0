//! Compiles the CUDA kernels to PTX. The PTX is committed with the sources, so users need only a driver.

mod nvrtc;

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use xtask::project;

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

/// Returns the path of a file of a package of the Python index, which `.ci/setup` installs.
fn installed((package, file): (&str, &str)) -> Result<PathBuf> {
    let folder = project::target().join("wheels").join(package);
    let path = folder.join(file);
    ensure!(
        path.is_file(),
        "{package} is not installed\n  hint: pip3 install --no-deps --target {} {package}",
        folder.display()
    );
    Ok(path)
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
        check_registers(&assemble(gpu, &path)?).with_context(|| gpu.to_owned())?;
    }
    println!("{} is up to date and assembles for {}.", path.display(), GPUS.join(", "));
    Ok(())
}

/// Assembles a file for a GPU architecture, and returns the report of ptxas about each kernel. Fails if a kernel
/// uses the stack or moves registers to memory.
fn assemble(gpu: &str, file: &Path) -> Result<String> {
    let mut ptxas = Command::new(installed(PTXAS)?);
    ptxas.args(["--warn-on-spills", "--warn-on-local-memory-usage", "--warning-as-error"]);
    ptxas.args(["--verbose", "--output-file", "/dev/null", "--gpu-name", gpu]).arg(file);
    let output = ptxas.output().context("starting ptxas")?;
    let report = String::from_utf8_lossy(&output.stderr).into_owned();
    ensure!(output.status.success(), "ptxas rejects the kernels for {gpu}:\n{report}");
    Ok(report)
}

/// Fails if a kernel uses more than [`MAX_REGISTERS`].
fn check_registers(report: &str) -> Result<()> {
    let used = report.split("Used ").skip(1).filter_map(|rest| rest.split(' ').next());
    let used: Vec<u32> = used.map(str::parse).collect::<Result<_, _>>().context("reading ptxas")?;
    ensure!(!used.is_empty(), "ptxas names no kernel:\n{report}");
    ensure!(used.iter().all(|&used| used <= MAX_REGISTERS), "too many registers:\n{report}");
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

    #[test]
    fn rejects_kernels_that_use_too_many_registers() {
        let report = |first, second| {
            format!(
                "ptxas info    : Compiling entry function 'search' for 'sm_75'\n\
                 ptxas info    : Used {first} registers, used 0 barriers, 400 bytes cmem[0]\n\
                 ptxas info    : Used {second} registers, used 0 barriers\n"
            )
        };
        check_registers(&report("46", "64")).unwrap();
        for (first, second) in [("46", "65"), ("65", "26"), ("many", "26")] {
            assert!(check_registers(&report(first, second)).is_err(), "{first} {second}");
        }
        assert!(check_registers("").is_err());
    }
}
