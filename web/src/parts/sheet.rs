//! A sheet of many boards as a stand-alone SVG or PNG file.

use std::fmt::Write;
use std::iter;

use queens_core::Placement;

use super::save;
pub use super::save::Format;
use crate::board::glyph::QUEEN;
use crate::browser::download;

/// The width of a board in units, the same for all N.
const BOARD: u32 = 400;
/// The gap between two boards.
const GAP: u32 = 40;
/// The height of the text below a board.
const TEXT_HEIGHT: u32 = 50;

/// The distance between the tops of two rows of boards.
const PITCH: u32 = GAP + BOARD + TEXT_HEIGHT;

/// The number of pixels per unit in a PNG, unless its longer side would exceed [`MAX_SIDE`].
const SCALE: f64 = 2.0;
/// The limit of a PNG's longer side, in pixels. Every browser supports it.
const MAX_SIDE: f64 = 4096.0;

/// A row of boards, each with the text below it.
pub type SheetRow = Vec<(Placement, String)>;

/// A sheet with boards of one size.
pub struct Sheet {
    /// The number of boards.
    pub boards: usize,
    /// The number of boards per row.
    pub across: usize,
    /// The rows, created one by one because a sheet can have tens of thousands of boards.
    pub rows: Box<dyn Iterator<Item = SheetRow>>,
}

impl Sheet {
    /// Creates a sheet; `describe` returns the placement and the text of each board.
    pub fn new<T: 'static>(
        boards: Vec<T>,
        across: usize,
        describe: impl Fn(&T) -> (Placement, String) + 'static,
    ) -> Sheet {
        let count = boards.len();
        let rows = (0..count).step_by(across).map(move |start| {
            let row = boards.get(start..(start + across).min(count)).unwrap_or_default();
            row.iter().map(&describe).collect()
        });
        Sheet { boards: count, across, rows: Box::new(rows) }
    }

    /// Saves the sheet; `name` is the file name without its extension.
    pub fn save(self, name: &str, format: Format) {
        let Sheet { boards, across, rows } = self;
        let sides = sides(boards, across);
        match format {
            Format::Svg => {
                let text = svg(sides, rows);
                download::in_parts(format!("{name}.svg"), "image/svg+xml", text);
            }
            Format::Png => {
                let longest = sides.into_iter().max().unwrap_or(1);
                let scale = SCALE.min(MAX_SIDE / f64::from(longest));
                let pixels = move |sides: [u32; 2]| sides.map(|side| f64::from(side) * scale);
                let rows = rows.map(move |row| {
                    let sides = [sides[0], PITCH];
                    (svg(sides, iter::once(row)).collect(), pixels(sides))
                });
                save::png(format!("{name}.png"), pixels(sides), rows);
            }
        }
    }
}

/// Returns the width and height of a sheet in units.
fn sides(boards: usize, across: usize) -> [u32; 2] {
    let rows = boards.div_ceil(across);
    [across.min(boards) as u32 * (BOARD + GAP) + GAP, rows as u32 * PITCH + GAP]
}

/// Draws rows of boards. The parts of the file are its head, one part per row, and its end. The
/// queen and the empty board are defined once, before the first row.
fn svg(
    [width, height]: [u32; 2],
    rows: impl Iterator<Item = SheetRow>,
) -> impl Iterator<Item = String> {
    let head = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"24\" \
         text-anchor=\"middle\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n"
    );
    let rows = rows.zip(0..).map(|(row, index)| {
        let mut svg = String::new();
        if let (0, Some((first, _))) = (index, row.first()) {
            templates(&mut svg, first.size().get());
        }
        let y: u32 = GAP + index * PITCH;
        for ((placement, text), index) in row.iter().zip(0..) {
            let x: u32 = GAP + index * (BOARD + GAP);
            // Writing to a string cannot fail.
            let _ = write!(svg, "<g transform=\"translate({x} {y})\">");
            board(&mut svg, placement);
            let (middle, below) = (BOARD / 2, BOARD + 32);
            let _ = writeln!(svg, "<text x=\"{middle}\" y=\"{below}\">{text}</text></g>");
        }
        svg
    });
    iter::once(head).chain(rows).chain(iter::once("</svg>\n".to_owned()))
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

    fn drawing(sheet: Sheet) -> Vec<String> {
        svg(sides(sheet.boards, sheet.across), sheet.rows).collect()
    }

    #[test]
    fn a_sheet_contains_every_queen_and_text() {
        let four = Placement::from_left(&[1, 3, 0, 2]).unwrap();
        let texts = vec!["one", "two", "3"];
        let svg = drawing(Sheet::new(texts, 2, move |&text| (four, text.to_owned()))).concat();
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

    /// The page cannot respond while a part is created.
    #[test]
    fn large_sheets_are_written_in_small_parts() {
        let board = Placement::from_left(&[7, 4, 10, 12, 5, 9, 0, 13, 3, 1, 8, 2, 11, 6]).unwrap();
        let boards: Vec<u32> = (0..45_752).collect();
        let parts = drawing(Sheet::new(boards, 213, move |text| (board, text.to_string())));
        assert_eq!(parts.len(), 45_752_usize.div_ceil(213) + 2);
        assert!(parts.iter().all(|part| part.len() < 150_000));
        let queens: usize = parts.iter().map(|part| part.matches("#q").count()).sum();
        assert_eq!(queens, 14 * 45_752);
    }
}
