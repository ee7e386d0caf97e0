//! Boards as text.

use std::io::{self, Write};

use queens_core::Placement;

/// Prints a board in the seeds' frame:
///
/// ```text
/// +-+-+-+-+
/// | |Q| | |
/// +-+-+-+-+
/// ```
pub fn framed(out: &mut dyn Write, placement: &Placement) -> io::Result<()> {
    let n = placement.size().rows();
    let line = "+-".repeat(n) + "+";
    writeln!(out, "{line}")?;
    for queen in placement.columns_from_left() {
        for column in 0..placement.size().get() {
            out.write_all(if column == queen { b"|Q" } else { b"| " })?;
        }
        writeln!(out, "|\n{line}")?;
    }
    Ok(())
}

/// The rows of a small board, without a frame: `. Q . .`
pub fn small(placement: &Placement) -> impl Iterator<Item = String> + '_ {
    let columns = 0..placement.size().get();
    placement.columns_from_left().map(move |queen| {
        let squares = columns.clone().map(|column| if column == queen { "Q" } else { "." });
        squares.collect::<Vec<_>>().join(" ")
    })
}
