//! The picture of the chart: axes, lines, marks and the legend.

use std::rc::Rc;

use queens_state::results::Line;
use yew::prelude::*;

use crate::browser::media_matches;
use crate::parts::deferred::use_slices;
use crate::parts::plot::{Look, Plot, axes};
use crate::words::{Language, duration, use_language, width};

/// The height of the plot.
const HEIGHT: f64 = 340.0;
/// The height of a line of the legend.
const LEGEND_LINE: f64 = 21.0;
/// The approximate width of a letter of the legend. SVG cannot wrap a text, so long names are wrapped by
/// their number of letters.
const LETTER: f64 = 8.0;
/// The width of a legend at the right of the plot. The longest name of a method fits with its threads.
const LEGEND: f64 = 272.0;
/// The space between the plot and the legend at its right.
const BEFORE_LEGEND: f64 = 4.0;
/// The first baseline of a legend at the right of the plot.
const FIRST_BASELINE: f64 = 15.0;
/// The largest number of points with an element and a tooltip each. Above this number the marks of
/// each line are one path, so that a chart of hundreds of results does not delay the page. The table has
/// the values.
const MAX_MARKS: usize = 300;
/// The number of lines that are drawn at a time, which takes a few milliseconds.
const SLICE: usize = 12;

/// The room for the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    Phone,
    Medium,
    /// There is room for the legend at the right of the plot.
    Wide,
}

impl Room {
    /// Returns the room in this window.
    pub fn of_window() -> Room {
        if media_matches("(max-width: 40rem)") {
            Room::Phone
        } else if media_matches("(min-width: 64rem)") {
            Room::Wide
        } else {
            Room::Medium
        }
    }

    /// Returns the width of the picture.
    pub const fn width(self) -> f64 {
        match self {
            Room::Phone => 350.0,
            Room::Medium => 760.0,
            Room::Wide => 960.0,
        }
    }
}

#[derive(Properties, PartialEq)]
pub struct Props {
    /// The id of the `<svg>` element.
    pub id: &'static str,
    pub lines: Rc<[Line]>,
    pub title: AttrValue,
    pub room: Room,
}

/// The positions in the picture.
struct Layout {
    plot: Plot,
    legends: Vec<Legend>,
    width: f64,
    /// The height of the picture.
    bottom: f64,
}

/// The place of a line's name in the legend.
struct Legend {
    left: f64,
    /// The baseline of the first line of the name.
    baseline: f64,
    /// The wrapped name.
    names: Vec<String>,
}

impl Legend {
    fn height(&self) -> f64 {
        self.names.len() as f64 * LEGEND_LINE
    }
}

impl Layout {
    /// Lays out all lines, so the picture has its final size from the start.
    fn new(language: Language, lines: &[Line], room: Room) -> Layout {
        let points: Vec<_> = lines.iter().flat_map(|line| line.points.iter().copied()).collect();
        let mut plot = Plot::new(&points, HEIGHT, room == Room::Phone);
        let (width, bottom) = (room.width(), plot.bottom());
        if room != Room::Wide {
            let mut legends = legends(language, lines, 0.0, width);
            let bottom = stack(&mut legends.iter_mut().collect::<Vec<_>>(), bottom);
            return Layout { plot, legends, width, bottom };
        }
        plot.width = width - LEGEND - BEFORE_LEGEND;
        let mut legends = legends(language, lines, width - LEGEND, LEGEND);
        let bottom = bottom.max(at_ends(&plot, lines, &mut legends));
        Layout { plot, legends, width, bottom }
    }
}

/// Returns the name of each line in a legend with this left end and width.
fn legends(language: Language, lines: &[Line], left: f64, width: f64) -> Vec<Legend> {
    let most = ((width - 30.0) / LETTER) as usize;
    let legend = |line: &Line| {
        let names = wrapped(language, &line.name, most);
        Legend { left, baseline: 0.0, names }
    };
    lines.iter().map(legend).collect()
}

/// Places names below each other, the first one at `baseline`. Returns the baseline after the last one.
fn stack(legends: &mut [&mut Legend], baseline: f64) -> f64 {
    legends.iter_mut().fold(baseline, |baseline, legend| {
        legend.baseline = baseline;
        baseline + legend.height()
    })
}

/// Places each name at the height at which its line ends, and moves names apart where lines end at similar heights.
/// Returns the lower end of the legend.
fn at_ends(plot: &Plot, lines: &[Line], legends: &mut [Legend]) -> f64 {
    let end = |line: &Line| line.points.last().map_or(0.0, |&point| plot.y(point.1));
    let mut in_order: Vec<_> = lines.iter().map(end).zip(legends).collect();
    in_order.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    let (ends, mut in_order): (Vec<f64>, Vec<&mut Legend>) = in_order.into_iter().unzip();
    let height: f64 = in_order.iter().map(|legend| legend.height()).sum();
    let mut free = FIRST_BASELINE;
    for (legend, end) in in_order.iter_mut().zip(&ends) {
        legend.baseline = free.max(end + 4.5);
        free = legend.baseline + legend.height();
    }
    // If the last names are below the plot, all that touch them move up.
    let mut below = plot.foot().max(FIRST_BASELINE + height - LEGEND_LINE) + LEGEND_LINE;
    for legend in in_order.iter_mut().rev() {
        legend.baseline = legend.baseline.min(below - legend.height());
        below = legend.baseline;
    }
    in_order.last().map_or(0.0, |last| last.baseline + last.height())
}

/// Returns the name of a line and its time for N in words.
fn text(language: Language, line: &Line, (n, seconds): (u32, f64)) -> String {
    let [colon, comma] = [language.colon(), language.comma()];
    format!("{}{colon}N = {n}{comma}{}", line.name, duration(language, seconds))
}

/// The times against N on a logarithmic scale.
#[component]
pub fn Picture(props: &Props) -> Html {
    let language = use_language();
    let Props { id, lines, title, room } = props;
    let Layout { plot, legends, width, bottom } = Layout::new(language, lines, *room);
    let few = lines.iter().map(|line| line.points.len()).sum::<usize>() <= MAX_MARKS;
    let shown = use_slices(lines.len(), SLICE, SLICE);
    let drawn = lines.iter().zip(legends).take(shown).map(|(line, name)| {
        let look = Look::of_line(line.look);
        html! {
            <g class={look.class} fill={look.colour} stroke={look.colour} stroke-width="2">
                { path_of(&plot, line) }
                if few {
                    { for marks(language, &plot, line, look) }
                } else {
                    <path
                        d={line.points.iter().map(|&point| plot.mark(point, look)).collect::<String>()}
                        fill={fill_of(line)}
                    />
                }
                { legend(look, &name, fill_of(line)) }
            </g>
        }
    });
    let drawn: Vec<Html> = drawn.collect();
    html! {
        <svg
            id={*id} class="chart-picture" viewBox={format!("0 0 {width} {bottom}")}
            role="img" aria-label={title}
        >
            { axes(language, &plot) }
            { drawn }
        </svg>
    }
}

/// Whether the second point is that of the next board.
fn follows(first: &(u32, f64), second: &(u32, f64)) -> bool {
    first.0 + 1 == second.0
}

/// Whether a line of results is dotted across boards without a value.
pub fn has_gap(line: &Line) -> bool {
    !line.published && !line.points.is_sorted_by(follows)
}

/// Renders a line through its points. Published figures are dotted, and so are the parts across boards
/// without a value.
fn path_of(plot: &Plot, line: &Line) -> Html {
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

/// Returns the fill of a line's marks: published figures have hollow ones.
fn fill_of(line: &Line) -> Option<&'static str> {
    line.published.then_some("none")
}

/// Renders the marks of a line, each with its value as a tooltip.
fn marks(language: Language, plot: &Plot, line: &Line, look: Look) -> impl Iterator<Item = Html> {
    line.points.iter().map(move |&point| {
        let text = text(language, line, point);
        html! { <path d={plot.mark(point, look)} fill={fill_of(line)}><title>{ text }</title></path> }
    })
}

/// Renders the mark and the name of a line in the legend.
fn legend(
    look: Look,
    Legend { left, baseline, names }: &Legend,
    fill: Option<&'static str>,
) -> Html {
    let names = names
        .iter()
        .enumerate()
        .map(|(row, name)| legend_name(name, left + 28.0, baseline + row as f64 * LEGEND_LINE));
    html! {
        <>
            <path d={format!("M{} {:.1}{}", left + 12.0, baseline - 4.5, look.mark)} {fill} />
            { for names }
        </>
    }
}

/// Renders a name, or a line of it.
fn legend_name(name: &str, x: f64, y: f64) -> Html {
    html! {
        <text
            class="legend" stroke="none" font-family="sans-serif" font-size="13" fill="#1c2026"
            x={format!("{x:.1}")} y={format!("{y:.1}")}
        >
            { name }
        </text>
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

    fn line(name: &str, points: &[(u32, f64)]) -> Line {
        Line { name: name.into(), points: points.to_vec(), published: false, look: 0 }
    }

    fn picture(lines: Vec<Line>) -> String {
        picture_in(Room::Medium, lines)
    }

    fn picture_in(room: Room, lines: Vec<Line>) -> String {
        let looks = lines.into_iter().enumerate();
        let lines: Rc<[Line]> = looks.map(|(look, line)| Line { look, ..line }).collect();
        rendered(Language::English, html! { <Picture id="picture" {lines} title="times" {room} /> })
    }

    #[test]
    fn draws_each_value_at_its_place() {
        let points = [(8, 0.1), (9, 1.0), (10, 10.0)];
        let lines = [line("a <b>", &points), line("c", &points)];
        let svg = picture(lines.to_vec());
        assert_eq!(svg.matches("<title>").count(), 6);
        assert_eq!(svg.matches("class=\"legend\"").count(), 2);
        assert!(svg.contains("a &lt;b&gt;") && svg.contains("N = 10, 10.0 s"), "{svg}");
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
                // Hollow marks have no lines.
                .filter(|(lines, _)| *lines > 0)
                .collect();
            paths
        };
        let dotted = Some("2 4".to_owned());
        let gap = line("a", &points);
        assert_eq!(paths(gap.clone()), [(2, None), (1, dotted.clone())]);
        assert_eq!(paths(line("a", &points[..2])), [(1, None)]);
        let published = Line { published: true, ..gap.clone() };
        assert_eq!(paths(published.clone()), [(3, dotted)]);
        assert_eq!([has_gap(&gap), has_gap(&published)], [true, false]);
        assert!(!has_gap(&line("a", &points[..2])));
        // The marks of published figures are hollow, also in the legend.
        let hollow = |line| picture(vec![line]).matches("fill=\"none\"").count();
        assert_eq!(hollow(published), 1 + points.len() + 1);
    }

    #[test]
    fn the_legend_has_no_outline_without_a_stylesheet() {
        let svg = picture(vec![line("a", &[(8, 0.1)])]);
        let legend = &elements(&svg, "class=\"legend\"")[0];
        assert_eq!(legend.attribute("stroke").as_deref(), Some("none"));
    }

    /// Returns the names of the legend from top to bottom, each with its x and its y coordinate.
    fn legend(svg: &str) -> Vec<(String, [f64; 2])> {
        let mut names: Vec<_> = elements(svg, "class=\"legend\"")
            .iter()
            .map(|name| {
                let at: [f64; 2] =
                    ["x", "y"].map(|axis| name.attribute(axis).unwrap().parse().unwrap());
                (name.content(), at)
            })
            .collect();
        names.sort_by(|a, b| a.1[1].total_cmp(&b.1[1]));
        names
    }

    #[test]
    fn a_legend_beside_the_plot_follows_the_ends_of_the_lines() {
        let ends = [("low", 0.1), ("high", 90.0), ("middle", 3.0), ("almost high", 89.0)];
        let lines = ends.map(|(name, end)| line(name, &[(8, 0.1), (9, end)]));
        let svg = picture_in(Room::Wide, lines.to_vec());
        assert!(svg.contains("viewBox=\"0 0 960 390\""), "{svg}");
        let legend = legend(&svg);
        let names = legend.iter().map(|(name, _)| name.as_str());
        assert_eq!(names.collect::<Vec<_>>(), ["high", "almost high", "middle", "low"]);
        assert!(legend.iter().all(|&(_, [x, _])| x == 716.0), "{legend:?}");
        let places: Vec<f64> = legend.iter().map(|&(_, [_, y])| y).collect();
        assert!(places.windows(2).all(|two| two[1] - two[0] >= LEGEND_LINE), "{places:?}");
        // A name that no other one moves is at the height of its line: that of the lowest value is the foot.
        assert_eq!(places[3], 350.0);
        assert!((places[2] - 176.9).abs() < 30.0, "{places:?}");
    }

    #[test]
    fn a_long_legend_beside_the_plot_makes_the_picture_higher() {
        let name = "A name that is too long · for the legend, which wraps it · cpu × 2";
        let lines = |count| vec![line(name, &[(8, 0.1), (9, 0.2)]); count];
        for count in [3, 5, 30] {
            let svg = picture_in(Room::Wide, lines(count));
            let legend = legend(&svg);
            let (first, last) = (legend[0].1[1], legend.last().unwrap().1[1]);
            let view_box = elements(&svg, "viewBox")[0].attribute("viewBox").unwrap();
            let bottom: f64 = view_box.rsplit(' ').next().unwrap().parse().unwrap();
            assert!(first >= FIRST_BASELINE && last <= bottom, "{count}: {first} to {last}");
            assert_eq!(bottom > 390.0, count == 30, "{count}: {bottom}");
            let gap = |two: &[(String, [f64; 2])]| two[1].1[1] - two[0].1[1];
            assert!(legend.windows(2).all(|two| gap(two) > LEGEND_LINE - 0.1), "{legend:?}");
        }
    }

    #[test]
    fn a_single_board_is_in_the_middle() {
        let svg = picture(vec![line("a", &[(16, 2.0)]), line("b", &[(16, 5.0)])]);
        // The plot is 78 to 746 wide.
        assert_eq!(svg.matches("d=\"M412.0 ").count(), 3 + 2, "ticks, points and lines: {svg}");
        assert!(!svg.contains(">17<"), "{svg}");
    }

    #[test]
    fn joins_many_marks_into_one_element() {
        let points: Vec<_> = (1..=30).map(|n| (n, f64::from(n))).collect();
        let lines = |count| vec![line("a", &points); count];
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
