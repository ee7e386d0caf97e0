//! A small static board with the marks of a search step.

use std::fmt::Display;

use queens_core::{Rule, Square};
use yew::prelude::*;

use super::glyph::QUEEN;
use super::markup::Markup;
use super::paths::{SQUARE, dark_squares, each, lines_between, on_squares};
use super::squares::SIDE;
use crate::board::{Row, SquareStyle};

/// The hatching of an attacked square.
pub const HATCH: &str = "m0 20 20-20m20 0-40 40m20 0 20-20";

/// Draws a board from its rows, top row first, with row and column numbers. Signs and letters
/// repeat the meaning of the colours. The board is written as text instead of components, because a
/// page has many static boards.
pub fn marked_board(rows: &[Row], label: &str) -> Html {
    marked_board_with_lines(rows, &[], label)
}

/// Draws a board like [`marked_board`], with a line from each queen to the square that it attacks.
pub fn marked_board_with_lines(rows: &[Row], attacks: &[(Square, Square)], label: &str) -> Html {
    let n = rows.len() as u32;
    let extent = n * SIDE;
    let at_work = rows.iter().filter(|row| row.at_work);
    let mut svg = Markup::default();
    svg.open(
        "svg",
        &[
            ("class", &"marked-board"),
            ("viewBox", &format_args!("0 0 {extent} {extent}")),
            ("role", &"img"),
            ("aria-label", &label),
        ],
    );
    for (class, d) in [
        ("light", format!("M0 0H{extent}V{extent}H0z")),
        ("dark", dark_squares(n)),
        ("hatch", on_squares(rows, HATCH, &SquareStyle::is_attacked)),
        ("fresh", on_squares(rows, SQUARE, &|square| square.fresh)),
        ("free", on_squares(rows, "m20 20h0", &|square| square.to_try)),
        ("at-work", at_work.map(|row| format!("M0 {}H{extent}v40H0z", row.row * SIDE)).collect()),
        ("queens", on_squares(rows, QUEEN, &SquareStyle::is_queen)),
    ] {
        svg.element("path", &[("class", &class), ("d", &d)], &"");
    }
    if !attacks.is_empty() {
        svg.element("path", &[("class", &"attack"), ("d", &lines_between(attacks))], &"");
    }
    each(rows, &mut |x, y, square| sign(&mut svg, x, y, square));
    // The font grows with N, so that the numbers have the same size on all boards: a board with
    // more squares is scaled down more.
    svg.open("g", &[("font-size", &(14 * n / 8 + 2))]);
    for number in 0..n {
        let middle = number * SIDE + SIDE / 2;
        svg.element("text", &[("class", &"axis"), ("x", &middle), ("y", &"-.4em")], &number);
        let beside: [(_, &dyn Display); 4] =
            [("class", &"axis"), ("x", &"-.7em"), ("y", &middle), ("dy", &".36em")];
        svg.element("text", &beside, &number);
    }
    svg.close("g");
    svg.close("svg");
    svg.into_html()
}

/// Draws a rule's number, or a cell's letter in a circle: next to a queen, or in the middle of an
/// empty square.
fn sign(svg: &mut Markup, x: u32, y: u32, square: &SquareStyle) {
    let (class, sign) = match (square.cell, square.closed()) {
        (Some(cell), _) => ("cell-letter", cell.letter()),
        (None, Some(rule)) => (Rule::id(rule), rule.sign()),
        (None, None) => return,
    };
    let (beside, dx, dy, radius) =
        if square.is_queen() { (" beside", 31, 9, 9) } else { ("", 20, 20, 13) };
    let (x, y) = (x + dx, y + dy);
    if square.cell.is_some() {
        let badge: [(_, &dyn Display); 4] =
            [("class", &"cell-badge"), ("cx", &x), ("cy", &y), ("r", &radius)];
        svg.element("circle", &badge, &"");
    }
    let class = format_args!("sign {class}{beside}");
    svg.element("text", &[("x", &x), ("y", &y), ("dy", &".36em"), ("class", &class)], &sign);
}
