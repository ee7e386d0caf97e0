//! A small static board with the marks of a search step.

use std::fmt::Write;

use queens_core::Rule;
use queens_state::board::{Row, SquareStyle};
use yew::prelude::*;

use super::glyph::QUEEN;
use super::paths::{SQUARE, dark_squares, each, on_squares};
use super::squares::SIDE;

/// The hatching of an attacked square.
const HATCH: &str = "m0 20 20-20m20 0-40 40m20 0 20-20";

/// Draws a board from its rows, top row first, with row and column numbers. Signs and letters
/// repeat the meaning of the colours. The board is written as text instead of components, because a
/// page has many static boards.
pub fn marked_board(rows: &[Row], label: &str) -> Html {
    let n = rows.len() as u32;
    let extent = n * SIDE;
    let path = |class: &str, d: String| format!("<path class=\"{class}\" d=\"{d}\"/>");
    let at_work = rows.iter().filter(|row| row.at_work);
    let mut svg = format!(
        "<svg class=\"marked-board\" viewBox=\"0 0 {extent} {extent}\" role=\"img\" \
         aria-label=\"{label}\">"
    );
    svg.extend([
        path("light", format!("M0 0H{extent}V{extent}H0z")),
        path("dark", dark_squares(n)),
        path("hatch", on_squares(rows, HATCH, &SquareStyle::is_attacked)),
        path("fresh", on_squares(rows, SQUARE, &|square| square.fresh)),
        path("free", on_squares(rows, "m20 20h0", &|square| square.to_try)),
        path(
            "at-work",
            at_work.map(|row| format!("M0 {}H{extent}v40H0z", row.row * SIDE)).collect(),
        ),
        path("queens", on_squares(rows, QUEEN, &SquareStyle::is_queen)),
    ]);
    each(rows, &mut |x, y, square| sign(&mut svg, x, y, square));
    // The font grows with N, so that the numbers have the same size on all boards: a board with
    // more squares is scaled down more. Writing to a string cannot fail.
    let _ = write!(svg, "<g font-size=\"{}\">", 14 * n / 8 + 2);
    for number in 0..n {
        let middle = number * SIDE + SIDE / 2;
        let _ = write!(
            svg,
            "<text class=\"axis\" x=\"{middle}\" y=\"-.4em\">{number}</text>\
             <text class=\"axis\" x=\"-.7em\" y=\"{middle}\" dy=\".36em\">{number}</text>"
        );
    }
    svg.push_str("</g></svg>");
    Html::from_html_unchecked(svg.into())
}

/// Draws a rule's number, or a cell's letter in a circle: next to a queen, or in the middle of an
/// empty square.
fn sign(svg: &mut String, x: u32, y: u32, square: &SquareStyle) {
    let (class, sign) = match (square.cell, square.closed()) {
        (Some(cell), _) => ("cell-letter", cell.letter()),
        (None, Some(rule)) => (Rule::id(rule), rule.sign()),
        (None, None) => return,
    };
    let (beside, dx, dy, radius) =
        if square.is_queen() { (" beside", 31, 9, 9) } else { ("", 20, 20, 13) };
    let (x, y) = (x + dx, y + dy);
    // Writing to a string cannot fail.
    if square.cell.is_some() {
        let _ = write!(svg, "<circle class=\"cell-badge\" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/>");
    }
    let _ = write!(
        svg,
        "<text x=\"{x}\" y=\"{y}\" dy=\".36em\" class=\"sign {class}{beside}\">{sign}</text>"
    );
}
