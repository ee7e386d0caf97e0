//! `queens devices`: hardware to count on.

use std::{io::Write, process::ExitCode};

use queens_core::document::BackendKind;
use serde_json::{Value, json};

use super::output::{self, BOLD};
use queens::{
    count::{BackendError, GPUS, GpuBackend, gpu::FoundGpu},
    host::{self, Host},
    isa,
};

/// List the CPU and the GPUs to count on, and explain why a GPU cannot be used
#[derive(clap::Args)]
pub struct Args {
    /// Print JSON instead of a table
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let host = Host::get();
    let sets: Vec<_> = isa::available().iter().map(ToString::to_string).collect();
    let backends: Vec<_> = GPUS.iter().map(|gpus| (gpus, gpus.find(None))).collect();
    if args.json {
        let mut all = vec![json!({
            "kind": BackendKind::Cpu.id(), "name": host.cpu, "threads": host::threads(),
            "memory": host.memory, "usable": true, "isa": sets,
        })];
        for (gpus, found) in &backends {
            all.extend(to_json(gpus, found));
        }
        output::json(out, &Value::Array(all))?;
        return Ok(ExitCode::SUCCESS);
    }
    let memory = gibibytes(host.memory);
    writeln!(
        out,
        "{BOLD}cpu{BOLD:#}     {}, {} threads, {memory}; instruction sets: {}",
        host.cpu,
        host::threads(),
        sets.join(", ")
    )?;
    for (gpus, found) in &backends {
        print(out, gpus, found)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn to_json(gpus: &GpuBackend, found: &Result<Vec<FoundGpu>, BackendError>) -> Vec<Value> {
    let kind = gpus.kind;
    let found = match found {
        Ok(found) => found,
        Err(error) => {
            return vec![json!({"kind": kind.id(), "usable": false, "reason": reason(error)})];
        }
    };
    let device = |(number, found): (usize, &FoundGpu)| {
        let mut device = json!({
            "kind": kind.id(), "device": number, "name": found.name, "detail": found.kind,
            "software": found.is_software, "usable": found.gpu.is_ok(),
        });
        if let Some(memory) = found.memory {
            device["memory"] = memory.into();
        }
        match &found.gpu {
            Ok(_) => device["methods"] = methods(gpus).into(),
            Err(reason) => device["reason"] = reason.as_str().into(),
        }
        device
    };
    found.iter().enumerate().map(device).collect()
}

fn print(
    out: &mut dyn Write,
    gpus: &GpuBackend,
    found: &Result<Vec<FoundGpu>, BackendError>,
) -> std::io::Result<()> {
    let kind = gpus.kind.id();
    let found = match found {
        Ok(found) => found,
        Err(error) => {
            writeln!(out, "{BOLD}{kind}{BOLD:#}    not usable: {}", reason(error))?;
            return print_hint(out, error.hint().as_deref());
        }
    };
    for (number, found) in found.iter().enumerate() {
        let FoundGpu { name, kind: what, memory, hint, .. } = found;
        let memory = memory.map(|bytes| format!(", {}", gibibytes(bytes))).unwrap_or_default();
        let use_of_it = match &found.gpu {
            Ok(_) => format!("methods: {}", methods(gpus).join(", ")),
            Err(reason) => format!("not usable: {reason}"),
        };
        writeln!(out, "{BOLD}{kind} {number}{BOLD:#}  {name}, {what}{memory}; {use_of_it}")?;
        print_hint(out, hint.as_deref())?;
    }
    Ok(())
}

/// Prints the hint for a backend or a device that cannot be used.
fn print_hint(out: &mut dyn Write, hint: Option<&str>) -> std::io::Result<()> {
    hint.map_or(Ok(()), |hint| writeln!(out, "        {BOLD}hint:{BOLD:#} {hint}"))
}

/// Returns the ids of the methods that its devices support.
fn methods(gpus: &GpuBackend) -> Vec<&'static str> {
    gpus.methods.iter().map(|method| method.id()).collect()
}

/// Returns the reason why a backend is not available, without the backend's name.
fn reason(error: &BackendError) -> String {
    match error {
        BackendError::Unavailable { reason, .. } => reason.clone(),
        other => other.to_string(),
    }
}

fn gibibytes(bytes: u64) -> String {
    format!("{:.1} GiB of memory", bytes as f64 / f64::from(1 << 30))
}
