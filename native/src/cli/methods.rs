//! `queens methods`: the methods and their limits.

use std::{io::Write, process::ExitCode};

use queens_core::{Form, Method, Size};
use serde_json::{Value, json};

use super::output::{self, BOLD};
use queens::isa;

/// List the methods, each with the largest N that it counts
#[derive(clap::Args)]
pub struct Args {
    /// Print JSON instead of a table
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    if args.json {
        output::json(out, &Method::ALL.iter().map(|&method| to_json(method)).collect())?;
        return Ok(ExitCode::SUCCESS);
    }
    let width = Method::ALL.iter().map(|method| method.id().len()).max().unwrap_or(0);
    let forms = Form::ALL.map(Form::id).join(", ");
    writeln!(out, "{BOLD} #  {:width$}  max N  classes  idea{BOLD:#}", "id")?;
    for method in Method::ALL {
        let (number, largest) = (method.number(), method.largest());
        let classes = if method.counts_classes() { "counted" } else { "derived" };
        writeln!(out, "{number:2}  {method:width$}  {largest:5}  {classes}  {}", method.summary())?;
    }
    writeln!(
        out,
        "\n\
         With the symmetry method, `queens boards` searches boards up to N = {largest}.\n\
         Every method except colours has two forms: {forms}.\n\
         BOUND1 is the column, counted from the right, of the first queen, or of the second one if the\n\
         first is in the corner; BOUND2 is N - 1 - BOUND1. SIDEMASK has the two side columns, and LASTMASK\n\
         the squares of the last row that no representative uses (see `queens --help`).\n\
         Classes are counted by the method itself, or derived with Burnside's lemma from the total and\n\
         the numbers of solutions with half-turn and quarter-turn symmetry, which a search finds.",
        largest = Size::MAX
    )?;
    let sets: Vec<_> = isa::available().iter().map(ToString::to_string).collect();
    writeln!(out, "Instruction sets available to colours, fastest last: {}.", sets.join(", "))?;
    Ok(ExitCode::SUCCESS)
}

fn to_json(method: Method) -> Value {
    let mut described = json!({
        "number": method.number(),
        "id": method.id(),
        "summary": method.summary(),
        "largest": method.largest(),
        "forms": method.forms().iter().map(|form| form.id()).collect::<Vec<_>>(),
        "counts_classes": method.counts_classes(),
    });
    if method.stepped().is_none() {
        described["isa"] = isa::available().iter().map(ToString::to_string).collect();
    }
    described
}
