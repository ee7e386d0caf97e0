//! Classes as files: JSON, CSV and a sheet of boards.

use std::fmt::Write;

use queens_core::{Class, Placement};
use serde_json::{Value, json};
use yew::prelude::*;

use super::choice::Choice;
use super::search::{Board, Search, State};
use crate::components::{download, sheet};
use crate::i18n::{Language, tr};

/// The most boards on a sheet: more than a wall has room for.
const LARGEST_SHEET: usize = 2000;

/// A kind of file.
#[derive(Clone, Copy)]
enum Format {
    Json,
    Csv,
    Sheet,
}

/// The buttons that save the classes that are shown, in their order.
pub fn saving(language: Language, search: &Search, choice: Choice) -> Html {
    let done = !search.goes_on();
    let few = search.unique() <= LARGEST_SHEET as u64;
    let buttons = [
        ("save-json", "JSON", Format::Json),
        ("save-csv", "CSV", Format::Csv),
        ("save-svg", "SVG", Format::Sheet),
    ];
    let buttons = buttons.map(|(id, name, format)| {
        let search = search.clone();
        let disabled = !done || matches!(format, Format::Sheet) && !few;
        let onclick = Callback::from(move |_: MouseEvent| write(&search, choice, format));
        html! { <button {id} type="button" {disabled} {onclick}>{ name }</button> }
    });
    html! {
        <p class="saving">
            <span class="soft">{ tr!(language, "classes.save") }</span>
            { for buttons }
            if done && !few {
                <span class="hint">{ tr!(language, "classes.no-sheet", most = LARGEST_SHEET) }</span>
            }
        </p>
    }
}

fn write(search: &Search, choice: Choice, format: Format) {
    let boards: Vec<(Class, Board)> = search.chosen(choice).collect();
    let name = |ending: &str| format!("queens-{}-classes.{ending}", search.size);
    match format {
        Format::Json => {
            let complete = choice.is_all() && matches!(search.state, State::Done(_));
            let text = to_json(search.size.get(), complete, &boards).to_string();
            download::file(&name("json"), "application/json", &text);
        }
        Format::Csv => download::file(&name("csv"), "text/csv", &to_csv(&boards)),
        Format::Sheet => {
            let boards: Vec<(Placement, String)> = boards
                .iter()
                .map(|(class, board)| (board.placement, format!("{} × {class}", board.number)))
                .collect();
            let across = boards.len().isqrt().clamp(4, 24);
            download::file(&name("svg"), "image/svg+xml", &sheet::svg(&boards, across));
        }
    }
}

/// Columns from the left, as everywhere on the page; the judgement value is the columns from the
/// right. `complete` says whether these are all classes of the board.
fn to_json(n: u32, complete: bool, boards: &[(Class, Board)]) -> Value {
    let classes = boards.iter().map(|(class, board)| {
        json!({
            "class": class.members(),
            "columns": board.placement.columns_from_left().collect::<Vec<_>>(),
            "judgement_value": board.placement.judgement_value().digits(),
            "step": board.step,
        })
    });
    json!({ "n": n, "complete": complete, "classes": classes.collect::<Vec<_>>() })
}

fn to_csv(boards: &[(Class, Board)]) -> String {
    let mut csv = String::from("class,columns,judgement_value,step\n");
    for (class, board) in boards {
        let value = board.placement.judgement_value();
        // Writing to a string cannot fail.
        let _ = writeln!(csv, "{class},{},{value},{}", board.placement, board.step);
    }
    csv
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_files_say_the_same() {
        let placement = Placement::from_left(&[2, 0, 3, 1]).unwrap();
        let boards = [(Class::Two, Board { placement, number: 1, step: 9 })];
        let csv = "class,columns,judgement_value,step\n2,2 0 3 1,1 3 0 2,9\n";
        assert_eq!(to_csv(&boards), csv);
        let json = to_json(4, true, &boards);
        assert_eq!(json["classes"][0]["columns"], json!([2, 0, 3, 1]));
        assert_eq!(json["classes"][0]["judgement_value"], json!([1, 3, 0, 2]));
        assert_eq!((&json["n"], &json["complete"]), (&json!(4), &json!(true)));
    }
}
