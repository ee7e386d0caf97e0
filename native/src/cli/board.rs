//! Boards as text.

use std::io::{self, Write};

use queens_core::Placement;

use super::output::BOLD;

/// Prints a board with the frame that the seeds (the original programs) print:
///
/// ```text
/// +-+-+-+-+
/// | |Q| | |
/// +-+-+-+-+
/// ```
pub fn framed(out: &mut dyn Write, placement: &Placement) -> io::Result<()> {
    lines(placement).iter().try_for_each(|line| writeln!(out, "{line}"))
}

/// Returns the lines of a framed board, so that boards can be printed side by side.
pub fn lines(placement: &Placement) -> Vec<String> {
    let n = placement.size().get();
    let line = "+-".repeat(placement.size().rows()) + "+";
    let mut lines = vec![line.clone()];
    for queen in placement.columns_from_left() {
        let squares = (0..n).map(|column| if column == queen { "|Q" } else { "| " });
        lines.push(squares.collect::<String>() + "|");
        lines.push(line.clone());
    }
    lines
}

/// Maximum width of a row of boards, in characters.
const MAX_WIDTH: usize = 80;
/// Space between two boards.
const GAP: &str = "   ";

/// Prints blocks of lines side by side: 8, 4, 2 or 1 in a row, as many as fit. The first line of each block
/// is its heading.
pub fn side_by_side(out: &mut dyn Write, blocks: &[Vec<String>]) -> io::Result<()> {
    let width = blocks.iter().flatten().map(|line| line.chars().count()).max().unwrap_or(0);
    let fit = (MAX_WIDTH + GAP.len()) / (width + GAP.len());
    let per_line = [8, 4, 2].into_iter().find(|&count| count <= fit).unwrap_or(1);
    for (number, line) in blocks.chunks(per_line).enumerate() {
        if number > 0 {
            writeln!(out)?;
        }
        for row in 0..line.iter().map(Vec::len).max().unwrap_or(0) {
            let parts = line.iter().map(|block| block.get(row).map_or("", String::as_str));
            let text = parts.map(|part| format!("{part:width$}")).collect::<Vec<_>>().join(GAP);
            let text = text.trim_end();
            if row == 0 {
                writeln!(out, "{BOLD}{text}{BOLD:#}")?;
            } else {
                writeln!(out, "{text}")?;
            }
        }
    }
    Ok(())
}
