//! ptxas, and its report about each kernel.

use std::fmt;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

/// The resources that a kernel uses.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct KernelUsage {
    name: String,
    /// The number of registers per thread.
    pub registers: u32,
    /// The stack of each thread in bytes.
    pub stack: u32,
    /// The bytes that are written or read because there are too few registers: spill stores plus spill loads.
    pub spilled: u32,
}

impl fmt::Display for KernelUsage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, registers, stack, spilled } = self;
        write!(f, "{name} has {registers} registers, {stack} bytes of stack, {spilled} spilled")
    }
}

/// Assembles a file for a GPU architecture, such as `sm_90`.
pub fn assemble(ptxas: &Path, gpu: &str, file: &Path) -> Result<Vec<KernelUsage>> {
    let output = Command::new(ptxas)
        .args(["--verbose", "--output-file", if cfg!(windows) { "NUL" } else { "/dev/null" }])
        .args(["--gpu-name", gpu])
        .arg(file)
        .output()
        .with_context(|| format!("starting {}", ptxas.display()))?;
    let report = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        bail!("ptxas rejects the kernels for {gpu}:\n{report}");
    }
    let kernels = read(&report)?;
    ensure!(!kernels.is_empty(), "ptxas names no kernel:\n{report}");
    Ok(kernels)
}

/// Parses the report of ptxas for each kernel.
fn read(report: &str) -> Result<Vec<KernelUsage>> {
    let mut kernels: Vec<KernelUsage> = vec![];
    for line in report.lines() {
        if let Some((_, rest)) = line.split_once("Compiling entry function '") {
            let name = rest.split('\'').next().unwrap_or_default().to_owned();
            kernels.push(KernelUsage { name, ..KernelUsage::default() });
        }
        let Some(kernel) = kernels.last_mut() else { continue };
        if line.contains("bytes stack frame") {
            kernel.stack = number_before(line, " bytes stack frame")?;
            kernel.spilled = number_before(line, " bytes spill stores")?
                + number_before(line, " bytes spill loads")?;
        }
        if line.contains(" registers") {
            kernel.registers = number_before(line, " registers")?;
        }
    }
    Ok(kernels)
}

fn number_before(line: &str, unit: &str) -> Result<u32> {
    let before = line.split(unit).next().unwrap_or_default();
    let number = before.rsplit(' ').next().unwrap_or_default();
    number.parse().with_context(|| format!("no number before {unit:?} in {line:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_kernel_usage_from_ptxas_output() {
        let report = "\
ptxas info    : Compiling entry function 'search' for 'sm_75'
ptxas info    : Function properties for search
    8 bytes stack frame, 4 bytes spill stores, 12 bytes spill loads
ptxas info    : Used 46 registers, used 0 barriers, 400 bytes cmem[0]
ptxas info    : Compile time = 54.419 ms
ptxas info    : Compiling entry function 'seed' for 'sm_75'
ptxas info    : Function properties for seed
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 26 registers, used 0 barriers
";
        let search = KernelUsage { name: "search".into(), registers: 46, stack: 8, spilled: 16 };
        let seed = KernelUsage { name: "seed".into(), registers: 26, stack: 0, spilled: 0 };
        assert_eq!(read(report).unwrap(), [search, seed]);
        assert!(read("Compiling entry function 'a'\nmany registers").is_err());
    }
}
