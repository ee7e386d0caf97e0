//! The picture of the chart: axes, lines, marks and the legend.

use std::rc::Rc;

use queens_state::results::{Forecast, Line, Quantity};
use yew::prelude::*;

use crate::parts::marks::Mark;
use crate::parts::plot::{Look, Plot, axes};
use crate::views::results::deferred::use_slices;
use crate::words::{Language, duration, tr, use_language, width};

/// The height of the plot.
const HEIGHT: f64 = 340.0;
/// The height of a line of the legend.
const LEGEND_LINE: f64 = 21.0;
/// The approximate width of a letter of the legend. SVG cannot wrap a text, so long names are wrapped by
/// their number of letters.
const LETTER: f64 = 8.0;
/// The largest number of points with an element and a tooltip each. Above this number the marks of
/// each line are one path, so that a chart of hundreds of results does not delay the page. The line
/// above the picture and the table have the values.
const MAX_MARKS: usize = 300;
/// The number of lines that are drawn at a time, which takes a few milliseconds.
const SLICE: usize = 12;

#[derive(Properties, PartialEq)]
pub struct Props {
    /// The id of the `<svg>` element.
    pub id: &'static str,
    pub quantity: Quantity,
    pub lines: Rc<[Line]>,
    pub title: AttrValue,
    /// Whether the window has the width of a phone.
    pub narrow: bool,
}

/// The positions in the picture.
pub struct Layout {
    plot: Plot,
    /// The height and the wrapped name of each line in the legend.
    legends: Vec<(f64, Vec<String>)>,
    /// The height of the picture.
    bottom: f64,
}

impl Layout {
    /// Lays out all lines, so the picture has its final size from the start.
    pub fn new(language: Language, lines: &[Line], narrow: bool) -> Layout {
        let points: Vec<_> = lines.iter().flat_map(points).collect();
        let plot = Plot::new(&points, HEIGHT, narrow);
        let mut bottom = plot.bottom();
        let legends = lines.iter().map(|line| {
            let top = bottom;
            let names = wrapped(language, &line.name, ((plot.width - 30.0) / LETTER) as usize);
            bottom += names.len() as f64 * LEGEND_LINE;
            (top, names)
        });
        let legends = legends.collect();
        Layout { plot, legends, bottom }
    }

    pub fn view_box(&self) -> [f64; 4] {
        [0.0, 0.0, self.plot.width, self.bottom]
    }

    /// Returns the marks of all lines, each with that of its forecast.
    pub fn marks(&self, lines: &[Line]) -> Rc<[Mark]> {
        let marks = lines.iter().enumerate().flat_map(|(index, line)| {
            points(line).map(move |point| Mark {
                key: format!("{}-{}", line.name, point.0),
                line: index,
                n: point.0,
                at: self.plot.place(point),
                look: Look::of_line(line.look),
            })
        });
        marks.collect()
    }
}

/// Returns the points of a line and of its forecast.
fn points(line: &Line) -> impl Iterator<Item = (u32, f64)> {
    let next = line.next.iter().map(|next| (next.n, next.seconds));
    line.points.iter().copied().chain(next)
}

/// Returns the name of a line and its value for N, or the forecast, in words.
pub fn text(language: Language, line: &Line, n: u32, quantity: Quantity) -> Option<String> {
    let [colon, comma] = [language.colon(), language.comma()];
    if let Some(&(_, value)) = line.points.iter().find(|point| point.0 == n) {
        let value = quantity.text(language, value);
        return Some(format!("{}{colon}N = {n}{comma}{value}", line.name));
    }
    let next = line.next.as_ref().filter(|next| next.n == n)?;
    Some(format!("{}{colon}{}", line.name, next_mark(language, next)))
}

fn next_mark(language: Language, next: &Forecast) -> String {
    tr!(language, "results.chart.next-mark", n = next.n, time = duration(language, next.seconds))
}

/// The values against N on a logarithmic scale.
#[component]
pub fn Picture(props: &Props) -> Html {
    let language = use_language();
    let Props { id, quantity, lines, title, narrow } = props;
    let Layout { plot, legends, bottom } = Layout::new(language, lines, *narrow);
    let few = lines.iter().map(|line| line.points.len()).sum::<usize>() <= MAX_MARKS;
    let shown = use_slices(lines.len(), SLICE, SLICE);
    let drawn = lines.iter().zip(legends).take(shown).map(|(line, (top, names))| {
        let look = Look::of_line(line.look);
        html! {
            <g class={look.class} fill={look.colour} stroke={look.colour} stroke-width="2">
                { path_of(&plot, line) }
                if few {
                    { for marks(language, &plot, line, look, *quantity) }
                } else {
                    <path d={line.points.iter().map(|&point| plot.mark(point, look)).collect::<String>()} />
                }
                { forecast(language, &plot, line, look) }
                { legend(look, &names, top) }
            </g>
        }
    });
    let drawn: Vec<Html> = drawn.collect();
    html! {
        <svg
            id={*id} class="chart-picture" viewBox={format!("0 0 {} {bottom}", plot.width)}
            role="img" aria-label={title}
        >
            { axes(language, &plot, *quantity) }
            { drawn }
        </svg>
    }
}

/// Renders a line through its points. Published figures are dotted, and so are the parts across boards
/// without a value.
fn path_of(plot: &Plot, line: &Line) -> Html {
    let follows = |first: &(u32, f64), second: &(u32, f64)| first.0 + 1 == second.0;
    let (solid, dotted) = if line.published {
        (String::new(), plot.path(line.points.iter().copied()))
    } else {
        let runs = line.points.chunk_by(follows);
        let pairs = line.points.iter().zip(line.points.iter().skip(1));
        let gaps = pairs.filter(|(first, second)| !follows(first, second));
        (
            runs.map(|run| plot.path(run.iter().copied())).collect(),
            gaps.map(|(&first, &second)| plot.path([first, second].into_iter())).collect(),
        )
    };
    html! {
        <>
            if !solid.is_empty() { <path d={solid} fill="none" /> }
            if !dotted.is_empty() { <path d={dotted} fill="none" stroke-dasharray="2 4" /> }
        </>
    }
}

/// Renders the marks of a line, each with its value as a tooltip.
fn marks(
    language: Language,
    plot: &Plot,
    line: &Line,
    look: Look,
    quantity: Quantity,
) -> impl Iterator<Item = Html> {
    line.points.iter().map(move |&point| {
        let text = text(language, line, point.0, quantity);
        html! { <path d={plot.mark(point, look)}><title>{ text }</title></path> }
    })
}

/// Renders the forecast of a line.
fn forecast(language: Language, plot: &Plot, line: &Line, look: Look) -> Html {
    let (Some(next), Some(&last)) = (&line.next, line.points.last()) else { return html! {} };
    let point = (next.n, next.seconds);
    html! {
        <>
            <path d={plot.path([last, point].into_iter())} fill="none" stroke-dasharray="6 5" />
            <path d={plot.mark(point, look)} fill="none">
                <title>{ next_mark(language, next) }</title>
            </path>
        </>
    }
}

/// Renders the mark and the name of a line in the legend, starting at the height `top`.
fn legend(look: Look, names: &[String], top: f64) -> Html {
    let names = names.iter().enumerate().map(|(row, name)| {
        let y = top + row as f64 * LEGEND_LINE;
        html! {
            <text
                class="legend" stroke="none" font-family="sans-serif" font-size="13" fill="#1c2026"
                x="28" y={y.to_string()}
            >
                { name }
            </text>
        }
    });
    html! {
        <>
            <path d={format!("M12 {}{}", top - 4.0, look.mark)} />
            { for names }
        </>
    }
}

/// Wraps a name into lines of at most the [`width`] `most`, with breaks between its parts and, in longer parts,
/// after commas.
fn wrapped(language: Language, name: &str, most: usize) -> Vec<String> {
    let dot = language.dot();
    let mut lines: Vec<String> = Vec::new();
    for part in name.split(dot) {
        match lines.last_mut() {
            Some(line) if width(line) + width(part) + width(dot) <= most => {
                line.push_str(dot);
                line.push_str(part);
            }
            _ if width(part) > most => lines.extend(wrapped_at_commas(part, most)),
            _ => lines.push(part.to_owned()),
        }
    }
    lines
}

fn wrapped_at_commas(part: &str, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for piece in part.split_inclusive([',', '、']) {
        match lines.last_mut() {
            Some(line) if width(line) + width(piece) <= most => line.push_str(piece),
            _ => lines.push(piece.trim_start().to_owned()),
        }
    }
    lines
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;
    use crate::parts::rendered::{elements, rendered};

    fn line(name: &str, points: &[(u32, f64)], next: Option<(u32, f64)>) -> Line {
        let next = next.map(|(n, seconds)| Forecast {
            n,
            seconds,
            range: [seconds; 2],
            basis: [8, 10],
            factor: 10.0,
        });
        let (name, points) = (name.into(), points.to_vec());
        Line { name, points, next, no_next: None, published: false, look: 0 }
    }

    fn picture(lines: Vec<Line>) -> String {
        let looks = lines.into_iter().enumerate();
        let lines: Rc<[Line]> = looks.map(|(look, line)| Line { look, ..line }).collect();
        let (quantity, narrow) = (Quantity::Time, false);
        rendered(
            Language::English,
            html! { <Picture id="picture" {quantity} {lines} title="times" {narrow} /> },
        )
    }

    #[test]
    fn draws_each_value_at_its_place() {
        let points = [(8, 0.1), (9, 1.0), (10, 10.0)];
        let lines = [line("a <b>", &points, Some((11, 100.0))), line("c", &points, None)];
        let svg = picture(lines.to_vec());
        assert_eq!(svg.matches("<title>").count(), 7);
        assert_eq!(svg.matches("class=\"legend\"").count(), 2);
        assert!(svg.contains("a &lt;b&gt;") && svg.contains("N = 11: about"), "{svg}");
        // The smallest value is at the foot, the largest at the top.
        assert!(svg.contains("d=\"M90.0 350.0m") && svg.contains("d=\"M734.0 10.0m"), "{svg}");
    }

    #[test]
    fn a_line_is_dotted_across_boards_without_a_value() {
        let points = [(12, 0.1), (13, 1.0), (16, 10.0), (17, 100.0)];
        let paths = |line: Line| {
            let svg = picture(vec![line]);
            let paths: Vec<_> = elements(&svg, "fill=\"none\"")
                .iter()
                .map(|path| (path.attribute("d").unwrap(), path.attribute("stroke-dasharray")))
                .map(|(path, dashes)| (path.matches('L').count(), dashes))
                .collect();
            paths
        };
        let dotted = Some("2 4".to_owned());
        let gap = line("a", &points, None);
        assert_eq!(paths(gap.clone()), [(2, None), (1, dotted.clone())]);
        assert_eq!(paths(line("a", &points[..2], None)), [(1, None)]);
        assert_eq!(paths(Line { published: true, ..gap }), [(3, dotted)]);
    }

    #[test]
    fn the_legend_has_no_outline_without_a_stylesheet() {
        let svg = picture(vec![line("a", &[(8, 0.1)], None)]);
        let legend = &elements(&svg, "class=\"legend\"")[0];
        assert_eq!(legend.attribute("stroke").as_deref(), Some("none"));
    }

    #[test]
    fn a_single_board_is_in_the_middle() {
        let svg = picture(vec![line("a", &[(16, 2.0)], None), line("b", &[(16, 5.0)], None)]);
        // The plot is 78 to 746 wide.
        assert_eq!(svg.matches("d=\"M412.0 ").count(), 3 + 2, "ticks, points and lines: {svg}");
        assert!(!svg.contains(">17<"), "{svg}");
    }

    #[test]
    fn joins_many_marks_into_one_element() {
        let points: Vec<_> = (1..=30).map(|n| (n, f64::from(n))).collect();
        let lines = |count| vec![line("a", &points, None); count];
        assert_eq!(picture(lines(10)).matches("<title>").count(), 300);
        let svg = picture(lines(11));
        assert_eq!(svg.matches("<title>").count(), 0);
        assert_eq!(
            svg.matches(Look::of_line(0).mark).count(),
            31,
            "the points and the legend of one line"
        );
        let (_, lines) = svg.split_once("line line-0").unwrap();
        assert_eq!(lines.matches("<path").count(), 3 * 11, "line, marks and legend of each");
    }

    #[test]
    fn wraps_long_names_between_their_parts() {
        let english = |name, most| wrapped(Language::English, name, most);
        assert_eq!(english("one · two · three", 10), ["one · two", "three"]);
        assert_eq!(english("one, two, three · cpu", 9), ["one, two,", "three", "cpu"]);
        let japanese = |name, most| wrapped(Language::Japanese, name, most);
        assert_eq!(japanese("上下半分の照合・cpu", 18), ["上下半分の照合", "cpu"]);
        assert_eq!(japanese("半分（照合）・cpu・a", 30), ["半分（照合）・cpu・a"]);
        assert_eq!(japanese("一、二三、四", 8), ["一、", "二三、四"]);
    }
}
