//! Classes saved as JSON, CSV or a sheet of boards.

use std::fmt::Write;
use std::iter;

use queens_core::{Class, Size};
use serde_json::json;
use yew::prelude::*;

use super::search::{Board, Search};
use crate::browser::download;
use crate::parts::sheet::{self, Sheet};
use crate::place::ClassFilter;
use crate::words::{Language, csv_row, tr};

/// The largest number of boards in a PNG. Its number of pixels is limited, so more boards would be too
/// small.
const MAX_PNG_BOARDS: usize = 2000;

/// The number of boards per part of a file: a few milliseconds of work.
const PART: usize = 500;

#[derive(Clone, Copy)]
enum SaveFormat {
    Json,
    Csv,
    Sheet(sheet::Format),
}

/// Renders the buttons that save the shown classes in their order. `boards` is the number of these
/// classes; `done` says whether the search has ended.
pub fn saving(
    language: Language,
    size: Size,
    search: &Search,
    done: bool,
    (filter, boards): (ClassFilter, usize),
) -> Html {
    let fits_png = boards <= MAX_PNG_BOARDS;
    let buttons = [
        ("save-json", "JSON", SaveFormat::Json),
        ("save-csv", "CSV", SaveFormat::Csv),
        ("save-svg", "SVG", SaveFormat::Sheet(sheet::Format::Svg)),
        ("save-png", "PNG", SaveFormat::Sheet(sheet::Format::Png)),
    ];
    let buttons = buttons.map(|(id, name, format)| {
        let search = search.clone();
        let disabled =
            !done || matches!(format, SaveFormat::Sheet(sheet::Format::Png)) && !fits_png;
        let onclick = Callback::from(move |_: MouseEvent| save(size, &search, filter, format));
        html! { <button {id} type="button" {disabled} {onclick}>{ name }</button> }
    });
    html! {
        <p class="saving">
            <span class="soft">{ tr!(language, "classes.save") }</span>
            { for buttons }
            if done && !fits_png {
                <span id="no-png" class="hint">{ tr!(language, "classes.no-png", most = MAX_PNG_BOARDS) }</span>
            }
        </p>
    }
}

fn save(size: Size, search: &Search, filter: ClassFilter, format: SaveFormat) {
    let boards: Vec<(Class, Board)> = search.filtered(filter).collect();
    let name = format!("queens-{size}-classes");
    match format {
        SaveFormat::Json => {
            let complete = filter.is_all() && search.ledger.is_some();
            let text = json(size.get(), complete, boards);
            download::in_parts(format!("{name}.json"), "application/json", text);
        }
        SaveFormat::Csv => download::in_parts(format!("{name}.csv"), "text/csv", csv(boards)),
        SaveFormat::Sheet(format) => {
            // The sheet is approximately a square.
            let across = boards.len().isqrt().max(4);
            let sheet = Sheet::new(boards, across, |(class, board)| {
                (board.placement, format!("{} × {class}", board.number))
            });
            sheet.save(&name, format);
        }
    }
}

/// Writes boards in parts of [`PART`] boards. `write` receives the index of each board.
fn parts(
    boards: Vec<(Class, Board)>,
    write: impl Fn(&mut String, usize, Class, Board) + 'static,
) -> impl Iterator<Item = String> + 'static {
    (0..boards.len()).step_by(PART).map(move |start| {
        let mut text = String::new();
        for (index, &(class, board)) in boards.iter().enumerate().skip(start).take(PART) {
            write(&mut text, index, class, board);
        }
        text
    })
}

/// Writes JSON. Columns are from the left, as everywhere on the page; the judgement value reads the
/// columns from the right. `complete` says whether `boards` has all classes of the board size.
fn json(
    n: u32,
    complete: bool,
    boards: Vec<(Class, Board)>,
) -> impl Iterator<Item = String> + 'static {
    let head = format!("{{\"n\":{n},\"complete\":{complete},\"classes\":[\n");
    let classes = parts(boards, |text, index, class, board| {
        let class = json!({
            "class": class.members(),
            "columns": board.placement.columns_from_left().collect::<Vec<_>>(),
            "judgement_value": board.placement.judgement_value().digits(),
            "step": board.step,
        });
        // Writing to a string cannot fail.
        let _ = write!(text, "{}{class}", if index > 0 { ",\n" } else { "" });
    });
    iter::once(head).chain(classes).chain(iter::once("\n]}\n".to_owned()))
}

fn csv(boards: Vec<(Class, Board)>) -> impl Iterator<Item = String> + 'static {
    let rows = parts(boards, |csv, _, class, board| {
        let value = board.placement.judgement_value();
        let [class, step] = [class.to_string(), board.step.to_string()];
        *csv += &csv_row([&class, &board.placement.to_string(), &value.to_string(), &step]);
    });
    iter::once(csv_row(["class", "columns", "judgement_value", "step"])).chain(rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use queens_core::Placement;
    use serde_json::Value;

    #[test]
    fn csv_and_json_have_the_same_content() {
        let placement = Placement::from_left(&[2, 0, 3, 1]).unwrap();
        let boards = vec![(Class::Two, Board { placement, number: 1, step: 9 })];
        let rows = "class,columns,judgement_value,step\r\n2,2 0 3 1,1 3 0 2,9\r\n";
        assert_eq!(csv(boards.clone()).collect::<String>(), rows);
        let json: Value = serde_json::from_str(&json(4, true, boards).collect::<String>()).unwrap();
        assert_eq!(json["classes"][0]["columns"], json!([2, 0, 3, 1]));
        assert_eq!(json["classes"][0]["judgement_value"], json!([1, 3, 0, 2]));
        assert_eq!(json["classes"][0]["class"], json!(2));
        assert_eq!(json["classes"][0]["step"], json!(9));
        assert_eq!((&json["n"], &json["complete"]), (&json!(4), &json!(true)));
    }

    #[test]
    fn long_files_are_complete() {
        let placement = Placement::from_left(&[2, 0, 3, 1]).unwrap();
        let board = |number| (Class::Two, Board { placement, number, step: 9 });
        let boards: Vec<_> = (1..=2 * PART as u32 + 1).map(board).collect();
        let text: String = json(4, false, boards.clone()).collect();
        let json: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(json["classes"].as_array().unwrap().len(), boards.len());
        assert_eq!(csv(boards.clone()).count(), 1 + 3);
        assert_eq!(csv(boards.clone()).collect::<String>().lines().count(), 1 + boards.len());
    }
}
