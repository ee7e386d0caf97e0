//! `queens symmetries`: the eight images of a placement, and the result of symmetryOps.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use queens_core::{Image, Orbit, Placement, notation::Notation};
use serde_json::{Value, json};

use super::{board, output, played, source::Given};

/// Show the eight symmetric images of a solution, its class and its representative
///
/// It also shows how symmetryOps, the check that the symmetry method makes, compares the solution with
/// its images.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  queens symmetries 0 4 7 5 2 6 1 3
  queens symmetries 1,3,0,2 --json
  queens symmetries board.txt
  queens symmetries - < board.txt

The symmetry method prunes a solution that breaks one of these rules, because it cannot be the
representative of its class (rows and columns from 0, columns from the right):
  rule 1, upper-side cut  no queen above row BOUND1 is in a side column
  rule 2, lower-side cut  a side column that is still free in row BOUND2 gets its queen there
  rule 3, last-row cut    the queen of the last row is outside LASTMASK
  rule X, corner cut      if the first queen is in the corner, no queen above row BOUND1 is in column 1
`queens methods` explains BOUND1, BOUND2 and LASTMASK.")]
pub struct Args {
    /// Columns of the queens from the top row down, or a file with a board; - reads stdin
    ///
    /// Columns count from 0 at the left, or from 1 if they include N. A board can also be squares (b4 d3 a2
    /// c1), FEN rows (1Q2/3Q/Q3/2Q1) or a drawing.
    #[arg(value_name = "COLUMN", required = true, allow_negative_numbers = true)]
    columns: Vec<String>,
    /// Print JSON instead of boards
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    // Columns may be separate arguments, or one argument with commas or spaces.
    let given = Given::new(&args.columns.join(" "))?;
    let reject = |error| given.reject(&error);
    let board = given.board().map_err(reject)?.unwrap_or_default();
    let placement = board.placement().map_err(reject)?;
    if board.notation == (Notation::Columns { first: 1 }) {
        output::note("columns counted from 1");
    }
    if args.json {
        output::json(out, &to_json(&placement))?;
    } else {
        print(out, &placement)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn to_json(placement: &Placement) -> Value {
    let orbit = Orbit::of(placement);
    let smallest = orbit.representative();
    let described = orbit.images().iter().map(|image| {
        json!({
            "transform": image.transform.id(),
            "columns": from_left(&image.placement),
            "judgement_value": image.placement.judgement_value().digits(),
            "same_as": (!image.is_first()).then(|| image.first.id()),
            "representative": image.placement == *smallest,
        })
    });
    let stabiliser = orbit.stabiliser().transforms().iter().map(|transform| transform.id());
    json!({
        "n": placement.size().get(),
        "columns": from_left(placement),
        "class": orbit.class().members(),
        "stabiliser": stabiliser.collect::<Vec<_>>(),
        "representative": {
            "columns": from_left(smallest),
            "judgement_value": smallest.judgement_value().digits(),
        },
        "images": described.collect::<Vec<_>>(),
        "symmetry_ops": played::to_json(placement),
    })
}

fn from_left(placement: &Placement) -> Vec<u32> {
    placement.columns_from_left().collect()
}

fn print(out: &mut dyn Write, placement: &Placement) -> io::Result<()> {
    let orbit = Orbit::of(placement);
    let smallest = orbit.representative();
    let stabiliser: Vec<_> =
        orbit.stabiliser().transforms().iter().map(ToString::to_string).collect();
    output::fields(
        out,
        &[
            (
                "Columns",
                format!(
                    "{placement} from the left, {} from the right",
                    placement.judgement_value()
                ),
            ),
            ("Class", format!("{} (number of different images)", orbit.class())),
            ("Stabiliser", stabiliser.join(", ")),
            (
                "Representative",
                format!("{smallest} from the left, {} from the right", smallest.judgement_value()),
            ),
        ],
    )?;
    writeln!(
        out,
        "\nImages, with columns from the left (L) and from the right (R, the judgement value):"
    )?;
    writeln!(out)?;
    let cells: Vec<_> = orbit
        .images()
        .iter()
        .map(|image| image_lines(image, image.placement == *smallest))
        .collect();
    board::side_by_side(out, &cells)?;
    played::print(out, placement)
}

/// Returns the lines that show an image: its transform, board, columns (L), judgement value (R), and whether
/// it equals an earlier image or is the representative.
fn image_lines(image: &Image, is_representative: bool) -> Vec<String> {
    let placement = &image.placement;
    let mut lines = vec![image.transform.id().to_owned()];
    lines.extend(board::lines(placement));
    lines.push(format!("L {placement}"));
    lines.push(format!("R {}", placement.judgement_value()));
    if !image.is_first() {
        lines.push(format!("= {}", image.first.id()));
    } else if is_representative {
        lines.push("representative".to_owned());
    }
    lines
}
