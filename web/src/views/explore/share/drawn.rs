//! Steps as slides: SVG drawings that need no style sheet.

use std::fmt::Write;

use queens_core::{Method, Rule};

use crate::board::glyph::QUEEN;
use crate::board::paths::{SQUARE, dark_squares, each, lines_between, on_squares};
use crate::board::patterns::{PATTERNS, sign_colour};
use crate::board::squares::SIDE;
use crate::board::{Row, SquareStyle};
use crate::search::sentences::why;
use crate::search::squares::Finding;
use crate::search::state::Snapshot;
use crate::views::explore::board::drawing::{TRIED, image_path};
use crate::words::{Language, grouped, lines, numbered_method, tr};

/// Where the board is: its distance from the left and the top, its side, and the size of its numbers.
struct BoardPlace {
    left: u32,
    side: u32,
    font: u32,
}

/// The board of a slide, and the left end of the text next to it.
const SLIDE_BOARD: BoardPlace = BoardPlace { left: 60, side: 600, font: 20 };
const TEXT_LEFT: u32 = 720;

/// The font sizes of the sentence, from the largest.
const SIZES: [u32; 4] = [34, 27, 24, 20];

/// The width and the height of a slide.
pub const SLIDE: [u32; 2] = [1280, 720];

/// Returns the title of a drawing: the board, the method and the step.
pub fn title(language: Language, now: &Snapshot) -> String {
    let n = tr!(language, "share.n", n = now.view.size);
    let method = now.view.method.id.parse::<Method>();
    let method = method.map(|method| numbered_method(language, method)).unwrap_or_default();
    let number = tr!(language, "explore.move", number = grouped(now.moves));
    [n, method, number].join(language.separator())
}

/// Draws a step as a slide: the board at the left, the sentence at the right.
pub fn slide(language: Language, now: &Snapshot, rows: &[Row]) -> String {
    let n = now.view.size.get();
    let title = title(language, now);
    let mut svg = head(n, &title);
    // Writing to a string cannot fail.
    let _ = write!(svg, "<g transform=\"{}\">", on_board(n));
    frame(&mut svg, rows, &Finding::of(now));
    svg.push_str("</g>");
    let BoardPlace { left, side, .. } = SLIDE_BOARD;
    let _ = write!(
        svg,
        "<rect x=\"{left}\" y=\"{left}\" width=\"{side}\" height=\"{side}\" fill=\"none\" \
         stroke=\"#1c2026\" stroke-width=\"1.5\"/>\
         <text x=\"{TEXT_LEFT}\" y=\"84\" font-size=\"22\" fill=\"#575b61\">{title}</text>"
    );
    let why = why(language, now);
    // A long sentence is smaller, so that all of it fits.
    let mut text = String::new();
    for size in SIZES {
        let (lines, bottom) = sentence(&why, size);
        text = lines;
        if bottom < SLIDE[1] - 20 {
            break;
        }
    }
    svg + &text + "</svg>"
}

/// Returns a sentence as SVG with this font size, and the y coordinate of the last line. A Latin letter is about half
/// as wide as the font size.
fn sentence(text: &str, size: u32) -> (String, u32) {
    let (mut svg, mut y) = (String::new(), 100 + size / 2);
    for line in lines(text, (SLIDE[0] - TEXT_LEFT - 40) as usize * 2 / size as usize) {
        y += size * 7 / 5;
        // The sentence about a rule compares two numbers.
        let line = line.replace('<', "&lt;");
        // Writing to a string cannot fail.
        let _ = write!(svg, "<text x=\"{TEXT_LEFT}\" y=\"{y}\" font-size=\"{size}\">{line}</text>");
    }
    (svg, y)
}

/// The transformation from the board's squares to the slide.
fn on_board(n: u32) -> String {
    let BoardPlace { left, side, .. } = SLIDE_BOARD;
    format!("translate({left} {left}) scale({:.4})", f64::from(side) / f64::from(n * SIDE))
}

/// The beginning of the picture, with all that is the same in every step: patterns, the numbers of
/// rows and columns, and the squares.
fn head(n: u32, title: &str) -> String {
    let [width, height] = SLIDE;
    let extent = n * SIDE;
    let BoardPlace { left, side, font } = SLIDE_BOARD;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" font-family=\"sans-serif\" font-size=\"{font}\" fill=\"#1c2026\">\
         <title>{title}</title><rect width=\"{width}\" height=\"{height}\" fill=\"#faf8f3\"/><defs>\
         <path id=\"q\" d=\"M0 0{QUEEN}\"/>"
    );
    svg.extend(PATTERNS.map(|(id, step, path)| {
        let rule = Rule::ALL.into_iter().find(|rule| id == format!("x-{}", rule.id()));
        let colour = rule.map_or("#6d6958", sign_colour);
        format!(
            "<pattern id=\"{id}\" width=\"{step}\" height=\"{step}\" patternUnits=\"userSpaceOnUse\">\
             <path d=\"{path}\" fill=\"none\" stroke=\"{colour}\"/></pattern>"
        )
    }));
    svg.push_str("</defs><g text-anchor=\"middle\">");
    // Writing to a string cannot fail.
    for number in 0..n {
        let scale = f64::from(side) / f64::from(extent);
        let middle = f64::from(number * SIDE + SIDE / 2) * scale + f64::from(left);
        let _ = write!(
            svg,
            "<text x=\"{middle:.1}\" y=\"{}\">{number}</text>\
             <text x=\"{}\" y=\"{:.1}\">{number}</text>",
            left - 7,
            left / 2,
            middle + f64::from(font) * 0.38
        );
    }
    let _ = write!(
        svg,
        "</g><g transform=\"{}\"><path fill=\"#fffdf8\" d=\"M0 0H{extent}V{extent}H0z\"/>\
         <path fill=\"#d6c8a9\" d=\"{}\"/></g>",
        on_board(n),
        dark_squares(n)
    );
    svg
}

/// Draws the parts of the board that change from step to step.
fn frame(svg: &mut String, rows: &[Row], finding: &Finding) {
    let extent = rows.len() as u32 * SIDE;
    let mut path = |d: String, style: &str| {
        if !d.is_empty() {
            // Writing to a string cannot fail.
            let _ = write!(svg, "<path d=\"{d}\" {style}/>");
        }
    };
    let at_work = rows.iter().filter(|row| row.at_work);
    let band = at_work.map(|row| format!("M0 {}H{extent}v{SIDE}H0z", row.row * SIDE)).collect();
    path(band, "fill=\"#2348c9\" opacity=\".14\"");
    path(on_squares(rows, SQUARE, &SquareStyle::is_attacked), "fill=\"url(#x-attacked)\"");
    for rule in Rule::ALL {
        let closed = on_squares(rows, SQUARE, &|square| square.closed() == Some(rule));
        path(closed, &format!("fill=\"url(#x-{})\"", rule.id()));
    }
    let fresh = on_squares(rows, "m2 2h36v36h-36z", &|square| square.fresh);
    let colour = match finding {
        Finding::Solution => "#1d6b3a",
        Finding::Attacks(_) => "#a3151f",
        Finding::Nothing | Finding::Image(_) | Finding::Over => "#2348c9",
    };
    let style =
        format!("fill=\"{colour}\" fill-opacity=\".14\" stroke=\"{colour}\" stroke-width=\"2.5\"");
    path(fresh, &style);
    let free = on_squares(rows, "m20 20h0", &SquareStyle::is_free);
    path(free, "stroke=\"#575b61\" stroke-width=\"7\" stroke-linecap=\"round\"");
    let tried = on_squares(rows, TRIED, &|square| square.tried);
    path(tried, "fill=\"none\" stroke=\"#575b61\" stroke-width=\"2\"");
    path(lines_between(finding.attacks()), "fill=\"none\" stroke=\"#a3151f\" stroke-width=\"1.5\"");
    if let Finding::Image(transform) = finding {
        path(image_path(*transform, extent), "fill=\"none\" stroke=\"#2348c9\" stroke-width=\"3\"");
    }
    svg.push_str(
        "<g font-weight=\"bold\" font-size=\"15\" text-anchor=\"middle\" paint-order=\"stroke\" \
         stroke-width=\"4\">",
    );
    each(rows, &mut |x, y, square| {
        // Writing to a string cannot fail.
        if square.is_queen() {
            let _ = write!(svg, "<use href=\"#q\" x=\"{x}\" y=\"{y}\"/>");
        } else if let Some(rule) = square.closed() {
            let colour = sign_colour(rule);
            let _ = write!(
                svg,
                "<text x=\"{}\" y=\"{}\" fill=\"{colour}\" stroke=\"#fffdf8\">{}</text>",
                x + 20,
                y + 25,
                rule.sign()
            );
        }
        if let Some(cell) = square.cell {
            let _ = write!(
                svg,
                "<text x=\"{}\" y=\"{}\" font-size=\"11\" stroke=\"#fffdf8\">{}</text>",
                x + 33,
                y + 12,
                cell.letter()
            );
        }
    });
    svg.push_str("</g>");
}

#[cfg(test)]
mod tests {
    use queens_core::{Size, Stepped};

    use super::*;
    use crate::search::squares::rows;
    use crate::search::state::{Action, ExploreState};

    /// Returns a search at a step.
    fn at(n: u32, step: u64) -> ExploreState {
        let mut state = ExploreState::new(Stepped::Symmetry, Size::new(n).unwrap());
        state.apply(Action::MoveTo(step));
        state.work(&mut || true);
        state
    }

    #[test]
    fn a_slide_has_the_board_and_its_sentence() {
        for language in Language::ALL {
            for step in (0..1600).step_by(20).chain([1522]) {
                let state = at(8, step);
                let now = state.snapshot();
                let svg = slide(language, now, &rows(&state));
                assert_eq!(svg.matches("<use href=\"#q\"").count() as u32, now.view.placed().len());
                assert!(svg.contains("viewBox=\"0 0 1280 720\""));
                // The sentence is whole, and its last line is on the slide.
                let texts: Vec<_> = svg.split("<text ").skip(1).collect();
                let text = |part: &&str| part.split(['>', '<']).nth(1).unwrap().to_owned();
                let all: String = texts.iter().map(text).collect();
                assert!(all.replace("&lt;", "<").contains(&why(language, now)), "{all}");
                let last = texts.last().unwrap().split('"').nth(3).unwrap();
                assert!(last.parse::<u32>().unwrap() < 700, "{last}");
            }
        }
    }
}
