//! `queens template`: job files for clusters.

use std::{io::Write, process::ExitCode};

use clap::{Args as Arguments, Subcommand};
use queens::count::Cpu;
use queens_core::{Method, Plan, Size};

use super::{args, decide::check_size, failure::Failure, request::fastest_method};

/// Print a job file that counts in shards on a cluster
///
/// The first lines of the file say how to use it. Shards keep journals and resume after an
/// interruption; the last step merges their results. The file names the method, so every machine
/// uses the same one. For Slurm and Kubernetes it also requests the memory that the method needs.
#[derive(Arguments)]
#[command(after_help = "\
Examples:
  queens template slurm 22 --shards 100 > queens-22.sh
  queens template k8s 20 --shards 16 > queens-20.yaml
  queens template parallel 20 --shards 40 > queens-20.sh")]
pub struct Args {
    #[command(subcommand)]
    cluster: Cluster,
}

#[derive(Subcommand)]
enum Cluster {
    /// A Slurm job array, and a job that merges its results
    Slurm(TemplateArgs),
    /// A Kubernetes indexed Job, and a Job that merges its results
    K8s(TemplateArgs),
    /// A shell script for GNU parallel, on one machine or several
    Parallel(TemplateArgs),
}

/// Arguments of all kinds of job files.
#[derive(Arguments)]
struct TemplateArgs {
    /// Size of the board: 1 to 28; some methods stop at a smaller N (see `queens methods`)
    #[arg(value_name = "N", value_parser = args::counted_size, allow_negative_numbers = true)]
    size: Size,
    /// Number of shards
    #[arg(long, value_name = "COUNT", value_parser = args::shards, allow_negative_numbers = true)]
    shards: u32,
    /// Method to count with [default: the fastest on CPUs for this N]
    #[arg(long, value_name = "METHOD", value_parser = args::method())]
    method: Option<Method>,
}

/// Maximum number of shards for Slurm. The indices of a job array start at 0 and stay below the
/// cluster's `MaxArraySize`, which is 1001 by default.
const LARGEST_ARRAY: u32 = 1000;

/// Memory that a thread needs in addition to the lists of its method, in megabytes.
const BASE_MEMORY: u64 = 200;

pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let (text, template_args) = match &args.cluster {
        Cluster::Slurm(template_args) => (include_str!("template/slurm.sh"), template_args),
        Cluster::K8s(template_args) => (include_str!("template/k8s.yaml"), template_args),
        Cluster::Parallel(template_args) => (include_str!("template/parallel.sh"), template_args),
    };
    let TemplateArgs { size, shards, method } = *template_args;
    let method = method.unwrap_or_else(|| fastest_method(size, None, None));
    check_size(size, method)?;
    let tasks = Plan::new(size, method).len();
    if shards as usize > tasks {
        let text = format!(
            "too many shards: N = {size} with {method} has only {tasks} tasks, not {shards}"
        );
        return Err(Failure::arguments(text, format!("use `--shards {tasks}` or fewer")).into());
    }
    if matches!(args.cluster, Cluster::Slurm(_)) && shards > LARGEST_ARRAY {
        let text = format!(
            "{shards} shards do not fit in a Slurm job array, whose default limit (MaxArraySize) is \
             1001"
        );
        let hint = format!(
            "use `--shards {LARGEST_ARRAY}`; a shard that runs out of time is requeued and resumes \
             from its journal"
        );
        return Err(Failure::arguments(text, hint).into());
    }
    let memory = BASE_MEMORY + Cpu::memory_of_a_thread(size, method) / 1_000_000;
    let mut text = text.to_owned();
    for (name, value) in [
        ("{n}", size.to_string()),
        ("{shards}", shards.to_string()),
        ("{last}", (shards - 1).to_string()),
        ("{method}", method.to_string()),
        ("{name}", format!("queens-{size}")),
        ("{memory}", memory.to_string()),
        ("{all_memory}", (4 * memory).to_string()),
    ] {
        text = text.replace(name, &value);
    }
    write!(out, "{text}")?;
    Ok(ExitCode::SUCCESS)
}
