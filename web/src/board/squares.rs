//! What the boards that can be walked over have in common: squares, arrows, focus, labels.

use wasm_bindgen::JsCast;
use web_sys::{Element, SvgElement};
use yew::prelude::*;

/// The side of a square in the drawing's units.
pub const SIDE: u32 = 40;

/// Where an arrow key leads among the squares: (row, column), each below `n`.
pub fn neighbour(key: &str, (row, column): (u32, u32), n: u32) -> Option<(u32, u32)> {
    let last = n.saturating_sub(1);
    Some(match key {
        "ArrowLeft" => (row, column.saturating_sub(1)),
        "ArrowRight" => (row, (column + 1).min(last)),
        "ArrowUp" => (row.saturating_sub(1), column),
        "ArrowDown" => ((row + 1).min(last), column),
        "Home" => (row, 0),
        "End" => (row, last),
        _ => return None,
    })
}

/// The square (row, column from the left) that an element of the board belongs to.
pub fn square_of(element: Option<Element>) -> Option<(u32, u32)> {
    let square = element?.closest("[data-row]").ok()??;
    let number = |name: &str| square.get_attribute(name)?.parse().ok();
    Some((number("data-row")?, number("data-column")?))
}

/// Puts the focus on a square (row, column from the left) of a board.
pub fn focus(board: &NodeRef, (row, column): (u32, u32)) {
    let selector = format!("[data-row='{row}'][data-column='{column}']");
    let square = board
        .cast::<Element>()
        .and_then(|board| board.query_selector(&selector).ok()?)
        .and_then(|square| square.dyn_into::<SvgElement>().ok());
    if let Some(square) = square {
        // An element that has just gone cannot be focused; nothing is lost.
        let _ = square.focus();
    }
}

/// Columns from the left, as people read, one of them lit (from the right).
pub fn column_labels(n: u32, lit: Option<u32>) -> Html {
    let labels = (0..n).map(|column| {
        let lit = (lit == Some(n - 1 - column)).then_some("lit");
        html! { <span key={column} class={classes!("label", lit)}>{ column }</span> }
    });
    html! { <div class="column-labels" aria-hidden="true">{ for labels }</div> }
}

/// Rows from the top, the one at work marked.
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
    fn arrows_stay_on_the_board() {
        assert_eq!(neighbour("ArrowLeft", (2, 0), 8), Some((2, 0)));
        assert_eq!(neighbour("ArrowDown", (7, 3), 8), Some((7, 3)));
        assert_eq!(neighbour("ArrowRight", (2, 0), 8), Some((2, 1)));
        assert_eq!(neighbour("End", (2, 0), 8), Some((2, 7)));
        assert_eq!(neighbour("x", (2, 0), 8), None);
    }
}
