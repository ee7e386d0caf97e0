//! Draws boards as text, one line per row.

use core::fmt;

use super::{Size, Square};

/// Draws a board with a sign on each square, the left-hand column first. The last line has no line
/// break.
pub(crate) fn draw(
    f: &mut fmt::Formatter<'_>,
    size: Size,
    sign: impl Fn(Square) -> &'static str,
) -> fmt::Result {
    for row in 0..size.get() {
        if row > 0 {
            f.write_str("\n")?;
        }
        for column in (0..size.get()).rev() {
            f.write_str(sign(Square::at(size, row, column)))?;
            if column > 0 {
                f.write_str(" ")?;
            }
        }
    }
    Ok(())
}

/// For `{:#?}`, draws the board on the lines below the output of `{:?}`; for `{:?}`, writes
/// nothing.
pub(super) fn draw_queens_below(
    f: &mut fmt::Formatter<'_>,
    size: Size,
    is_queen: impl Fn(Square) -> bool,
) -> fmt::Result {
    if !f.alternate() {
        return Ok(());
    }
    f.write_str("\n")?;
    draw(f, size, |square| if is_queen(square) { "Q" } else { "." })
}
