//! Boards as one picture that stands by itself, as SVG or PNG.

use std::fmt::Write;
use std::iter;

use queens_core::Placement;

use crate::components::glyph::QUEEN;
use crate::components::{download, save};

/// A board is so many units wide, whatever its size.
const BOARD: u32 = 400;
/// What lies between two boards.
const GAP: u32 = 40;
/// The height of the line below a board.
const LINE: u32 = 50;

/// The height of a line of boards with their texts, and the gap above it.
const PITCH: u32 = GAP + BOARD + LINE;

/// The pixels of a PNG for a unit, and its longest side: what every browser can draw.
const SCALE: f64 = 2.0;
const LONGEST: f64 = 4096.0;

/// A kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A drawing.
    Svg,
    /// Pixels.
    Png,
}

/// Saves boards side by side, at most `across` in a line, each with a text below it; `name` is
/// that of the file without its ending. The lines are made one after the other, because a sheet
/// can hold thousands of boards.
pub fn save(name: &str, format: Format, boards: Vec<(Placement, String)>, across: usize) {
    let sides = sides(boards.len(), across);
    let starts = (0..boards.len()).step_by(across);
    let lines = starts.filter_map(move |start| {
        boards.get(start..(start + across).min(boards.len())).map(<[_]>::to_vec)
    });
    match format {
        Format::Svg => {
            let text = svg(sides, lines);
            download::in_parts(format!("{name}.svg"), "image/svg+xml", text);
        }
        Format::Png => {
            let longest = sides.into_iter().max().unwrap_or(1);
            let scale = SCALE.min(LONGEST / f64::from(longest));
            let pixels = move |sides: [u32; 2]| sides.map(|side| f64::from(side) * scale);
            let lines = lines.map(move |line| {
                let sides = [sides[0], PITCH];
                (svg(sides, iter::once(line)).collect(), pixels(sides))
            });
            save::png(format!("{name}.png"), pixels(sides), lines);
        }
    }
}

/// The width and height of a sheet in units.
fn sides(boards: usize, across: usize) -> [u32; 2] {
    let lines = boards.div_ceil(across);
    [across.min(boards) as u32 * (BOARD + GAP) + GAP, lines as u32 * PITCH + GAP]
}

/// A drawing of some width and height with lines of boards, in parts.
fn svg(
    [width, height]: [u32; 2],
    lines: impl Iterator<Item = Vec<(Placement, String)>>,
) -> impl Iterator<Item = String> {
    let head = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"24\" \
         text-anchor=\"middle\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n\
         <defs><path id=\"q\" d=\"M0 0{QUEEN}\"/></defs>\n"
    );
    let lines = lines.zip(0..).map(|(line, place)| {
        let mut svg = String::new();
        let y: u32 = GAP + place * PITCH;
        for ((placement, text), place) in line.iter().zip(0..) {
            let x: u32 = GAP + place * (BOARD + GAP);
            // Writing to a string cannot fail.
            let _ = write!(svg, "<g transform=\"translate({x} {y})\">");
            board(&mut svg, placement);
            let (middle, below) = (BOARD / 2, BOARD + 32);
            let _ = writeln!(svg, "<text x=\"{middle}\" y=\"{below}\">{text}</text></g>");
        }
        svg
    });
    iter::once(head).chain(lines).chain(iter::once("</svg>\n".to_owned()))
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
        let lines = [&["one", "two"][..], &["3"]];
        let lines = lines.map(|line| line.iter().map(|&text| (four, text.to_owned())).collect());
        let svg: String = svg(sides(3, 2), lines.into_iter()).collect();
        assert_eq!(svg.matches("<use").count(), 12);
        assert!(svg.contains("viewBox=\"0 0 920 1020\""), "{svg}");
        assert!(svg.contains(">two</text>") && svg.ends_with("</svg>\n"));
        assert_eq!(svg.matches("<g").count(), svg.matches("</g>").count());
    }
}
