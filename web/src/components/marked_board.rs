//! A small board with what a step of a search has to show: a picture, not a tool.

use std::fmt::Write;

use queens_core::Rule;
use yew::prelude::*;

use crate::components::glyph::QUEEN;
use crate::views::explore::picture::{Row, Square};

/// The side of a square in the drawing's units.
const SIDE: usize = 40;

/// A whole square.
const SQUARE: &str = "h40v40h-40z";

/// The lines on an attacked square.
const HATCH: &str = "m0 20 20-20m20 0-40 40m20 0 20-20";

/// A board from its rows, top row first. Signs and letters say what colours say. Written as text
/// and not as components: there are many of them on a page, and none of them reacts.
pub fn marked_board(rows: &[Row], label: &str) -> Html {
    let extent = rows.len() * SIDE;
    let mut svg = format!(
        "<svg class=\"marked-board\" viewBox=\"0 0 {extent} {extent}\" role=\"img\" \
         aria-label=\"{label}\"><path class=\"light\" d=\"M0 0H{extent}V{extent}H0z\"/>"
    );
    let dark = |row: usize, column: usize, _: &Square| (row + column) % 2 == 1;
    path(&mut svg, rows, "dark", SQUARE, &dark);
    path(&mut svg, rows, "hatch", HATCH, &|_, _, square| square.attacked && !square.queen);
    path(&mut svg, rows, "fresh", SQUARE, &|_, _, square| square.fresh);
    path(&mut svg, rows, "free", "m17 20h6", &|_, _, square| square.free);
    if let Some(row) = rows.iter().position(|row| row.at_work) {
        // Writing to a string cannot fail.
        let _ = write!(svg, "<path class=\"at-work\" d=\"M0 {}H{extent}v40H0z\"/>", row * SIDE);
    }
    path(&mut svg, rows, "queens", QUEEN, &|_, _, square| square.queen);
    for (row, line) in rows.iter().enumerate() {
        for (column, square) in line.squares.iter().enumerate() {
            sign(&mut svg, row, column, square);
        }
    }
    svg.push_str("</svg>");
    Html::from_html_unchecked(svg.into())
}

/// One glyph on each of the wanted squares.
fn path(
    svg: &mut String,
    rows: &[Row],
    class: &str,
    glyph: &str,
    wanted: &dyn Fn(usize, usize, &Square) -> bool,
) {
    let _ = write!(svg, "<path class=\"{class}\" d=\"");
    for (row, line) in rows.iter().enumerate() {
        for (column, square) in line.squares.iter().enumerate() {
            if wanted(row, column, square) {
                let _ = write!(svg, "M{} {}{glyph}", column * SIDE, row * SIDE);
            }
        }
    }
    svg.push_str("\"/>");
}

/// A cell's letter or a rule's number: beside a queen, or in the middle of an empty square.
fn sign(svg: &mut String, row: usize, column: usize, square: &Square) {
    let rule = square.rule.filter(|_| !square.queen);
    let (class, sign) = match (square.cell, rule) {
        (Some(cell), _) => ("cell-letter", cell.letter()),
        (None, Some(rule)) => (Rule::id(rule), rule.sign()),
        (None, None) => return,
    };
    let (beside, dx, dy) = if square.queen { (" beside", 8, 15) } else { ("", 20, 29) };
    let (x, y) = (column * SIDE + dx, row * SIDE + dy);
    let _ = write!(svg, "<text x=\"{x}\" y=\"{y}\" class=\"sign {class}{beside}\">{sign}</text>");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn glyphs_stand_on_their_squares() {
        let queen = Square { queen: true, ..Square::default() };
        let squares = vec![Square::default(), queen];
        let rows = [
            Row { row: 0, at_work: false, squares: squares.clone() },
            Row { row: 1, at_work: true, squares },
        ];
        let mut svg = String::new();
        path(&mut svg, &rows, "queens", "z", &|_, _, square| square.queen);
        assert_eq!(svg, "<path class=\"queens\" d=\"M40 0zM40 40z\"/>");
    }
}
