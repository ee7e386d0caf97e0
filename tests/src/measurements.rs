//! `cargo xtask gpu`: the prepared measurements on a GPU.

use std::ffi::OsStr;
use std::fs;
use std::ops::RangeInclusive;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::command;

/// Runs the measurements for some seconds with this command, and returns their record.
pub fn run<'a>(
    backend: &str,
    variables: impl IntoIterator<Item = (&'a OsStr, &'a OsStr)>,
) -> Result<Vec<Value>> {
    let folder = tempfile::tempdir()?;
    let record = folder.path().join("record");
    let mut chore = Command::new(env!("CARGO"));
    chore.args(["run", "--quiet", "--package", "xtask-release", "--", "gpu", "--seconds", "20"]);
    chore.args(["--backend", backend, "--queens"]).arg(command::path()?).arg("-o").arg(&record);
    let output = chore.envs(variables).output().context("starting cargo")?;
    let printed = String::from_utf8_lossy(&output.stdout);
    ensure!(output.status.success(), "{printed}{}", String::from_utf8_lossy(&output.stderr));
    ensure!(printed.contains(" There was no time for "), "{printed}");
    let lines = fs::read_to_string(record)?;
    lines.lines().map(|line| serde_json::from_str(line).context("reading the record")).collect()
}

/// Checks that the record names the devices first, and that these boards were counted in this order.
pub fn check(record: &[Value], backend: &str, boards: RangeInclusive<u32>) -> Result<()> {
    let (devices, counts) = record.split_first().context("nothing was measured")?;
    ensure!(devices["printed"].to_string().contains(backend), "{devices}");
    ensure!(counts.len() > boards.clone().count(), "{counts:?}");
    for (n, count) in boards.zip(counts) {
        let command = count["command"].as_str().unwrap_or_default();
        let start = format!("\"$QUEENS\" count {n} --backend {backend} --method colours ");
        ensure!(command.starts_with(&start) && count["result"] == "ok", "{count}");
        ensure!(count["printed"]["backend"]["kind"] == backend, "{count}");
    }
    Ok(())
}
