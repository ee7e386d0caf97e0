//! `queens devices`: what there is to count on.

use std::{io::Write, process::ExitCode};

use serde_json::json;

use super::output::{self, BOLD};
use queens::host::{self, Host};

/// List what can be counted on, and why something cannot
#[derive(clap::Args)]
pub struct Args {
    /// Print JSON instead of a table
    #[arg(long)]
    json: bool,
}

const NOT_BUILT: &str = "this build has no such backend";

pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let Host { cpu, memory, .. } = Host::ask();
    let threads = host::threads();
    if args.json {
        let missing = |kind| json!({"kind": kind, "usable": false, "reason": NOT_BUILT});
        let cpu = json!({
            "kind": "cpu", "name": cpu, "threads": threads, "memory": memory, "usable": true,
        });
        output::json(out, &json!([cpu, missing("wgpu"), missing("cuda")]))?;
        return Ok(ExitCode::SUCCESS);
    }
    let gib = memory as f64 / f64::from(1 << 30);
    writeln!(out, "{BOLD}cpu{BOLD:#}   {cpu}, {threads} threads at once, {gib:.1} GiB of memory")?;
    for kind in ["wgpu", "cuda"] {
        writeln!(out, "{BOLD}{kind}{BOLD:#}  not usable: {NOT_BUILT}")?;
    }
    Ok(ExitCode::SUCCESS)
}
