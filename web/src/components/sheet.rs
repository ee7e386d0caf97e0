//! Boards as one SVG picture that stands by itself.

use std::fmt::Write;

use queens_core::Placement;

use crate::components::glyph::QUEEN;

/// A board is so many units wide, whatever its size.
const BOARD: u32 = 400;
/// What lies between two boards.
const GAP: u32 = 40;
/// The height of the line below a board.
const LINE: u32 = 50;

/// Boards side by side, at most `across` in a line, each with a line of text below it.
pub fn svg(boards: &[(Placement, String)], across: usize) -> String {
    let across = across.clamp(1, boards.len().max(1));
    let lines = boards.len().div_ceil(across);
    let width = across as u32 * (BOARD + GAP) + GAP;
    let height = lines as u32 * (BOARD + LINE + GAP) + GAP;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"24\" \
         text-anchor=\"middle\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n\
         <defs><path id=\"q\" d=\"M0 0{QUEEN}\"/></defs>\n"
    );
    for (index, (placement, text)) in boards.iter().enumerate() {
        let x = GAP + (index % across) as u32 * (BOARD + GAP);
        let y = GAP + (index / across) as u32 * (BOARD + LINE + GAP);
        // Writing to a string cannot fail.
        let _ = write!(svg, "<g transform=\"translate({x} {y})\">");
        board(&mut svg, placement);
        let (middle, below) = (BOARD / 2, BOARD + 32);
        let _ = writeln!(svg, "<text x=\"{middle}\" y=\"{below}\">{text}</text></g>");
    }
    svg.push_str("</svg>\n");
    svg
}

/// A board of [`BOARD`] units: its squares as dashes along the rows, and its queens.
fn board(svg: &mut String, placement: &Placement) {
    let n = placement.size().get();
    let scale = f64::from(BOARD) / f64::from(n);
    let _ = write!(svg, "<g transform=\"scale({scale})\"><path fill=\"#e9e0cc\" d=\"");
    for row in 0..n {
        for column in (0..n).filter(|column| (row + column) % 2 == 1) {
            let _ = write!(svg, "M{column} {row}h1v1h-1z");
        }
    }
    let line = f64::from(n) / 400.0;
    let _ = write!(
        svg,
        "\"/><rect width=\"{n}\" height=\"{n}\" fill=\"none\" stroke=\"#8d897e\" \
         stroke-width=\"{line}\"/>"
    );
    for (row, column) in (0..).zip(placement.columns_from_left()) {
        let row: u32 = row;
        let _ =
            write!(svg, "<use href=\"#q\" transform=\"translate({column} {row}) scale(.025)\"/>");
    }
    svg.push_str("</g>");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sheet_holds_every_queen_and_text() {
        let four = Placement::from_left(&[1, 3, 0, 2]).unwrap();
        let boards = vec![(four, "one".to_owned()), (four, "two".to_owned()), (four, "3".into())];
        let svg = svg(&boards, 2);
        assert_eq!(svg.matches("<use").count(), 12);
        assert!(svg.contains("viewBox=\"0 0 920 1020\""), "{svg}");
        assert!(svg.contains(">two</text>") && svg.ends_with("</svg>\n"));
        assert_eq!(svg.matches("<g").count(), svg.matches("</g>").count());
    }
}
