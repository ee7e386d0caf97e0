//! `queens missing`: which shards of a count are lacking.

use std::{
    io::{ErrorKind, Write},
    path::PathBuf,
    process::ExitCode,
};

use anyhow::Error;
use queens_core::{document::Shards, ranges};

use super::{failure::Failure, output, shard, source};

/// Print which shards of a count have no result yet, such as 3,17,40-42
///
/// What is printed is what the array of a Slurm job takes. Nothing is printed if no shard is
/// missing. A damaged file is no result of its shard; it is named, and the exit code is 65.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  queens missing --shards 100 shards/*.json
  sbatch --array=$(queens missing --shards 100 shards/*.json) job.sh")]
pub struct Args {
    /// The number of shards that the count was divided into
    #[arg(long, value_name = "S", value_parser = shard::shards, allow_negative_numbers = true)]
    shards: u32,
    /// The documents of shards; one that is not there is one that is missing
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
}

pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let mut shards = Shards::default();
    let mut code = ExitCode::SUCCESS;
    for path in &args.files {
        let document = match source::checked(path) {
            Ok((document, _)) => document,
            Err(Failure::Unreadable { source, .. }) if source.kind() == ErrorKind::NotFound => {
                continue;
            }
            Err(damaged) => {
                let damaged = Error::from(damaged);
                code = Failure::exit_code_of(&damaged).into();
                output::complain(&damaged);
                continue;
            }
        };
        let name = path.display().to_string();
        shards.add(&name, &document).map_err(Failure::Shards)?;
        let (of, wanted) = (shards.of(), args.shards);
        if of != wanted {
            let words = format!("{name} is one of {of} shards, not of {wanted}");
            return Err(Failure::Arguments(words).into());
        }
    }
    let missing = shards.missing(args.shards);
    if !missing.is_empty() {
        writeln!(out, "{}", ranges(&missing))?;
    }
    Ok(code)
}
