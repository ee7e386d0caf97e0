//! `queens verify`: checks a result document and recounts some of its tasks.

use std::{
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
};

use queens::paths;
use queens_core::document::Header;

use super::{
    args::RunArgs,
    output::thousands,
    recount::{RecountArgs, recount_document},
    source,
};

/// Check a result document, and recount some of its tasks
///
/// Tasks are chosen at random and recounted by plain backtracking, without the rules and tables of the
/// method that produced the document.
///
/// The colours method records the solutions of one part of each task. Beyond N = 18 a whole task takes too
/// long. Instead, the recorded parts are recounted, as many as the time allows (see --parts), both by the
/// method and by plain backtracking, or beyond N = 24 by the method's formula with plain lists.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  queens verify result.json
  queens verify result.json --tasks all
  queens verify result.json --seconds 60
  queens verify result.json --tasks 20 --seed 7
  queens verify twenty-four.json --parts 100")]
pub struct Args {
    /// Result document to check; - reads stdin
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    recount: RecountArgs,
    #[command(flatten)]
    run_args: RunArgs,
}

pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let (document, passed) = source::read_checked(&args.file)?;
    print(out, &document.header)?;
    let file = paths::shown(&args.file).to_string();
    let report = recount_document(&document, &file, &args.recount, &args.run_args)?;
    report.print(out, passed)?;
    Ok(ExitCode::SUCCESS)
}

fn print(out: &mut dyn Write, header: &Header) -> io::Result<()> {
    let shard = header.shard.as_ref().map(|s| format!(", shard {}/{}", s.index, s.of));
    writeln!(
        out,
        "N = {}, {}, {}{}: total {}{}",
        header.n,
        header.method,
        header.form,
        shard.unwrap_or_default(),
        thousands(header.total),
        header.unique.map(|unique| format!(", unique {}", thousands(unique))).unwrap_or_default(),
    )
}
