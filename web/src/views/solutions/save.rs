//! Classes saved as CSV or as a picture of their boards.

use std::iter;

use queens_core::{Class, Size};
use yew::prelude::*;

use super::search::{Board, Search};
use crate::address::ClassFilter;
use crate::browser::download;
use crate::parts::save::{Format, buttons, offer};
use crate::parts::sheet::sheet;
use crate::words::{Language, csv_row, tr};

/// The largest number of boards in a picture: more would be too small in a PNG.
const MAX_BOARDS: usize = 500;

/// The number of boards per part of a CSV file: a few milliseconds of work.
const PART: usize = 500;

/// Renders the buttons that save the shown classes in their order. `boards` is the number of these
/// classes; `done` says whether the search has ended.
pub fn saving(
    language: Language,
    size: Size,
    search: &Search,
    done: bool,
    (filter, boards): (ClassFilter, usize),
) -> Html {
    let name = format!("queens-{size}-classes");
    let on_csv = {
        let (search, name) = (search.clone(), format!("{name}.csv"));
        Callback::from(move |_: MouseEvent| {
            download::in_parts(name.clone(), "text/csv", csv(search.filtered(filter).collect()));
        })
    };
    let on_picture = {
        let search = search.clone();
        Callback::from(move |format: Format| {
            let text = |(class, board): (Class, Board)| {
                (board.placement, format!("{} × {class}", board.number))
            };
            // The picture is approximately a square.
            let (svg, sides) = sheet(search.filtered(filter).map(text), boards.isqrt().max(4));
            offer(&name, svg, sides, format);
        })
    };
    html! {
        <p class="saving">
            <span class="soft">{ tr!(language, "classes.save") }</span>
            <button id="save-csv" type="button" disabled={!done} onclick={on_csv}>
                { tr!(language, "save.csv") }
            </button>
            if done && boards > MAX_BOARDS {
                <span id="no-picture" class="hint">{ tr!(language, "classes.no-picture", most = MAX_BOARDS) }</span>
            } else if done {
                { buttons(language, "save", &on_picture) }
            }
        </p>
    }
}

/// Writes CSV in parts of [`PART`] boards. Columns are from the left, as everywhere on the page; the judgement value
/// reads the columns from the right.
fn csv(boards: Vec<(Class, Board)>) -> impl Iterator<Item = String> + 'static {
    let head = csv_row(["class", "columns", "judgement_value", "step"]);
    let parts = (0..boards.len()).step_by(PART).map(move |start| {
        let part = boards.iter().skip(start).take(PART).map(|(class, board)| {
            let value = board.placement.judgement_value();
            let [class, step] = [class.to_string(), board.step.to_string()];
            csv_row([&class, &board.placement.to_string(), &value.to_string(), &step])
        });
        part.collect()
    });
    iter::once(head).chain(parts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use queens_core::Placement;

    #[test]
    fn csv_has_every_board() {
        let placement = Placement::from_left(&[2, 0, 3, 1]).unwrap();
        let board = |number| (Class::Two, Board { placement, number, step: 9 });
        let boards: Vec<_> = (1..=2 * PART as u32 + 1).map(board).collect();
        let parts: Vec<_> = csv(boards.clone()).collect();
        let rows = "class,columns,judgement_value,step\r\n2,2 0 3 1,1 3 0 2,9\r\n";
        assert!(parts.concat().starts_with(rows));
        assert_eq!((parts.len(), parts.concat().lines().count()), (1 + 3, 1 + boards.len()));
    }
}
