//! Animated SVG of a range of steps, for slides and web pages.

use std::fmt::Write;

use queens_core::{Rule, Square};
use queens_state::board::{Row, SquareStyle};
use queens_state::search::picture::{Finding, rows};
use queens_state::search::state::{Action, ExploreState};
use queens_state::search::why::why;

use crate::board::glyph::QUEEN;
use crate::board::paths::{SQUARE, dark_squares, each, on_squares};
use crate::board::patterns::sign_colour;
use crate::board::squares::SIDE;
use crate::views::explore::board::drawing::{TRIED, image_path};
use crate::words::{Language, grouped, numbered_method, tr};

/// The largest number of steps in a file.
pub const MAX_STEPS: u64 = 100;

/// The time for which a step is shown, and the additional time for the last one, in seconds.
const STEP: f64 = 1.0;
const REST: f64 = 2.0;

/// The position and side of the board, the width of the picture, and the height of the text below.
const LEFT: u32 = 24;
const BOARD: u32 = 400;
const WIDTH: u32 = 448;
const BELOW: u32 = 104;

/// The largest number of letters per line. A Latin letter counts as one, a Japanese one as two.
const LINE: usize = 58;

/// Draws a range of steps, both ends included, as an animation that repeats. Programs without
/// animation show the last step. Returns `None` if the range is empty or ends beyond the search, or
/// if `more` returns `false` before all steps are found.
pub fn animation(
    language: Language,
    state: &ExploreState,
    [from, to]: [u64; 2],
    more: &mut dyn FnMut() -> bool,
) -> Option<String> {
    let mut state = state.clone();
    let n = state.snapshot().view.size.get();
    let title = [tr!(language, "film.title", n = n), numbered_method(language, state.method())];
    let mut svg = head(n, &title.join(" · "));
    let last = to.checked_sub(from)?;
    let whole = last as f64 * STEP + STEP + REST;
    for step in from..=to {
        state.apply(Action::MoveTo(step));
        state.work(more);
        if state.jump_in_progress().is_some() || state.snapshot().step != step {
            return None;
        }
        // Writing to a string cannot fail.
        let _ = write!(
            svg,
            "<g id=\"step-{step}\" {}<g transform=\"{}\">",
            visibility(step - from, last, whole),
            on_board(n)
        );
        frame(&mut svg, &rows(&state), &Finding::of(state.snapshot()));
        svg.push_str("</g>");
        caption(&mut svg, language, &title, &state);
        svg.push_str("</g>");
    }
    let _ = write!(
        svg,
        "<rect x=\"{LEFT}\" y=\"{LEFT}\" width=\"{BOARD}\" height=\"{BOARD}\" fill=\"none\" \
         stroke=\"#1c2026\" stroke-width=\"1.5\"/></svg>"
    );
    Some(svg)
}

/// The transformation from the board's squares to the picture.
fn on_board(n: u32) -> String {
    format!("translate({LEFT} {LEFT}) scale({:.4})", f64::from(BOARD) / f64::from(n * SIDE))
}

/// The beginning of the picture, with all that is the same in every step: patterns, the numbers of
/// rows and columns, and the squares.
fn head(n: u32, title: &str) -> String {
    let (extent, height) = (n * SIDE, LEFT + BOARD + BELOW);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" \
         height=\"{height}\" font-family=\"sans-serif\" font-size=\"13\" fill=\"#1c2026\">\
         <title>{title}</title><rect width=\"{WIDTH}\" height=\"{height}\" fill=\"#faf8f3\"/><defs>\
         <path id=\"q\" d=\"M0 0{QUEEN}\"/>{}",
        pattern("attacked", "#6d6958", "M-2 2 2-2M0 8 8 0M6 10 10 6")
    );
    svg.extend(Rule::ALL.map(|rule| pattern(rule.id(), sign_colour(rule), hatch(rule))));
    svg.push_str("</defs><g text-anchor=\"middle\">");
    // Writing to a string cannot fail.
    for number in 0..n {
        let scale = f64::from(BOARD) / f64::from(extent);
        let middle = f64::from(number * SIDE + SIDE / 2) * scale + f64::from(LEFT);
        let _ = write!(
            svg,
            "<text x=\"{middle:.1}\" y=\"17\">{number}</text>\
             <text x=\"12\" y=\"{:.1}\">{number}</text>",
            middle + 5.0
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

/// Ends the start tag of a step's group, and begins the group with an animation that shows it only in
/// its time. `number` counts the steps from 0, and `last` is the number of the last one. `whole` is the
/// length of the animation in seconds.
fn visibility(number: u64, last: u64, whole: f64) -> String {
    let begin = number as f64 * STEP / whole;
    let end = (number + 1) as f64 * STEP / whole;
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
fn caption(svg: &mut String, language: Language, title: &[String; 2], state: &ExploreState) {
    let step = grouped(state.snapshot().step);
    let step = tr!(language, "explore.timeline-text", step = step);
    let heading = format!("{} · {} · {step}", title[0], title[1]);
    let y = LEFT + BOARD + 22;
    // Writing to a string cannot fail.
    let _ = write!(svg, "<text x=\"{LEFT}\" y=\"{y}\" fill=\"#575b61\">{heading}</text>");
    for (line, text) in (1..).zip(lines(&why(language, state.snapshot()))) {
        let _ = write!(svg, "<text x=\"{LEFT}\" y=\"{}\">{text}</text>", y + 18 * line);
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
            let _ = write!(
                svg,
                "<text x=\"{}\" y=\"{}\" fill=\"{}\" stroke=\"#fffdf8\">{}</text>",
                x + 20,
                y + 25,
                sign_colour(rule),
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

/// Breaks a sentence into lines, after spaces and Japanese letters. No line ends before a no-break
/// space or begins with a closing character.
fn lines(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut width = 0;
    let mut rest = text;
    while !rest.is_empty() {
        let next = rest.chars().skip(1).chain([' ']);
        let mut pairs = rest.char_indices().zip(next);
        let end = pairs.find_map(|((at, letter), next)| {
            let may_end = letter == ' ' || is_wide(letter) && !holds(next);
            may_end.then(|| at + letter.len_utf8())
        });
        let (word, more) = rest.split_at(end.unwrap_or(rest.len()));
        let long: usize = word.chars().map(|letter| if is_wide(letter) { 2 } else { 1 }).sum();
        if width + long > LINE {
            lines.push(String::new());
            width = 0;
        }
        width += long;
        if let Some(line) = lines.last_mut() {
            line.push_str(word);
        }
        rest = more;
    }
    lines
}

/// Whether a letter must stay on the line of the previous one.
fn holds(letter: char) -> bool {
    " \u{a0}\u{2060}、。：）」・".contains(letter)
}

/// Whether a letter takes the width of two.
fn is_wide(letter: char) -> bool {
    letter >= '\u{2e80}'
}

#[cfg(test)]
mod tests {
    use queens_core::{Size, Stepped};

    use super::*;

    fn symmetry_animation(n: u32, range: [u64; 2]) -> Option<String> {
        let state = ExploreState::new(Stepped::Symmetry, Size::new(n).unwrap());
        animation(Language::English, &state, range, &mut || true)
    }

    #[test]
    fn an_animation_of_50_steps_has_50_frames_and_is_small() {
        let svg = symmetry_animation(8, [1480, 1529]).unwrap();
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
    fn returns_none_for_ranges_that_are_invalid_or_too_far() {
        assert_eq!(symmetry_animation(4, [0, 1_000_000]), None);
        assert_eq!(symmetry_animation(4, [3, 2]), None);
        let state = ExploreState::new(Stepped::Bitmap, Size::new(16).unwrap());
        let far =
            animation(Language::English, &state, [9_000_000_000, 9_000_000_001], &mut || false);
        assert_eq!(far, None);
    }

    #[test]
    fn wraps_sentences_into_lines() {
        let text =
            "The queens above attack 5 of the 8 squares in row 3. Not attacked: columns 2, 4, 7.";
        assert_eq!(lines(text).concat(), text);
        assert!(lines(text).iter().all(|line| line.len() <= LINE) && lines(text).len() == 2);
        let japanese = "行 3 の 8 マスのうち 5 マスが、上のクイーンの効き筋にあります。";
        assert_eq!(lines(&japanese.repeat(2)).concat(), japanese.repeat(2));
        assert!(lines(&japanese.repeat(2)).len() > 1);
        let no_break = "行\u{a0}3\u{a0}の".repeat(30);
        for line in lines(&no_break) {
            assert!(line.starts_with('行') && line.ends_with('の'), "{line}");
        }
    }
}
