//! `queens verify`: checks a result document and recounts some of its tasks, or checks a list or a table.

use std::{
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
    slice,
};

use queens::paths;
use queens_core::{Check, Checks, document::Header};
use serde_json::{Value, json};

use super::{
    args::RunArgs,
    failure::Failure,
    material,
    output::{self, thousands},
    recount::{RecountArgs, recount_document},
    source::{self, Content},
};

/// Check a result document, a list of solutions or a table of totals
///
/// A list of solutions is checked board by board, and compared with the published numbers, as is a table of
/// totals. A result document is checked and partly recounted:
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
  queens verify solutions.txt
  queens verify totals.csv
  queens verify result.json --tasks all
  queens verify result.json --seconds 60
  queens verify result.json --tasks 20 --seed 7
  queens verify twenty-four.json --parts 100")]
pub struct Args {
    /// File to check; - reads stdin
    ///
    /// Lists of solutions can be columns (1 3 0 2 or 1302), squares (0:1,1:3 or b4 d3), FEN rows or drawings.
    /// Tables can be b-files of the OEIS, CSV, Markdown, or tables as printed by `queens table`.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    recount: RecountArgs,
    #[command(flatten)]
    run_args: RunArgs,
}

pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    output::set_quiet(args.run_args.quiet);
    let files = source::expand(slice::from_ref(&args.file))?;
    let [path] = &*files else {
        let text =
            format!("{} files match {}: expected one", files.len(), paths::shown(&args.file));
        return Err(Failure::Arguments(text.into()).into());
    };
    let file = source::name(path);
    let (document, passed) = match source::read(path)? {
        Content::Document(document, passed) => (document, passed),
        Content::Material(found) => {
            material::print(out, &file, &found, args.json)?;
            return Ok(ExitCode::SUCCESS);
        }
    };
    if !args.json {
        print(out, &document.header)?;
    }
    let report = recount_document(&document, &file, &args.recount, args.run_args.threads())?;
    if args.json {
        output::json(out, &to_json(&document.header, report.add_to(passed)))?;
    } else {
        report.print(out, passed)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn to_json(header: &Header, passed: Checks) -> Value {
    json!({
        "kind": "result",
        "n": header.n.get(),
        "method": header.method.id(),
        "shard": header.shard.as_ref().map(|shard| format!("{}/{}", shard.index, shard.of)),
        "total": header.total.to_string(),
        "checks": passed.iter().map(Check::id).collect::<Vec<_>>(),
    })
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
