//! A small static board.

use std::fmt::{Display, Write};

use queens_core::{Placement, Size};
use yew::prelude::*;

use super::glyph::QUEEN;
use super::markup::Markup;

/// A plain crown in the unit square. [`QUEEN`] would blur in squares of a few pixels.
const CROWN: &str = "m.2.8h.6l.09-.5-.2.17-.19-.3-.19.3-.2-.17z";

#[derive(Properties, PartialEq)]
pub struct Props {
    /// The queens, or `None` for an empty board.
    pub queens: Option<Placement>,
    pub size: Size,
    /// The accessible description. Without one, the board only illustrates the text next to it.
    #[prop_or_default]
    pub label: Option<AttrValue>,
    /// Whether the board is large enough for the detailed queens of the large board.
    #[prop_or_default]
    pub fine: bool,
    #[prop_or_default]
    pub class: Classes,
}

/// A board of any size as two paths, one for the dark squares and one for the queens. The
/// background has the colour of the light squares.
#[component]
pub fn MiniBoard(props: &Props) -> Html {
    let n = props.size.get();
    let role = if props.label.is_some() { "img" } else { "presentation" };
    html! {
        <svg
            class={classes!("mini-board", props.class.clone())} viewBox={format!("0 0 {n} {n}")}
            {role} aria-label={props.label.clone()} aria-hidden={props.label.is_none().then_some("true")}
        >
            <path class="squares-dark" d={dark_lines(props.size)} />
            if let Some(queens) = props.queens {
                if props.fine {
                    <path class="queens" transform="scale(.025)" d={path(squares(&queens), 40, QUEEN)} />
                } else {
                    <path class="queens" d={path(squares(&queens), 1, CROWN)} />
                }
            }
        </svg>
    }
}

/// Writes small boards of one size as text, for lists of hundreds of boards.
pub struct Writer {
    size: Size,
    /// The path of the dark squares, the same for all boards of this size.
    dark: String,
}

impl Writer {
    /// Creates a writer for boards of this size.
    pub fn new(size: Size) -> Writer {
        Writer { size, dark: dark_lines(size) }
    }

    /// Writes the board of a placement of this size; `label` as in [`Props`].
    pub fn write(&self, markup: &mut Markup, queens: &Placement, label: &str) {
        let Writer { size, dark } = self;
        debug_assert_eq!(queens.size(), *size);
        let view_box = format_args!("0 0 {size} {size}");
        let board: [(_, &dyn Display); 4] = [
            ("class", &"mini-board"),
            ("viewBox", &view_box),
            ("role", &"img"),
            ("aria-label", &label),
        ];
        markup.open("svg", &board);
        markup.element("path", &[("class", &"squares-dark"), ("d", dark)], &"");
        let d = path(squares(queens), 1, CROWN);
        markup.element("path", &[("class", &"queens"), ("d", &d)], &"");
        markup.close("svg");
    }
}

/// Draws one line along the middle of each row. A style dashes the lines with dashes as long as a
/// square, and the dashes restart with each line.
fn dark_lines(size: Size) -> String {
    let n = size.get();
    let mut path = String::new();
    for row in 0..n {
        // Writing to a string cannot fail.
        let _ = write!(path, "M{} {row}.5H{n}", (row + 1) % 2);
    }
    path
}

/// The squares of a placement, by row and column.
fn squares(queens: &Placement) -> impl Iterator<Item = (u32, u32)> + '_ {
    (0..).zip(queens.columns_from_left())
}

/// Draws all queens as one path, on squares of `side` units.
fn path(queens: impl Iterator<Item = (u32, u32)>, side: u32, glyph: &str) -> String {
    let mut path = String::new();
    for (row, column) in queens {
        let (x, y): (u32, u32) = (column * side, row * side);
        let _ = write!(path, "M{x} {y}{glyph}");
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_upper_left_square_is_light() {
        assert_eq!(dark_lines(Size::new(3).unwrap()), "M1 0.5H3M0 1.5H3M1 2.5H3");
    }

    #[test]
    fn draws_a_crown_for_each_queen() {
        let queens = Placement::from_left(&[1, 3, 0, 2]).unwrap();
        let plain = path(squares(&queens), 1, CROWN);
        let places: Vec<&str> = plain.split(CROWN).collect();
        assert_eq!(places, ["M1 0", "M3 1", "M0 2", "M2 3", ""]);
        assert!(path(squares(&queens), 40, QUEEN).starts_with("M40 0m10.5 28"));
    }
}
