//! `queens missing`: shards of a count without a result.

use std::{io::Write, path::PathBuf, process::ExitCode};

use anyhow::Error;
use queens::paths;
use queens_core::{document::Shards, ranges};

use super::{args, failure::Failure, output, source};

/// List the shards that have no result yet, in the form 3,17,40-42
///
/// The list has the format of `sbatch --array`. Nothing is printed if every shard has a result. A
/// damaged file counts as missing: the command names it and exits with code 65.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  queens missing --shards 100 shards/*.json
  list=$(queens missing --shards 100 shards/*.json) &&
    [ -n \"$list\" ] && sbatch --array=\"$list\" job.sh

The last two lines submit the missing shards to Slurm, if there are any. They submit nothing if a file is
damaged. job.sh is your job script, which counts one shard with --shard-from-env. The script of
`queens template slurm` does all of this itself.")]
pub struct Args {
    /// Number of shards of the whole count
    #[arg(long, value_name = "COUNT", value_parser = args::shards, allow_negative_numbers = true)]
    shards: u32,
    /// Result documents of the shards, or patterns such as 'shards/*.json'
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
}

pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let mut shards = Shards::default();
    let mut code = ExitCode::SUCCESS;
    for path in &source::expand(&args.files)? {
        let document = match source::read_checked(path) {
            Ok((document, _)) => document,
            Err(damaged) => {
                let damaged = Error::from(damaged);
                code = Failure::exit_code_of(&damaged).into();
                output::error(&damaged);
                continue;
            }
        };
        let name = paths::shown(path);
        shards.add(&name, &document).map_err(|error| Failure::Data(error.to_string().into()))?;
        let (of, wanted) = (shards.of(), args.shards);
        if of != wanted {
            let text = format!("{name} is one of {of} shards, but `--shards` is {wanted}");
            return Err(Failure::Arguments(text.into()).into());
        }
    }
    let missing = shards.missing(args.shards);
    if !missing.is_empty() {
        writeln!(out, "{}", ranges(&missing))?;
    }
    Ok(code)
}
