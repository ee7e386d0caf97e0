//! Shared parts of the boards with keyboard navigation: squares, arrow keys, focus and labels.

use queens_core::{Column, Size, Square};
use wasm_bindgen::JsCast;
use web_sys::{Element, SvgElement};
use yew::prelude::*;

/// The side of a square in SVG units.
pub const SIDE: u32 = 40;

/// Returns the square to which an arrow key, Home or End leads, or `None` for other keys.
pub fn neighbour(key: &str, square: Square) -> Option<Square> {
    let (row, column) = square.to_left();
    let last = square.size().last();
    let (row, column) = match key {
        "ArrowLeft" => (row, column.saturating_sub(1)),
        "ArrowRight" => (row, (column + 1).min(last)),
        "ArrowUp" => (row.saturating_sub(1), column),
        "ArrowDown" => ((row + 1).min(last), column),
        "Home" => (row, 0),
        "End" => (row, last),
        _ => return None,
    };
    Square::from_left(square.size(), row, column).ok()
}

/// Returns the square to which an element of the board belongs.
pub fn square_of(size: Size, element: Option<Element>) -> Option<Square> {
    let square = element?.closest("[data-row]").ok()??;
    let number = |name: &str| square.get_attribute(name)?.parse().ok();
    Square::from_left(size, number("data-row")?, number("data-column")?).ok()
}

/// Focuses a square of a board.
pub fn focus(board: &NodeRef, square: Square) {
    let (row, column) = square.to_left();
    let selector = format!("[data-row='{row}'][data-column='{column}']");
    let square = board
        .cast::<Element>()
        .and_then(|board| board.query_selector(&selector).ok()?)
        .and_then(|square| square.dyn_into::<SvgElement>().ok());
    if let Some(square) = square {
        // Focusing an element that has just been removed fails, which is harmless.
        let _ = square.focus();
    }
}

/// Renders the column numbers from the left. The number of the column `lit` is highlighted.
pub fn column_labels(size: Size, lit: Option<Column>) -> Html {
    let labels = Column::all(size).map(|column| {
        let lit = (lit == Some(column)).then_some("lit");
        let number = column.to_left();
        html! { <span key={number} class={classes!("label", lit)}>{ number }</span> }
    });
    html! { <div class="column-labels" aria-hidden="true">{ for labels }</div> }
}

/// Renders the row numbers from the top. The number of the current row, `at_work`, is highlighted.
pub fn row_labels(n: u32, at_work: Option<u32>) -> Html {
    let labels = (0..n).map(|row| {
        let at_work = (at_work == Some(row)).then_some("at-work");
        html! { <span key={row} class={classes!("label", at_work)}>{ row }</span> }
    });
    html! { <div class="row-labels" aria-hidden="true">{ for labels }</div> }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrow_keys_stay_on_the_board() {
        let at = |row, column| Square::from_left(Size::new(8).unwrap(), row, column).unwrap();
        assert_eq!(neighbour("ArrowLeft", at(2, 0)), Some(at(2, 0)));
        assert_eq!(neighbour("ArrowDown", at(7, 3)), Some(at(7, 3)));
        assert_eq!(neighbour("ArrowRight", at(2, 0)), Some(at(2, 1)));
        assert_eq!(neighbour("End", at(2, 0)), Some(at(2, 7)));
        assert_eq!(neighbour("x", at(2, 0)), None);
    }
}
