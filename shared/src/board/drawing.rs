//! Boards as text, a line for each row.

use core::fmt;

use super::{Size, Square};

/// Draws a board with a sign on each square, the left-hand column first; no line is empty, and none
/// ends the text.
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
