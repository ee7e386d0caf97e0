//! Steps as SVG drawings for slides and web pages: a slide, and an animation.

use std::fmt::Write;

use queens_core::{Method, Rule, Square};
use queens_state::board::{Row, SquareStyle};
use queens_state::search::picture::Finding;
use queens_state::search::state::Snapshot;
use queens_state::search::why::why;

use crate::board::glyph::QUEEN;
use crate::board::paths::{SQUARE, dark_squares, each, on_squares};
use crate::board::patterns::sign_colour;
use crate::board::squares::SIDE;
use crate::views::explore::board::drawing::{TRIED, image_path};
use crate::words::{Language, grouped, lines, numbered_method, tr};

/// Where the board is: its distance from the left and the top, its side, and the size of its numbers.
struct BoardPlace {
    left: u32,
    side: u32,
    font: u32,
}

/// The board of an animation, the width of the picture, and the height of the text below.
const FILM_BOARD: BoardPlace = BoardPlace { left: 24, side: 400, font: 13 };
const FILM_WIDTH: u32 = 448;
const BELOW_BOARD: u32 = 104;

/// The board of a slide, and the left end of the text next to it.
const SLIDE_BOARD: BoardPlace = BoardPlace { left: 60, side: 600, font: 20 };
const TEXT_LEFT: u32 = 720;

/// The font sizes of the note and of the sentence on a slide, from the largest.
const SIZES: [[u32; 2]; 4] = [[34, 34], [34, 27], [27, 24], [22, 20]];

/// The number of letters per line below an animation. A Latin letter counts as one, a Japanese one
/// as two.
const LINE: usize = 58;

/// The width and the height of a slide.
pub const SLIDE: [u32; 2] = [1280, 720];

/// Returns the title of a drawing: the board, the method and the step.
pub fn title(language: Language, now: &Snapshot) -> String {
    let n = tr!(language, "share.n", n = now.view.size);
    let method = now.view.method.id.parse::<Method>();
    let method = method.map(|method| numbered_method(language, method)).unwrap_or_default();
    let step = tr!(language, "explore.timeline-text", step = grouped(now.step));
    [n, method, step].join(language.separator())
}

/// An animation that repeats. Programs without animation show its last frame.
pub struct AnimatedSvg {
    language: Language,
    n: u32,
    /// The time for which a frame is shown, in seconds.
    frame_seconds: f64,
    /// Whether a frame has its sentence.
    caption: bool,
    /// The step and the drawing of each frame. [`finish`](AnimatedSvg::finish) adds the attributes that
    /// show a frame only during its time.
    frames: Vec<(u64, String)>,
}

impl AnimatedSvg {
    pub fn new(language: Language, n: u32, frame_seconds: f64, caption: bool) -> AnimatedSvg {
        AnimatedSvg { language, n, frame_seconds, caption, frames: vec![] }
    }

    /// Adds a frame.
    pub fn add(&mut self, now: &Snapshot, rows: &[Row], finding: &Finding) {
        let mut svg = format!("<g transform=\"{}\">", FILM_BOARD.on_board(self.n));
        frame(&mut svg, rows, finding);
        svg.push_str("</g>");
        if self.caption {
            caption(&mut svg, self.language, now);
        }
        self.frames.push((now.step, svg));
    }

    /// Returns the file.
    pub fn finish(self, title: &str) -> String {
        let below = if self.caption { BELOW_BOARD } else { FILM_BOARD.left };
        let mut svg = head(
            self.n,
            title,
            [FILM_WIDTH, FILM_BOARD.left + FILM_BOARD.side + below],
            &FILM_BOARD,
        );
        let last = self.frames.len().saturating_sub(1);
        // The last frame stays longer.
        let whole = self.frames.len() as f64 * self.frame_seconds + REST;
        for (number, (step, frame)) in self.frames.iter().enumerate() {
            let visibility = visibility([number, last], self.frame_seconds, whole);
            // Writing to a string cannot fail.
            let _ = write!(svg, "<g id=\"step-{step}\" {visibility}{frame}</g>");
        }
        FILM_BOARD.border(&mut svg);
        svg + "</svg>"
    }
}

/// The additional time of the last frame, in seconds.
pub const REST: f64 = 2.0;

/// Draws a step as a slide: the board at the left, the sentence at the right. `note` is a heading.
pub fn slide(language: Language, now: &Snapshot, rows: &[Row], note: Option<&str>) -> String {
    let n = now.view.size.get();
    let title = title(language, now);
    let mut svg = head(n, &title, SLIDE, &SLIDE_BOARD);
    // Writing to a string cannot fail.
    let _ = write!(svg, "<g transform=\"{}\">", SLIDE_BOARD.on_board(n));
    frame(&mut svg, rows, &Finding::of(now));
    svg.push_str("</g>");
    SLIDE_BOARD.border(&mut svg);
    let _ = write!(
        svg,
        "<text x=\"{TEXT_LEFT}\" y=\"84\" font-size=\"22\" fill=\"#575b61\">{title}</text>"
    );
    let texts = [note.map(escaped).unwrap_or_default(), why(language, now)];
    // Long texts are smaller, so that all of them fit.
    let mut text = String::new();
    for sizes in SIZES {
        let (lines, bottom) = note_and_sentence(&texts, sizes);
        text = lines;
        if bottom < SLIDE[1] - 20 {
            break;
        }
    }
    svg + &text + "</svg>"
}

/// Returns the note and the sentence of a slide as SVG with these font sizes, and the y coordinate of
/// the last line. A Latin letter is about half as wide as the font size.
fn note_and_sentence(texts: &[String; 2], sizes: [u32; 2]) -> (String, u32) {
    let (mut svg, mut y) = (String::new(), 100);
    for ((text, size), style) in texts.iter().zip(sizes).zip([" font-weight=\"bold\"", ""]) {
        if text.is_empty() {
            continue;
        }
        y += size / 2;
        for line in lines(text, (SLIDE[0] - TEXT_LEFT - 40) as usize * 2 / size as usize) {
            y += size * 7 / 5;
            // Writing to a string cannot fail.
            let _ = write!(
                svg,
                "<text x=\"{TEXT_LEFT}\" y=\"{y}\" font-size=\"{size}\"{style}>{line}</text>"
            );
        }
    }
    (svg, y)
}

/// Escapes a text of the user for SVG.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

impl BoardPlace {
    /// The transformation from the board's squares to the picture.
    fn on_board(&self, n: u32) -> String {
        let BoardPlace { left, side, .. } = self;
        format!("translate({left} {left}) scale({:.4})", f64::from(*side) / f64::from(n * SIDE))
    }

    /// Draws the line around the board.
    fn border(&self, svg: &mut String) {
        let BoardPlace { left, side, .. } = self;
        // Writing to a string cannot fail.
        let _ = write!(
            svg,
            "<rect x=\"{left}\" y=\"{left}\" width=\"{side}\" height=\"{side}\" fill=\"none\" \
             stroke=\"#1c2026\" stroke-width=\"1.5\"/>"
        );
    }
}

/// The beginning of the picture, with all that is the same in every step: patterns, the numbers of
/// rows and columns, and the squares.
fn head(n: u32, title: &str, [width, height]: [u32; 2], place: &BoardPlace) -> String {
    let extent = n * SIDE;
    let BoardPlace { left, side, font } = *place;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" font-family=\"sans-serif\" font-size=\"{font}\" fill=\"#1c2026\">\
         <title>{title}</title><rect width=\"{width}\" height=\"{height}\" fill=\"#faf8f3\"/><defs>\
         <path id=\"q\" d=\"M0 0{QUEEN}\"/>{}",
        pattern("attacked", "#6d6958", "M-2 2 2-2M0 8 8 0M6 10 10 6")
    );
    svg.extend(Rule::ALL.map(|rule| pattern(rule.id(), sign_colour(rule), hatch(rule))));
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
        place.on_board(n),
        dark_squares(n)
    );
    svg
}

/// The attribute and the animation that show a frame only during its time. `whole` is the length of the
/// animation in seconds.
fn visibility([number, last]: [usize; 2], frame_seconds: f64, whole: f64) -> String {
    let begin = number as f64 * frame_seconds / whole;
    let end = (number + 1) as f64 * frame_seconds / whole;
    let (values, times) = match (number == 0, number == last) {
        (true, true) => ("visible", "0".to_owned()),
        (true, false) => ("visible;hidden", format!("0;{end:.5}")),
        (false, true) => ("hidden;visible", format!("0;{begin:.5}")),
        _ => ("hidden;visible;hidden", format!("0;{begin:.5};{end:.5}")),
    };
    let still = if number == last { "visible" } else { "hidden" };
    format!(
        "visibility=\"{still}\">\
         <animate attributeName=\"visibility\" calcMode=\"discrete\" dur=\"{whole}s\" \
         repeatCount=\"indefinite\" values=\"{values}\" keyTimes=\"{times}\"/>"
    )
}

/// Writes the title, the step and its sentence below the board.
fn caption(svg: &mut String, language: Language, now: &Snapshot) {
    let title = title(language, now);
    let (left, y) = (FILM_BOARD.left, FILM_BOARD.left + FILM_BOARD.side + 22);
    // Writing to a string cannot fail.
    let _ = write!(svg, "<text x=\"{left}\" y=\"{y}\" fill=\"#575b61\">{title}</text>");
    for (line, text) in (1..).zip(lines(&why(language, now), LINE)) {
        let _ = write!(svg, "<text x=\"{left}\" y=\"{}\">{text}</text>", y + 18 * line);
    }
}

/// The path of a rule's hatch.
fn hatch(rule: Rule) -> &'static str {
    match rule {
        Rule::UpperSide => "M-2 6 2 10M0 0 8 8M6-2 10 2",
        Rule::LowerSide => "M0 1H8M0 5H8",
        Rule::LastRow => "M1 0V8M5 0V8",
        Rule::Corner => "M0 0 8 8M8 0 0 8",
        Rule::Half => "M3 4H5",
    }
}

fn pattern(id: &str, colour: &str, path: &str) -> String {
    format!(
        "<pattern id=\"x-{id}\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\">\
         <path d=\"{path}\" fill=\"none\" stroke=\"{colour}\"/></pattern>"
    )
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
    let middle = |square: Square| {
        let (row, column) = square.to_left();
        format!("{} {}", column * SIDE + SIDE / 2, row * SIDE + SIDE / 2)
    };
    let lines = finding.attacks().iter();
    let lines = lines.map(|&(queen, square)| format!("M{}L{}", middle(queen), middle(square)));
    path(lines.collect(), "fill=\"none\" stroke=\"#a3151f\" stroke-width=\"1.5\"");
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
    use queens_state::search::picture::rows;
    use queens_state::search::state::{Action, ExploreState};

    use super::*;
    use crate::place::Moments;

    /// Returns a search at a step.
    fn at(n: u32, step: u64) -> ExploreState {
        let mut state = ExploreState::new(Stepped::Symmetry, Size::new(n).unwrap());
        state.apply(Action::MoveTo(step));
        state.work(&mut || true);
        state
    }

    #[test]
    fn an_animation_of_50_steps_has_50_frames_and_is_small() {
        let mut film = AnimatedSvg::new(Language::English, 8, 1.0, true);
        for step in 1480..1530 {
            let state = at(8, step);
            film.add(state.snapshot(), &rows(&state), &Finding::of(state.snapshot()));
        }
        let svg = film.finish("N = 8");
        assert_eq!(svg.matches("<animate ").count(), 50);
        assert!(svg.contains("<g id=\"step-1480\" ") && svg.contains("<g id=\"step-1529\" "));
        assert!(svg.len() < 200_000, "{}", svg.len());
        assert_eq!(svg.matches("<g").count(), svg.matches("</g>").count());
        // The solution at step 1522.
        let (_, at) = svg.split_once("<g id=\"step-1522\" ").unwrap();
        let (at, _) = at.split_once("<g id=\"step-1523\" ").unwrap();
        assert_eq!(at.matches("<use href=\"#q\"").count(), 8);
    }

    #[test]
    fn a_slide_has_room_for_the_longest_note() {
        let note = "効".repeat(Moments::LONGEST_NOTE);
        for language in Language::ALL {
            let state = at(8, 0);
            for step in (0..1600).step_by(20) {
                let state = at(8, step);
                let now = state.snapshot();
                let svg = slide(language, now, &rows(&state), Some(&note));
                let last = svg.split("<text ").last().unwrap().split('"').nth(3).unwrap();
                assert!(last.parse::<u32>().unwrap() < 700, "{last} at step {step}");
            }
            // Without the note, the letters are large.
            let svg = slide(language, state.snapshot(), &rows(&state), None);
            assert!(svg.contains("font-size=\"34\""), "{svg}");
        }
    }

    #[test]
    fn a_slide_has_the_board_and_its_sentence() {
        for language in Language::ALL {
            for step in [0, 300, 1480, 1522] {
                let state = at(8, step);
                let now = state.snapshot();
                let svg = slide(language, now, &rows(&state), Some("a < b & c"));
                assert_eq!(svg.matches("<use href=\"#q\"").count() as u32, now.view.placed().len());
                assert!(
                    svg.contains("viewBox=\"0 0 1280 720\"") && svg.contains("a &lt; b &amp; c")
                );
                // The sentence is whole, and its last line is on the slide.
                let texts: Vec<_> = svg.split("<text ").skip(1).collect();
                let text = |part: &&str| part.split(['>', '<']).nth(1).unwrap().to_owned();
                let all: String = texts.iter().map(text).collect();
                assert!(all.contains(&why(language, now)), "{all}");
                let last = texts.last().unwrap().split('"').nth(3).unwrap();
                assert!(last.parse::<u32>().unwrap() < 700, "{last}");
            }
        }
    }
}
