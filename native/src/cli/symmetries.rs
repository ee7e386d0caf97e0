//! `queens symmetries`: the eight images of a placement, and what symmetryOps makes of it.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use queens_core::{
    Class, Placement, PlacementError, Stabiliser, Transform, images, representative,
};
use serde_json::{Value, json};

use super::{board, failure::Failure, output, played};

/// Show the eight images of a placement, its class and representative, and how symmetryOps compares it
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  queens symmetries 0 4 7 5 2 6 1 3
  queens symmetries 1,3,0,2 --json")]
pub struct Args {
    /// The queens' columns, top row first, from 0 at the left
    #[arg(value_name = "COLS", required = true, allow_negative_numbers = true)]
    columns: Vec<String>,
    /// Print JSON instead of boards
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let columns = columns(&args.columns)?;
    let placement = Placement::from_left(&columns).map_err(refused)?;
    if args.json {
        output::json(out, &to_json(&placement))?;
    } else {
        print(out, &placement)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn refused(error: PlacementError) -> Failure {
    Failure::Arguments(match error {
        PlacementError::Attacked(_) | PlacementError::OutsideBoard { .. } => {
            format!("{error} (rows count from 0 at the top, columns from 0 at the left)")
        }
        other => other.to_string(),
    })
}

/// Columns as separate arguments, or with commas or spaces in one.
fn columns(args: &[String]) -> Result<Vec<u32>, Failure> {
    let words = args.iter().flat_map(|arg| arg.split(',')).flat_map(|part| {
        // An empty part stands where a number is missing: it is refused below, not dropped.
        let mut words: Vec<&str> = part.split_whitespace().collect();
        if words.is_empty() {
            words.push("");
        }
        words
    });
    const LIKE: &str =
        "give one whole number for each row, counted from 0 at the left, such as 1 3 0 2";
    let number = |word: &str| match word.parse() {
        Ok(column) => Ok(column),
        Err(_) if word.is_empty() => {
            Err(Failure::Arguments(format!("a column is missing beside a comma: {LIKE}")))
        }
        Err(_) => Err(Failure::Arguments(format!("\"{word}\" is no column: {LIKE}"))),
    };
    words.map(number).collect()
}

fn to_json(placement: &Placement) -> Value {
    let smallest = representative(placement);
    let images = images(placement);
    let described = images.iter().enumerate().map(|(index, (transform, image))| {
        json!({
            "transform": transform.id(),
            "columns": from_left(image),
            "judgement_value": image.judgement_value().digits(),
            "same_as": first_same(&images[..index], image).map(Transform::id),
            "representative": *image == smallest,
        })
    });
    json!({
        "n": placement.size().get(),
        "columns": from_left(placement),
        "class": Class::of(placement).members(),
        "stabiliser": Stabiliser::of(placement).transforms().iter().map(|t| t.id()).collect::<Vec<_>>(),
        "representative": {
            "columns": from_left(&smallest),
            "judgement_value": smallest.judgement_value().digits(),
        },
        "images": described.collect::<Vec<_>>(),
        "symmetry_ops": played::to_json(placement),
    })
}

fn from_left(placement: &Placement) -> Vec<u32> {
    placement.columns_from_left().collect()
}

/// The first of `earlier` that is the same placement.
fn first_same(earlier: &[(Transform, Placement)], image: &Placement) -> Option<Transform> {
    earlier.iter().find(|(_, other)| other == image).map(|(transform, _)| *transform)
}

fn print(out: &mut dyn Write, placement: &Placement) -> io::Result<()> {
    let smallest = representative(placement);
    let keeps: Vec<_> =
        Stabiliser::of(placement).transforms().iter().map(ToString::to_string).collect();
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
            ("Class", format!("of {}: so many of the images differ", Class::of(placement))),
            ("Stabiliser", keeps.join(", ")),
            (
                "Representative",
                format!("{smallest} from the left, {} from the right", smallest.judgement_value()),
            ),
        ],
    )?;
    writeln!(out, "\nThe images, each with its columns from the left (L) and from the right (R):")?;
    writeln!(out)?;
    let images = images(placement);
    let cells: Vec<Vec<String>> = images
        .iter()
        .enumerate()
        .map(|(index, (transform, image))| {
            let same = first_same(&images[..index], image);
            cell(*transform, image, same, *image == smallest)
        })
        .collect();
    board::side_by_side(out, &cells)?;
    played::print(out, placement)
}

/// One image: its transform, its board, its columns, and what is to be said of it.
fn cell(
    transform: Transform,
    image: &Placement,
    same: Option<Transform>,
    smallest: bool,
) -> Vec<String> {
    let mut lines = vec![transform.id().to_owned()];
    lines.extend(board::lines(image));
    lines.push(format!("L {image}"));
    lines.push(format!("R {}", image.judgement_value()));
    if let Some(same) = same {
        lines.push(format!("= {}", same.id()));
    } else if smallest {
        lines.push("representative".to_owned());
    }
    lines
}
