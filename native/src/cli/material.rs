//! Prints the findings in lists of solutions and in tables of totals.

use std::io::Write;

use queens_core::{
    material::{Boards, Cell, Kept, Material, NOTHING, Totals},
    notation::{self, Ignored},
};
use serde_json::{Value, json};

use super::{
    failure::{Failure, Message},
    output::{self, thousands},
};

/// Prints the findings.
///
/// # Errors
/// [`Failure`] if something is wrong, after printing it.
pub fn print(
    out: &mut dyn Write,
    file: &str,
    material: &Material,
    as_json: bool,
) -> anyhow::Result<()> {
    if as_json {
        let value = match material {
            Material::Boards(boards) => boards_json(boards),
            Material::Totals(totals) => totals_json(totals),
        };
        output::json(out, &value)?;
    } else {
        let findings = material.findings(usize::MAX);
        let fields: Vec<_> = findings.iter().map(|each| (each.label(), each.to_string())).collect();
        output::fields(out, &fields)?;
    }
    let wrong = match material {
        Material::Boards(boards) => wrong_boards(file, boards),
        Material::Totals(totals) => wrong_cells(file, totals),
    };
    wrong.map_or(Ok(()), |message| Err(Failure::Data(message).into()))
}

fn wrong_boards(file: &str, boards: &Boards) -> Option<Message> {
    match (boards.count(), boards.faults().count) {
        (0, 0) => Some(Message::new(format!("{file}: {NOTHING}")).with_hint(notation::READ)),
        (_, 0) => None,
        (_, 1) => Some(format!("{file}: 1 board is wrong").into()),
        (_, wrong) => Some(format!("{file}: {} boards are wrong", thousands(wrong)).into()),
    }
}

fn boards_json(boards: &Boards) -> Value {
    let sizes = boards.sizes().iter().map(|(&size, found)| {
        let published = boards.published(size);
        json!({
            "n": size.get(),
            "solutions": found.solutions().to_string(),
            "classes": found.classes().to_string(),
            "published": published.map(|(total, _)| total.to_string()),
            "complete": published.map(|(_, complete)| complete),
        })
    });
    let wrong = boards.faults().first.iter().map(|fault| {
        json!({
            "board": fault.number,
            "line": fault.line,
            "columns": fault.columns,
            "text": fault.to_string(),
        })
    });
    json!({
        "kind": "boards",
        "boards": boards.count().to_string(),
        "columns_from": boards.first_column(),
        "sizes": sizes.collect::<Vec<_>>(),
        "wrong": wrong.collect::<Vec<_>>(),
        "wrong_count": boards.faults().count.to_string(),
        "ignored": ignored_json(boards.ignored()),
    })
}

fn wrong_cells(file: &str, totals: &Totals) -> Option<Message> {
    match totals.wrong().len() {
        0 => None,
        1 => Some(format!("{file}: 1 number is wrong").into()),
        wrong => Some(format!("{file}: {wrong} numbers are wrong").into()),
    }
}

fn totals_json(totals: &Totals) -> Value {
    let wrong = totals.wrong().into_iter().map(|cell| {
        json!({
            "line": cell.line,
            "n": cell.n,
            "column": if cell.cell == Cell::Total { "total" } else { "unique" },
            "found": cell.found.to_string(),
            "published": cell.published.to_string(),
        })
    });
    json!({
        "kind": "totals",
        "rows": totals.rows(),
        "wrong": wrong.collect::<Vec<_>>(),
        "unpublished": totals.unpublished().collect::<Vec<_>>(),
        "ignored": ignored_json(totals.ignored()),
    })
}

fn ignored_json(ignored: &Kept<Ignored>) -> Value {
    let lines = ignored.first.iter().map(|line| json!({ "line": line.line, "text": line.text }));
    lines.collect()
}
