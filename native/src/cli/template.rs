//! `queens template`: files for a cluster.

use std::{io::Write, process::ExitCode};

use clap::{Args as Arguments, Subcommand};
use queens::count::{Cpu, Wish};
use queens_core::{Method, Plan, Size};

use super::{args, decide::countable, failure::Failure, shard};

/// Print ready files that count in shards on a cluster
///
/// Each tells in its first lines how it is used. The shards keep journals and go on after a stop;
/// at the end they are added up. Method and memory are written down, so that all machines do the
/// same.
#[derive(Arguments)]
#[command(after_help = "\
Examples:
  queens template slurm 22 --shards 100 > queens-22.sh
  queens template k8s 20 --shards 16 | kubectl apply -f -
  queens template parallel 20 --shards 40 > queens-20.sh")]
pub struct Args {
    #[command(subcommand)]
    cluster: Cluster,
}

#[derive(Subcommand)]
enum Cluster {
    /// A job array for Slurm, and the job that merges
    Slurm(Count),
    /// An indexed Job for Kubernetes, and the one that merges
    K8s(Count),
    /// A script for GNU parallel, on one machine or several
    Parallel(Count),
}

/// What is to be counted.
#[derive(Arguments)]
struct Count {
    /// The side of the board
    #[arg(value_name = "N", allow_negative_numbers = true)]
    size: Size,
    /// The number of shards
    #[arg(long, value_name = "S", value_parser = shard::shards, allow_negative_numbers = true)]
    shards: u32,
    /// How to count [default: the fastest for this N]
    #[arg(long, value_name = "ID", value_parser = args::method())]
    method: Option<Method>,
}

/// More tasks than this no array of Slurm has, unless its `MaxArraySize` was raised from 1001.
const LARGEST_ARRAY: u32 = 1000;

/// What a thread needs beside the lists of its method, in megabytes.
const LEAST_MEMORY: u64 = 200;

pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let (text, count) = match &args.cluster {
        Cluster::Slurm(count) => (include_str!("template/slurm.sh"), count),
        Cluster::K8s(count) => (include_str!("template/k8s.yaml"), count),
        Cluster::Parallel(count) => (include_str!("template/parallel.sh"), count),
    };
    let Count { size, shards, method } = *count;
    let method = Wish { size, method, form: None, isa: None }.method_on_cpu();
    countable(size, method).map_err(Failure::from)?;
    let tasks = Plan::new(size, method).len();
    let refused = |sentence| Err(Failure::Arguments(sentence).into());
    if shards as usize > tasks {
        return refused(format!(
            "N = {size} by {method} has {tasks} tasks, too few for {shards} shards"
        ));
    }
    if matches!(args.cluster, Cluster::Slurm(_)) && shards > LARGEST_ARRAY {
        return refused(format!(
            "--shards {shards} is more than an array of Slurm can have: its MaxArraySize is 1001 \
             unless it was raised. Take --shards {LARGEST_ARRAY}: a shard that does not end in its \
             time goes back into the queue and on from its journal"
        ));
    }
    let memory = LEAST_MEMORY + Cpu::memory_of_a_thread(size, method) / 1_000_000;
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
