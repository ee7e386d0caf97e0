//! Draws the axes, lines and marks of a chart.
//!
//! Every element has its colour on white as an attribute, so a saved picture needs no style sheet.
//! On the page, CSS classes override these attributes and follow the theme.

use std::fmt::Write;

use super::{scale::Log, words::escaped};

/// The colours of lines on white. They can be distinguished by people with colour blindness, as can
/// the shapes of the marks.
const COLOURS: [&str; 8] =
    ["#0b5fa5", "#c2410c", "#187a4b", "#8b3d94", "#8a6d00", "#0e7c86", "#b3261e", "#575b61"];

/// The marks: SVG paths around the origin. A circle would need another kind of element.
const MARKS: [&str; 8] = [
    "M-4-4h8v8h-8z",
    "M0-5.5L5.5 0 0 5.5-5.5 0z",
    "M0-5L5 4h-10z",
    "M0 5L5-4h-10z",
    "M-5 0A5 5 0 0 1 5 0A5 5 0 0 1-5 0z",
    "M-5-1.5h3.5V-5h3v3.5H5v3H1.500V5h-3V1.500H-5z",
    "M-2.500-5h5l2.500 5-2.500 5h-5l-2.500-5z",
    "M-5-4h10L0 0 5 4h-10L0 0z",
];

/// The margins of the plot: top, right, bottom, left.
const MARGINS: [f64; 4] = [10.0, 14.0, 40.0, 78.0];
/// The height of the plot.
const HEIGHT: f64 = 340.0;
/// The height of a line in the legend.
const LINE: f64 = 21.0;
/// The approximate width of a letter.
const LETTER: f64 = 7.2;

/// A series in the chart.
pub struct Line {
    pub name: String,
    /// N, the value and its tooltip, in ascending order of N.
    pub points: Vec<(u32, f64, String)>,
    /// The forecast for the next N.
    pub next: Option<(u32, f64, String)>,
    /// Whether it shows published figures.
    pub published: bool,
}

/// Draws a chart of values above N on a logarithmic scale. Returns the contents of its `<svg>`
/// element, and its width and height.
pub fn draw(lines: &[Line], narrow: bool, tick: impl Fn(f64) -> String) -> (String, [f64; 2]) {
    let width = if narrow { 350.0 } else { 760.0 };
    let [above, right, below, left] = MARGINS;
    let all = || lines.iter().flat_map(|line| line.points.iter().chain(&line.next));
    let scale = Log::of(all().map(|point| point.1));
    let least = all().map(|point| point.0).min().unwrap_or(1);
    let most = all().map(|point| point.0).max().unwrap_or(1).max(least + 1);
    let x = |n: u32| {
        left + 12.0 + f64::from(n - least) / f64::from(most - least) * (width - left - right - 24.0)
    };
    let y = |value: f64| above + HEIGHT * (1.0 - scale.share(value));
    let mut svg = String::from(
        "<g class=\"axes\" fill=\"#575b61\" stroke=\"#d8d3c6\" font-family=\"sans-serif\" font-size=\"13\">",
    );
    // Writing to a string cannot fail.
    for value in scale.ticks() {
        let (y, text) = (y(value), tick(value));
        let _ = write!(
            svg,
            "<path d=\"M{left} {y:.1}H{}\"/><text stroke=\"none\" text-anchor=\"end\" x=\"{}\" y=\"{:.1}\">{text}</text>",
            width - right,
            left - 8.0,
            y + 4.5
        );
    }
    let each = (most - least) as usize / if narrow { 8 } else { 20 } + 1;
    let foot = above + HEIGHT;
    for n in (least..=most).step_by(each) {
        let _ = write!(
            svg,
            "<path d=\"M{0:.1} {foot}v5\"/><text stroke=\"none\" text-anchor=\"middle\" x=\"{0:.1}\" y=\"{1}\">{n}</text>",
            x(n),
            foot + 19.0
        );
    }
    let _ = write!(
        svg,
        "<text stroke=\"none\" text-anchor=\"end\" x=\"{}\" y=\"{}\">N</text></g>",
        width - right,
        foot + 36.0
    );
    let mut bottom = foot + below;
    for (index, line) in lines.iter().enumerate() {
        let (colour, mark) =
            (COLOURS[index % COLOURS.len()], MARKS[(index + index / COLOURS.len()) % MARKS.len()]);
        let dash = if line.published { " stroke-dasharray=\"2 4\"" } else { "" };
        let _ = write!(
            svg,
            "<g class=\"line line-{}\" fill=\"{colour}\" stroke=\"{colour}\" stroke-width=\"2\">",
            index % COLOURS.len()
        );
        let path = |points: &mut dyn Iterator<Item = &(u32, f64, String)>| {
            let places = points.map(|(n, value, _)| format!("{:.1} {:.1}", x(*n), y(*value)));
            places.collect::<Vec<_>>().join("L")
        };
        let _ = write!(svg, "<path d=\"M{}\" fill=\"none\"{dash}/>", path(&mut line.points.iter()));
        if let (Some(last), Some(next)) = (line.points.last(), &line.next) {
            let _ = write!(
                svg,
                "<path d=\"M{}\" fill=\"none\" stroke-dasharray=\"6 5\"/>",
                path(&mut [last, next].into_iter())
            );
        }
        let marks = line.points.iter().map(|point| (point, ""));
        for ((n, value, said), open) in
            marks.chain(line.next.iter().map(|next| (next, " fill=\"none\"")))
        {
            let _ = write!(
                svg,
                "<path d=\"{mark}\" transform=\"translate({:.1} {:.1})\"{open}><title>{said}</title></path>",
                x(*n),
                y(*value)
            );
        }
        let _ =
            write!(svg, "<path d=\"{mark}\" transform=\"translate(12 {})\"/></g>", bottom - 4.0);
        for part in wrapped(&line.name, ((width - 30.0) / LETTER) as usize) {
            let _ = write!(
                svg,
                "<text class=\"legend\" font-family=\"sans-serif\" font-size=\"13\" fill=\"#1c2026\" x=\"28\" y=\"{bottom}\">{}</text>",
                escaped(&part)
            );
            bottom += LINE;
        }
    }
    (svg, [width, bottom])
}

/// Returns the picture as a stand-alone SVG file on white.
pub fn file(svg: &str, [width, height]: [f64; 2]) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\"><rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>{svg}</svg>\n"
    )
}

/// Breaks a name into lines of at most `most` letters, between its parts.
fn wrapped(name: &str, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for part in name.split(" · ") {
        // Non-Latin letters count as two, because they are twice as wide.
        let wide = |text: &str| {
            text.chars().map(|letter| if letter < '\u{2e80}' { 1 } else { 2 }).sum::<usize>()
        };
        match lines.last_mut() {
            Some(line) if wide(line) + wide(part) + 3 <= most => {
                // A Japanese closing bracket already includes a space.
                line.push_str(if line.ends_with('）') { "· " } else { " · " });
                line.push_str(part);
            }
            _ => lines.push(part.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_has_its_mark_where_it_belongs() {
        let point = |n, value: f64| (n, value, format!("{n}: {value}"));
        let line = |name: &str, next| Line {
            name: name.to_owned(),
            points: vec![point(8, 0.1), point(9, 1.0), point(10, 10.0)],
            next,
            published: false,
        };
        let lines = [line("a <b>", Some(point(11, 100.0))), line("c", None)];
        let (svg, [width, height]) = draw(&lines, false, |value| value.to_string());
        assert_eq!(svg.matches("<title>").count(), 7);
        assert_eq!(svg.matches("class=\"legend\"").count(), 2);
        assert!(svg.contains("a &lt;b&gt;") && svg.contains("<title>11: 100</title>"));
        // The smallest value is at the bottom, the largest at the top.
        assert!(
            svg.contains("translate(90.0 350.0)") && svg.contains("translate(734.0 10.0)"),
            "{svg}"
        );
        assert_eq!(svg.matches("<g").count(), svg.matches("</g>").count());
        let file = file(&svg, [width, height]);
        assert!(file.starts_with("<svg xmlns") && file.ends_with("</svg>\n"));
    }

    #[test]
    fn long_names_are_broken_where_their_parts_meet() {
        assert_eq!(wrapped("one · two · three", 10), ["one · two", "three"]);
        assert_eq!(wrapped("上下半分の照合 · cpu", 18), ["上下半分の照合", "cpu"]);
        assert_eq!(wrapped("半分（照合） · cpu · a", 30), ["半分（照合）· cpu · a"]);
    }
}
