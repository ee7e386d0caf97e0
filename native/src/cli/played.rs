//! Prints what the symmetry method does with a solution, as text and as JSON: how symmetryOps compares the
//! solution with its images, and the verdict.

use std::{
    cmp::Ordering,
    io::{self, Write},
};

use queens_core::{Cell, ComparedRow, Moment, Outcome, Placement, Played, Verdict, representative};
use serde_json::{Value, json};

use super::output::BOLD;

/// Prints the comparisons of a solution row by row, or the point where the search prunes it.
pub fn print(out: &mut dyn Write, placement: &Placement) -> io::Result<()> {
    writeln!(out, "\n{BOLD}What the symmetry method does with this solution{BOLD:#}")?;
    let (masks, moments) = match Played::of(placement) {
        Played::OnlyQueen => {
            return writeln!(
                out,
                "The only solution of N = 1: counted as a class of 1 without a comparison."
            );
        }
        Played::NoBranch => {
            writeln!(
                out,
                "Never reached: no branch of the search starts with these first queens."
            )?;
            return point_to_representative(out, placement);
        }
        Played::GivenUp(row, rule) => {
            let sign = rule.sign();
            writeln!(
                out,
                "Pruned: no representative begins with the queens of rows 0 to {row} (rule {sign}, {rule})."
            )?;
            return point_to_representative(out, placement);
        }
        Played::Completed(masks, moments) => (masks, moments),
    };
    let mut compared = None;
    for moment in moments {
        if let Moment::Row(cell, _) = moment
            && compared != Some(cell)
        {
            compared = Some(cell);
            let (letter, transform) = (cell.letter(), cell.transform());
            writeln!(
                out,
                "\nThe queen on cell {letter} requires a comparison with the image turned by \
                 {transform}."
            )?;
            writeln!(out, "  row  image     solution  (columns from the right)")?;
        }
        match moment {
            Moment::Cells(_) if masks.is_corner() => {
                writeln!(out, "The first queen is in the corner, so there are no cells to check.")?;
            }
            Moment::Cells(held) => {
                let (bound1, bound2) = (masks.bound1, masks.bound2);
                writeln!(
                    out,
                    "BOUND1 = {bound1} (the first queen's column from the right), BOUND2 = {bound2} \
                     (N - 1 - BOUND1)"
                )?;
                for cell in Cell::ALL {
                    let Some((row, square)) = masks.cell(cell) else { continue };
                    let (letter, column) = (cell.letter(), square.column());
                    let queen = if held.contains(cell) { "a queen" } else { "empty" };
                    writeln!(
                        out,
                        "Cell {letter} (row {row}, column {column} from the right): {queen}"
                    )?;
                }
            }
            Moment::Row(_, row) => {
                let sign = match row.image.cmp(&row.own) {
                    Ordering::Less => '<',
                    Ordering::Equal => '=',
                    Ordering::Greater => '>',
                };
                writeln!(out, "  {:>3}  {:>5}  {sign}  {}", row.row, row.image, row.own)?;
            }
            Moment::Outcome(_, outcome, last) => match (outcome, last) {
                (Outcome::ImageSmaller, Some(ComparedRow { row, .. })) => {
                    writeln!(out, "Row {row} decides: the image is smaller.")?;
                }
                (Outcome::ImageLarger, Some(ComparedRow { row, .. })) => {
                    writeln!(out, "Row {row} decides: the image is larger.")?;
                }
                _ => writeln!(out, "All rows are equal: the image is the solution itself.")?,
            },
            Moment::Verdict(verdict) => {
                if compared.is_none() {
                    writeln!(out, "\nNothing is compared.")?;
                }
                match verdict {
                    Verdict::Drop => {
                        writeln!(
                            out,
                            "Verdict: dropped; its class is counted at its smallest image."
                        )?;
                    }
                    Verdict::Keep(class) => writeln!(out, "Verdict: counted, a class of {class}.")?,
                }
            }
        }
    }
    Ok(())
}

fn point_to_representative(out: &mut dyn Write, placement: &Placement) -> io::Result<()> {
    writeln!(out, "Another image has a smaller judgement value. See the representative with:")?;
    writeln!(out, "  queens symmetries {}", representative(placement))
}

/// Returns a summary in one line: the images that a completed solution is compared with, and the results.
pub fn summary(placement: &Placement) -> String {
    let (masks, moments) = match Played::of(placement) {
        Played::Completed(masks, moments) => (masks, moments),
        Played::OnlyQueen | Played::NoBranch | Played::GivenUp(..) => {
            return "not compared".to_owned();
        }
    };
    let compared = moments.into_iter().filter_map(|moment| {
        let Moment::Outcome(cell, outcome, last) = moment else { return None };
        let result = match (outcome, last) {
            (Outcome::Same, _) | (_, None) => "the same".to_owned(),
            (Outcome::ImageSmaller, Some(row)) => format!("smaller in row {}", row.row),
            (Outcome::ImageLarger, Some(row)) => format!("larger in row {}", row.row),
        };
        let (letter, transform) = (cell.letter(), cell.transform());
        Some(format!("by {transform} (queen on cell {letter}): {result}"))
    });
    let compared: Vec<_> = compared.collect();
    if !compared.is_empty() {
        format!("compared with the image turned {}", compared.join("; "))
    } else if masks.is_corner() {
        "not compared: the first queen is in the corner".to_owned()
    } else {
        "not compared: no queen on cell A, B or C".to_owned()
    }
}

/// Returns the comparisons as JSON. Rows are numbered from the top, and columns from the right.
pub fn to_json(placement: &Placement) -> Value {
    let (masks, moments) = match Played::of(placement) {
        Played::OnlyQueen => return json!({ "verdict": "counted", "class": 1, "compared": [] }),
        Played::NoBranch => return json!({ "verdict": "unreached" }),
        Played::GivenUp(row, rule) => {
            return json!({ "verdict": "pruned", "row": row, "rule": rule.id() });
        }
        Played::Completed(masks, moments) => (masks, moments),
    };
    let rows_of = |of: Cell| {
        let rows = moments.iter().filter_map(move |moment| match *moment {
            Moment::Row(cell, row) if cell == of => Some(row),
            _ => None,
        });
        rows.map(|row| json!({ "row": row.row, "image": row.image, "solution": row.own }))
    };
    let compared = moments.iter().filter_map(|moment| {
        let Moment::Outcome(cell, outcome, last) = *moment else { return None };
        let (name, decides) = match outcome {
            Outcome::ImageSmaller => ("smaller", last),
            Outcome::Same => ("same", None),
            Outcome::ImageLarger => ("larger", last),
        };
        Some(json!({
            "cell": cell.letter(),
            "transform": cell.transform().id(),
            "rows": rows_of(cell).collect::<Vec<_>>(),
            "outcome": name,
            "deciding_row": decides.map(|row| row.row),
        }))
    });
    let held = moments.iter().find_map(|moment| match moment {
        Moment::Cells(held) => Some(*held),
        _ => None,
    });
    let cells = held.unwrap_or_default().iter();
    let class = moments.iter().find_map(|moment| match moment {
        Moment::Verdict(Verdict::Keep(class)) => Some(class.members()),
        _ => None,
    });
    json!({
        "bound1": masks.bound1,
        "bound2": masks.bound2,
        "queens_on": cells.map(Cell::letter).collect::<Vec<_>>(),
        "compared": compared.collect::<Vec<_>>(),
        "verdict": if class.is_some() { "counted" } else { "dropped" },
        "class": class,
    })
}
