//! SVG paths of boards. A path draws all squares of one kind, so a board of any size needs only a few
//! elements.

use std::fmt::Write;

use queens_core::Square;

use super::squares::SIDE;
use crate::board::{Row, SquareStyle};

/// A square of 40 by 40 units, as a path relative to the upper left corner.
pub const SQUARE: &str = "h40v40h-40z";

/// Returns one path for the dark squares of a board of `n` rows. The upper left square is light.
pub fn dark_squares(n: u32) -> String {
    let squares = (0..n * n).map(|index| (index / n, index % n));
    let dark = squares.filter(|(row, column)| (row + column) % 2 == 1);
    dark.map(|(row, column)| format!("M{} {}{SQUARE}", column * SIDE, row * SIDE)).collect()
}

/// Calls `visit` for every square, with the coordinates of its upper left corner.
pub fn each(rows: &[Row], visit: &mut dyn FnMut(u32, u32, &SquareStyle)) {
    for row in rows {
        for (column, square) in (0..).zip(&row.squares) {
            visit(column * SIDE, row.row * SIDE, square);
        }
    }
}

/// Returns one path that draws a glyph on each square that `selects` selects.
pub fn on_squares(rows: &[Row], glyph: &str, selects: &dyn Fn(&SquareStyle) -> bool) -> String {
    let mut path = String::new();
    each(rows, &mut |x, y, square| {
        if selects(square) {
            // Writing to a string cannot fail.
            let _ = write!(path, "M{x} {y}{glyph}");
        }
    });
    path
}

/// Returns one path with a line between the middles of the squares of each pair.
pub fn lines_between(pairs: &[(Square, Square)]) -> String {
    let middle = |square: Square| {
        let (row, column) = square.to_left();
        format!("{} {}", column * SIDE + SIDE / 2, row * SIDE + SIDE / 2)
    };
    pairs.iter().map(|&(from, to)| format!("M{} {}", middle(from), middle(to))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use queens_core::SquareState;

    #[test]
    fn draws_glyphs_on_their_squares() {
        let queen = SquareStyle { state: SquareState::Queen, ..SquareStyle::default() };
        let squares = vec![SquareStyle::default(), queen];
        let rows = [
            Row { row: 0, at_work: false, squares: squares.clone() },
            Row { row: 1, at_work: true, squares },
        ];
        assert_eq!(on_squares(&rows, "z", &SquareStyle::is_queen), "M40 0zM40 40z");
        assert_eq!(dark_squares(2), format!("M40 0{SQUARE}M0 40{SQUARE}"));
    }
}
