//! `queens devices`: lists the hardware that can count.

use std::{io::Write, process::ExitCode};

use queens_core::{Method, document::BackendKind};
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
    let backends: Vec<_> = GPUS.iter().map(|backend| (backend, backend.find(None))).collect();
    if args.json {
        let mut all = vec![json!({
            "kind": BackendKind::Cpu.id(), "name": host.cpu, "threads": host::threads(),
            "memory": host.memory, "usable": true, "isa": sets,
        })];
        for (backend, result) in &backends {
            all.extend(to_json(backend, result));
        }
        output::json(out, &Value::Array(all))?;
        return Ok(ExitCode::SUCCESS);
    }
    let memory = memory_text(host.memory);
    writeln!(
        out,
        "{BOLD}cpu{BOLD:#}     {}, {} threads, {memory}; instruction sets: {}",
        host.cpu,
        host::threads(),
        sets.join(", ")
    )?;
    for (backend, result) in &backends {
        print(out, backend, result)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns an entry for each GPU, or one entry with the reason if the backend is not available.
fn to_json(backend: &GpuBackend, result: &Result<Vec<FoundGpu>, BackendError>) -> Vec<Value> {
    let kind = backend.kind;
    let gpus = match result {
        Ok(gpus) => gpus,
        Err(error) => {
            return vec![json!({"kind": kind.id(), "usable": false, "reason": reason(error)})];
        }
    };
    let entry = |(number, device): (usize, &FoundGpu)| {
        let mut entry = json!({
            "kind": kind.id(), "device": number, "name": device.name, "detail": device.kind,
            "software": device.is_software, "usable": device.open.is_ok(),
        });
        if let Some(memory) = device.memory {
            entry["memory"] = memory.into();
        }
        match &device.open {
            Ok(_) => entry["methods"] = methods().into(),
            Err(error) => entry["reason"] = error.reason.as_str().into(),
        }
        entry
    };
    gpus.iter().enumerate().map(entry).collect()
}

fn print(
    out: &mut dyn Write,
    backend: &GpuBackend,
    result: &Result<Vec<FoundGpu>, BackendError>,
) -> std::io::Result<()> {
    let kind = backend.kind.id();
    let gpus = match result {
        Ok(gpus) => gpus,
        Err(error) => {
            writeln!(out, "{BOLD}{kind}{BOLD:#}    not usable: {}", reason(error))?;
            return print_hint(out, error.hint().as_deref());
        }
    };
    for (number, device) in gpus.iter().enumerate() {
        let FoundGpu { name, kind: detail, memory, open, .. } = device;
        let memory = memory.map(|bytes| format!(", {}", memory_text(bytes))).unwrap_or_default();
        let usability = match open {
            Ok(_) => format!("methods: {}", methods().join(", ")),
            Err(error) => format!("not usable: {error}"),
        };
        writeln!(out, "{BOLD}{kind} {number}{BOLD:#}  {name}, {detail}{memory}; {usability}")?;
        print_hint(out, open.as_ref().err().and_then(|error| error.hint.as_deref()))?;
    }
    Ok(())
}

/// Prints the hint for a backend or a device that cannot be used.
fn print_hint(out: &mut dyn Write, hint: Option<&str>) -> std::io::Result<()> {
    hint.map_or(Ok(()), |hint| writeln!(out, "        {BOLD}hint:{BOLD:#} {hint}"))
}

/// Returns the ids of the methods that GPUs support.
fn methods() -> Vec<&'static str> {
    Method::on_gpus().map(Method::id).collect()
}

/// Returns the reason why a backend is not available, without the backend's name.
fn reason(error: &BackendError) -> String {
    match error {
        BackendError::Unavailable { reason, .. } => reason.clone(),
        other => other.to_string(),
    }
}

fn memory_text(bytes: u64) -> String {
    format!("{:.1} GiB of memory", bytes as f64 / f64::from(1 << 30))
}
