//! Boards as text, a line for each row.

use core::fmt;

use super::{Size, Square};

/// Draws a board with a sign on each square, the left-hand column first, without a line break at the
/// end.
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

/// Below what `{:?}` writes of queens, their board on lines of its own where `{:#?}` asks for it.
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
