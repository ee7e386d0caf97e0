//! `queens verify`: checks a result document and counts some of its tasks again.

use std::{
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
};

use queens_core::document::Header;

use super::{
    again::{AgainArgs, count_again},
    args::Running,
    output::thousands,
    source,
};

/// Check a result document, and count tasks of it again by another method
///
/// A task is counted again by plain backtracking below its first queens, or within its sets of
/// columns, without the cuts and comparisons of the document's method.
///
/// Beyond N = 20 that would take too long. There one column set each of some tasks is counted again
/// by half-board matching, which must find what the document says of it, and a part of it by plain
/// backtracking, too: from N = 24 on a random part, below all of it.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  queens verify result.json
  queens verify result.json --tasks all
  queens verify result.json --seconds 60
  queens verify result.json --tasks 20 --seed 7
  queens verify twenty-four.json --sets 100")]
pub struct Args {
    /// The document's file; - is stdin
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    again: AgainArgs,
    #[command(flatten)]
    running: Running,
}

pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let (document, passed) = source::checked(&args.file)?;
    print(out, &document.header)?;
    let file = args.file.display().to_string();
    let again = count_again(&document, &file, &args.again, &args.running)?;
    again.print(out, passed)?;
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
