//! Prints the findings in lists of solutions and in tables of totals.

use std::io::{self, Write};

use queens_core::{
    material::{Boards, Cell, Kept, Material, Totals},
    notation,
    notation::Ignored,
};
use serde_json::{Value, json};

use super::{
    failure::{Failure, Message},
    output::{self, thousands},
    source::excerpt,
};

/// Maximum number of ignored lines that are printed as text.
const MAX_IGNORED: usize = 10;

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
    let (value, fields, wrong) = match material {
        Material::Boards(boards) => {
            (boards_json(boards), boards_fields(boards), wrong_boards(file, boards))
        }
        Material::Totals(totals) => {
            (totals_json(totals), totals_fields(totals), wrong_cells(file, totals))
        }
    };
    if as_json {
        output::json(out, &value)?;
    } else if !fields.is_empty() {
        print_fields(out, fields, material.ignored())?;
    }
    wrong.map_or(Ok(()), |message| Err(Failure::Data(message).into()))
}

fn print_fields(
    out: &mut dyn Write,
    mut fields: Vec<(&str, String)>,
    ignored: &Kept<Ignored>,
) -> io::Result<()> {
    for line in ignored.first.iter().take(MAX_IGNORED) {
        fields.push(("Ignored", format!("line {}: {}", line.line, excerpt(&line.text))));
    }
    let more = ignored.count.saturating_sub(MAX_IGNORED as u64);
    if more > 0 {
        fields.push(("Ignored", format!("{} more", lines(more))));
    }
    output::fields(out, &fields)
}

fn lines(count: u64) -> String {
    format!("{} {}", thousands(count), if count == 1 { "line" } else { "lines" })
}

fn boards_fields(boards: &Boards) -> Vec<(&'static str, String)> {
    if boards.count() == 0 && boards.faults().count == 0 {
        return Vec::new();
    }
    let mut fields = vec![("Boards", thousands(boards.count()))];
    if let Some(first) = boards.first_column() {
        fields.push(("Columns", format!("counted from {first}")));
    }
    for (&size, found) in boards.sizes() {
        let (solutions, classes) = (found.solutions(), found.classes());
        let solutions_word = if solutions == 1 { "solution" } else { "different solutions" };
        let classes_word = if classes == 1 { "class" } else { "classes" };
        let complete = match boards.published(size) {
            Some((_, true)) => "complete".to_owned(),
            Some((total, false)) => {
                let missing = thousands(total.saturating_sub(solutions));
                format!("missing {missing} of {}", thousands(total))
            }
            None => "the number of all solutions is not known".to_owned(),
        };
        let text = format!(
            "N = {size}: {} {solutions_word} in {} {classes_word}, {complete}",
            thousands(solutions),
            thousands(classes)
        );
        fields.push(("Valid", text));
    }
    let faults = boards.faults();
    fields.extend(faults.first.iter().map(|fault| ("Wrong", fault.to_string())));
    let more = faults.count - faults.first.len() as u64;
    if more > 0 {
        fields.push(("Wrong", format!("{} more", thousands(more))));
    }
    fields
}

fn wrong_boards(file: &str, boards: &Boards) -> Option<Message> {
    match (boards.count(), boards.faults().count) {
        (0, 0) => {
            let text =
                format!("{file} has no board and no row of a table, and is not a result document");
            Some(Message::new(text).with_hint(notation::READ))
        }
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

fn totals_fields(totals: &Totals) -> Vec<(&'static str, String)> {
    let wrong = totals.wrong();
    let mut fields = vec![("Rows", thousands(totals.rows() as u64))];
    if totals.has_only_unique() {
        fields.push(("Column", "unique solutions".to_owned()));
    }
    if wrong.is_empty() {
        fields.push(("Right", "every published number".to_owned()));
    }
    fields.extend(wrong.iter().map(|cell| ("Wrong", cell.to_string())));
    let unpublished: Vec<_> = totals.unpublished().map(|n| n.to_string()).collect();
    if !unpublished.is_empty() {
        fields.push(("Unknown", format!("N = {}: not published", unpublished.join(", "))));
    }
    fields
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
