//! A picture of many boards as a stand-alone SVG.

use std::fmt::Write;

use queens_core::Placement;

use crate::board::glyph::QUEEN;

/// The width of a board in units, the same for all N.
const BOARD: u32 = 400;
/// The gap between two boards.
const GAP: u32 = 40;
/// The height of the text below a board.
const TEXT_HEIGHT: u32 = 50;

/// The distance between the tops of two rows of boards.
const PITCH: u32 = GAP + BOARD + TEXT_HEIGHT;

/// Draws boards of one size, `across` in each row, each with the text below it. Returns the SVG with its width and
/// height in units. The queen and the empty board are defined once.
pub fn sheet(
    boards: impl IntoIterator<Item = (Placement, String)>,
    across: usize,
) -> (String, [f64; 2]) {
    let boards: Vec<_> = boards.into_iter().collect();
    let width = across.min(boards.len()) as u32 * (BOARD + GAP) + GAP;
    let height = boards.len().div_ceil(across) as u32 * PITCH + GAP;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"24\" \
         text-anchor=\"middle\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n"
    );
    if let Some((first, _)) = boards.first() {
        templates(&mut svg, first.size().get());
    }
    for (index, (placement, text)) in boards.iter().enumerate() {
        let x = (index % across) as u32 * (BOARD + GAP) + GAP;
        let y = (index / across) as u32 * PITCH + GAP;
        // Writing to a string cannot fail.
        let _ = write!(svg, "<g transform=\"translate({x} {y})\">");
        board(&mut svg, placement);
        let (middle, below) = (BOARD / 2, BOARD + 32);
        let _ = writeln!(svg, "<text x=\"{middle}\" y=\"{below}\">{text}</text></g>");
    }
    svg.push_str("</svg>\n");
    (svg, [width, height].map(f64::from))
}

/// Defines a queen, and an empty board with coordinates, with squares of one unit.
fn templates(svg: &mut String, n: u32) {
    let _ = write!(
        svg,
        "<defs><path id=\"q\" d=\"M0 0{QUEEN}\" transform=\"scale(.025)\"/>\
         <g id=\"b\"><path fill=\"#e9e0cc\" d=\""
    );
    for row in 0..n {
        for column in (0..n).filter(|column| (row + column) % 2 == 1) {
            let _ = write!(svg, "M{column} {row}h1v1h-1z");
        }
    }
    let line = f64::from(n) / f64::from(BOARD);
    let (letters, off) = ((16.0 * line).min(0.8), 6.0 * line);
    let _ = write!(
        svg,
        "\"/><rect width=\"{n}\" height=\"{n}\" fill=\"none\" stroke=\"#8d897e\" \
         stroke-width=\"{line}\"/><g font-size=\"{letters}\">"
    );
    for number in 0..n {
        let middle = f64::from(number) + 0.5;
        let foot = middle + 0.36 * letters;
        let _ = write!(
            svg,
            "<text x=\"{middle}\" y=\"-{off}\">{number}</text>\
             <text x=\"-{off}\" y=\"{foot}\" text-anchor=\"end\">{number}</text>"
        );
    }
    svg.push_str("</g></g></defs>\n");
}

/// Draws a board of width [`BOARD`].
fn board(svg: &mut String, placement: &Placement) {
    let scale = f64::from(BOARD) / f64::from(placement.size().get());
    let _ = write!(svg, "<g transform=\"scale({scale})\"><use href=\"#b\"/>");
    for (row, column) in (0_u32..).zip(placement.columns_from_left()) {
        let _ = write!(svg, "<use href=\"#q\" x=\"{column}\" y=\"{row}\"/>");
    }
    svg.push_str("</g>");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sheet_contains_every_queen_and_text() {
        let four = Placement::from_left(&[1, 3, 0, 2]).unwrap();
        let texts = vec!["one", "two", "3"];
        let boards = texts.into_iter().map(|text| (four, text.to_owned()));
        let (svg, sides) = sheet(boards, 2);
        assert_eq!(sides, [920.0, 1020.0]);
        assert_eq!(svg.matches("<use href=\"#q\"").count(), 12);
        assert_eq!(svg.matches("<use href=\"#b\"").count(), 3);
        assert_eq!(svg.matches("<defs>").count(), 1);
        // The empty board is defined once, so its row and column numbers appear once.
        for number in 0..4 {
            assert_eq!(
                svg.matches(&format!(">{number}</text>")).count(),
                2 + usize::from(number == 3)
            );
        }
        assert!(svg.contains("viewBox=\"0 0 920 1020\""), "{svg}");
        assert!(svg.contains(">two</text>") && svg.ends_with("</svg>\n"));
        assert_eq!(svg.matches("<g").count(), svg.matches("</g>").count());
    }
}
