//! Small drawings.

use std::fmt::Write;

use yew::prelude::*;

use super::squares::SIDE;
use crate::views::explore::picture::{Row, Square};

/// A whole square of 40 by 40 units, drawn from its upper left corner.
pub const SQUARE: &str = "h40v40h-40z";

/// The dot on a square that is still to be tried, drawn like [`SQUARE`].
pub const FREE: &str = "m16.5 20a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0z";

/// A queen in a square of 40 by 40 units, drawn from its upper left corner: the crown, its foot,
/// and a ball on each point.
pub const QUEEN: &str = "\
    m10.5 28-3.5-13.5 6 6.5.6-10.5 4.4 8.9 2-10.4 2 10.4 4.4-8.9.6 10.5 6-6.5-3.5 13.5z\
    m0 2.2h19v3.3h-19z\
    m-5.5-17.6a2 2 0 1 0 4 0a2 2 0 1 0-4 0z\
    m6.4-4a2 2 0 1 0 4 0a2 2 0 1 0-4 0z\
    m6.6-1.6a2 2 0 1 0 4 0a2 2 0 1 0-4 0z\
    m6.6 1.6a2 2 0 1 0 4 0a2 2 0 1 0-4 0z\
    m6.4 4a2 2 0 1 0 4 0a2 2 0 1 0-4 0z";

/// A queen in a square of 40 by 40 units.
pub fn queen() -> Html {
    html! { <g class="queen"><path d={format!("M0 0{QUEEN}")} /></g> }
}

/// One path over the dark squares of a board of `n` rows: the upper left square is light.
pub fn dark_squares(n: u32) -> String {
    let squares = (0..n * n).map(|index| (index / n, index % n));
    let dark = squares.filter(|(row, column)| (row + column) % 2 == 1);
    dark.map(|(row, column)| format!("M{} {}{SQUARE}", column * SIDE, row * SIDE)).collect()
}

/// One path with a glyph on each of the wanted squares.
pub fn on_squares(rows: &[Row], glyph: &str, wanted: impl Fn(&Square) -> bool) -> String {
    let mut path = String::new();
    for row in rows {
        for (column, square) in (0..).zip(&row.squares) {
            if wanted(square) {
                // Writing to a string cannot fail.
                let _ = write!(path, "M{} {}{glyph}", column * SIDE, row.row * SIDE);
            }
        }
    }
    path
}

/// The drawings on the transport's buttons, each in a square of 24 by 24 units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Icon {
    /// A triangle.
    Play,
    /// Two bars.
    Pause,
    /// One step forward.
    Forward,
    /// One step back.
    Back,
    /// Ten steps forward.
    ForwardTen,
    /// Ten steps back.
    BackTen,
    /// To the next solution: a queen's crown ahead.
    NextSolution,
    /// To the solution before.
    PreviousSolution,
    /// To the start.
    First,
    /// To the furthest step visited.
    Last,
}

impl Icon {
    /// The outline, drawn forwards.
    fn path(self) -> &'static str {
        match self {
            Icon::Play => "M8 5.5v13l10.5-6.5z",
            Icon::Pause => "M7.5 5.5h3.2v13H7.5zM13.3 5.5h3.2v13h-3.2z",
            Icon::Forward | Icon::Back => "M7 6h2.6v12H7zM12 6v12l7-6z",
            Icon::ForwardTen | Icon::BackTen => "M4.5 6v12l7-6zM12.5 6v12l7-6z",
            Icon::NextSolution | Icon::PreviousSolution => {
                "M2.5 6v12l6-6zM11.5 17l-1-8 3 3 2.5-5.5L18.5 12l3-3-1 8zM11.5 18.3h9v1.7h-9z"
            }
            Icon::First | Icon::Last => "M6 6v12l9-6zM16 6h2.6v12H16z",
        }
    }

    fn is_backwards(self) -> bool {
        matches!(self, Icon::Back | Icon::BackTen | Icon::PreviousSolution | Icon::First)
    }

    /// The drawing.
    pub fn show(self) -> Html {
        let transform = self.is_backwards().then_some("matrix(-1 0 0 1 24 0)");
        html! {
            <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
                <path d={self.path()} fill="currentColor" {transform} />
            </svg>
        }
    }
}

/// A button that shows an icon; its name is for those who do not see it.
pub fn icon_button(
    id: Option<&'static str>,
    name: String,
    icon: Icon,
    enabled: bool,
    onclick: Callback<MouseEvent>,
) -> Html {
    html! {
        <button
            {id} type="button" class="icon" aria-label={name.clone()} title={name}
            disabled={!enabled} {onclick}
        >
            { icon.show() }
        </button>
    }
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
        assert_eq!(on_squares(&rows, "z", |square| square.queen), "M40 0zM40 40z");
        assert_eq!(dark_squares(2), format!("M40 0{SQUARE}M0 40{SQUARE}"));
    }
}
