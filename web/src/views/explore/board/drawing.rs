//! The visible board. All squares of a kind are one path, so a new step changes only a few elements,
//! whatever the size of the board.

use std::fmt::{Display, Write};

use queens_core::{Rule, Square, Transform};
use yew::prelude::*;

use crate::board::glyph::QUEEN;
use crate::board::lines::lines;
use crate::board::markup::Markup;
use crate::board::paths::{SQUARE, dark_squares, each, on_squares};
use crate::board::squares::SIDE;
use crate::board::{Row, SquareStyle};
use crate::search::squares::Finding;

/// The dot on a free square, as a path relative to the square's upper left corner.
const FREE: &str = "m16.5 20a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0z";

/// The cross on a square that was tried, as a path relative to the square's upper left corner.
pub const TRIED: &str = "m15 15l10 10m0-10l-10 10";

/// The parts of the drawing that depend only on the size.
pub struct EmptyBoard {
    /// The side of the board in SVG units.
    extent: AttrValue,
    dark: AttrValue,
    /// The lines between the squares.
    lines: AttrValue,
}

impl EmptyBoard {
    /// Creates the empty board of `n` rows.
    pub fn new(n: u32) -> EmptyBoard {
        let extent = n * SIDE;
        let mut lines = String::new();
        for position in (1..n).map(|line| line * SIDE) {
            // Writing to a string cannot fail.
            let _ = write!(lines, "M{position} 0V{extent}M0 {position}H{extent}");
        }
        EmptyBoard {
            extent: extent.to_string().into(),
            dark: dark_squares(n).into(),
            lines: lines.into(),
        }
    }
}

/// Draws the squares and their contents. The drawing is hidden from pointers and screen readers;
/// these use the squares of [`super::grid::Board`].
pub fn drawing(empty_board: &EmptyBoard, rows: &[Row], finding: &Finding) -> Html {
    let extent = &empty_board.extent;
    // A path, because it can be empty. Some programs draw a line for a rectangle of height 0.
    let current_row = rows.iter().find(|row| row.at_work);
    let current_row = current_row.map(|row| format!("M0 {}H{extent}v{SIDE}H0z", row.row * SIDE));
    let path = |glyph: &str, wanted: &dyn Fn(&SquareStyle) -> bool| on_squares(rows, glyph, wanted);
    let image = match finding {
        Finding::Image(transform) => image_path(*transform, rows.len() as u32 * SIDE),
        _ => String::new(),
    };
    let rules = Rule::ALL.into_iter().map(|rule| {
        let d = path(SQUARE, &|square| square.closed() == Some(rule));
        html! { <path class="rule" data-squares={rule.id()} {d} fill={format!("url(#x-{})", rule.id())} /> }
    });
    html! {
        <g class="drawing" aria-hidden="true">
            <rect class="square" width={extent} height={extent} />
            <path class="square dark" d={&empty_board.dark} />
            <path class="square at-work" d={current_row.unwrap_or_default()} />
            <path class="grid" d={&empty_board.lines} />
            <path data-squares="attacked" fill="url(#x-attacked)" d={path(SQUARE, &SquareStyle::is_attacked)} />
            { for rules }
            <path data-squares="lit" class="overlay" d={path("m3 3h34v34h-34z", &|square| square.lit)} />
            <path data-squares="fresh" class="fresh" d={path("m2 2h36v36h-36z", &|square| square.fresh)} />
            <path data-squares="free" class="free" d={path(FREE, &SquareStyle::is_free)} />
            <path data-squares="tried" class="tried" d={path(TRIED, &|square| square.tried)} />
            <g>{ signs(rows) }</g>
            { lines("attack", 0, finding.attacks().iter().copied()) }
            <path class="image" d={image} />
            <path data-squares="queen" class="queen" d={path(QUEEN, &SquareStyle::is_queen)} />
            <g>{ badges(rows) }</g>
        </g>
    }
}

/// Draws how an image comes from the board: the axis of a reflection, or the arrow of a rotation.
/// `extent` is the side of the board.
pub fn image_path(transform: Transform, extent: u32) -> String {
    let (middle, radius) = (extent / 2, extent * 3 / 10);
    let [low, high] = [middle - radius, middle + radius];
    match transform {
        Transform::Identity => String::new(),
        Transform::LeftRight => format!("M{middle} 0V{extent}"),
        Transform::TopBottom => format!("M0 {middle}H{extent}"),
        Transform::MainDiagonal => format!("M0 0L{extent} {extent}"),
        Transform::AntiDiagonal => format!("M{extent} 0L0 {extent}"),
        // Clockwise from the top.
        Transform::Turn90 => {
            format!("M{middle} {low}A{radius} {radius} 0 0 1 {high} {middle}m-9-12l9 12l9-12")
        }
        Transform::Turn180 => {
            format!("M{middle} {low}A{radius} {radius} 0 0 1 {middle} {high}m12-9l-12 9l12 9")
        }
        Transform::Turn270 => {
            format!("M{middle} {low}A{radius} {radius} 0 1 1 {low} {middle}m-9 12l9-12l9 12")
        }
    }
}

/// A ring around the selected square.
pub fn ring(square: Square) -> Html {
    let (row, column) = square.to_left();
    let middle = |position: u32| (position * SIDE + SIDE / 2).to_string();
    let ring = |class: &'static str| {
        html! {
            <circle {class} cx={middle(column)} cy={middle(row)} r="16.5" />
        }
    };
    html! { <g class="ring" aria-hidden="true">{ ring("ring-ground") }{ ring("ring-line") }</g> }
}

/// The signs of the rules on the squares that they close. They are written as markup, which the
/// browser reads again only if it changes.
fn signs(rows: &[Row]) -> Html {
    let mut signs = Markup::default();
    each(rows, &mut |x, y, square| {
        if let Some(rule) = square.closed() {
            let class = format_args!("sign {}", rule.id());
            let attributes: [(_, &dyn Display); 3] =
                [("class", &class), ("x", &(x + 20)), ("y", &(y + 25))];
            signs.element("text", &attributes, &rule.sign());
        }
    });
    signs.into_html()
}

/// The letters of the cells, also written as markup.
pub fn badges(rows: &[Row]) -> Html {
    let mut badges = Markup::default();
    each(rows, &mut |x, y, square| {
        if let Some(cell) = square.cell {
            let x = x + 32;
            let circle: [(_, &dyn Display); 4] =
                [("class", &"badge"), ("cx", &x), ("cy", &(y + 8)), ("r", &"6.5")];
            badges.element("circle", &circle, &"");
            let letter: [(_, &dyn Display); 3] =
                [("class", &"badge-letter"), ("x", &x), ("y", &(y + 11))];
            badges.element("text", &letter, &cell.letter());
        }
    });
    badges.into_html()
}
