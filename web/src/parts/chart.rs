//! The chart of series of times against N: a logarithmic axis, lines, marks with their values as tooltips, and a
//! legend.
//!
//! The project draws the picture itself. The charting crate plotters, which is used most with Rust,
//! writes fixed colours where two themes need classes, and measures text through elements with
//! inline styles, which the page's policy forbids.

pub mod model;

use std::rc::Rc;

use gloo_events::EventListener;
use queens_worker::LogScale;
use yew::prelude::*;

use super::deferred::use_slices;
use crate::browser::{media_matches, window};
use crate::parts::chart::model::{Line, Point, time_tick, time_ticks};
use crate::words::{Language, use_language, width};

/// The number of colours of lines.
const COLOURS: usize = 8;

/// The marks: closed paths around the current point. Their shapes differ as well as the colours of the lines.
const MARKS: [&str; 8] = [
    "m-4-4h8v8h-8z",
    "m0-5.5l5.5 5.5-5.5 5.5-5.5-5.5z",
    "m0-5l5 9h-10z",
    "m0 5l5-9h-10z",
    "m-5 0a5 5 0 0 1 10 0a5 5 0 0 1-10 0z",
    "m-5-1.5h3.5v-3.5h3v3.5h3.5v3h-3.5v3.5h-3v-3.5h-3.5z",
    "m-2.5-5h5l2.5 5-2.5 5h-5l-2.5-5z",
    "m-5-4h10l-5 4 5 4h-10l5-4z",
];

/// The height of the area between the axes.
const HEIGHT: f64 = 280.0;
/// The space around it: above, at the right, below, at the left.
const MARGINS: [f64; 4] = [10.0, 14.0, 40.0, 78.0];
/// The height of a line of the legend.
const LEGEND_LINE: f64 = 21.0;
/// The approximate width of a letter of the legend. SVG cannot wrap a text, so long names are wrapped by
/// their number of letters.
const LETTER: f64 = 8.0;
/// The space for the mark of a name in the legend.
const LEGEND_MARK: f64 = 30.0;
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

/// The room for the chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    Phone,
    Medium,
    /// There is room for the legend at the right of the plot.
    Wide,
}

impl Room {
    /// Returns the room of a chart as wide as this window.
    pub fn of_window() -> Room {
        if media_matches("(min-width: 72rem)") { Room::Wide } else { Room::of_column() }
    }

    /// Returns the room of a chart in a column of this window.
    pub fn of_column() -> Room {
        if media_matches("(max-width: 40rem)") { Room::Phone } else { Room::Medium }
    }

    const fn width(self) -> f64 {
        match self {
            Room::Phone => 350.0,
            Room::Medium => 760.0,
            Room::Wide => 1280.0,
        }
    }
}

/// Returns the room by `of`, also after the window has changed its size.
#[hook]
pub fn use_room(of: fn() -> Room) -> Room {
    let room = use_state_eq(of);
    let setter = room.setter();
    use_effect_with((), move |()| {
        let resized = move |_: &Event| setter.set(of());
        let listener = window().map(|window| EventListener::new(&window, "resize", resized));
        || drop(listener)
    });
    *room
}

#[derive(Properties, PartialEq)]
pub struct Props {
    /// The id of the `<svg>` element.
    pub id: &'static str,
    pub lines: Rc<[Line]>,
    pub title: AttrValue,
    pub room: Room,
}

/// The chart. The name of a line is in the legend, unless it is empty.
#[component]
pub fn Chart(props: &Props) -> Html {
    let language = use_language();
    let Props { id, lines, title, room } = props;
    let Layout { plot, legends, width, bottom } = Layout::new(language, lines, *room);
    let few = lines.iter().map(|line| line.points.len()).sum::<usize>() <= MAX_MARKS;
    let shown = use_slices(lines.len(), SLICE, SLICE);
    let drawn = lines.iter().zip(legends).take(shown).map(|(line, name)| {
        let (class, shape) = look(line.look);
        let mark = |point: &Point| format!("M{}{shape}", plot.at(point));
        let fill = |is_open: bool| is_open.then_some("none");
        let is_open = line.points.iter().all(|point| point.is_open);
        let marks = line.points.iter().map(|point| {
            html! { <path d={mark(point)} fill={fill(point.is_open)}><title>{ &point.text }</title></path> }
        });
        html! {
            <g {class} stroke-width="2">
                { path_of(&plot, line) }
                if few {
                    { for marks }
                } else {
                    <path d={line.points.iter().map(mark).collect::<String>()} fill={fill(is_open)} />
                }
                if !line.name.is_empty() {
                    { legend(shape, &name, fill(is_open)) }
                }
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

/// Returns the class, which sets the colour, and the mark of a line. Line 8 has the colour of line 0, but another mark.
fn look(index: usize) -> (String, &'static str) {
    let mark = MARKS[(index + index / COLOURS) % MARKS.len()];
    (format!("line line-{}", index % COLOURS), mark)
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
        let width = room.width();
        let is_beside = room == Room::Wide;
        let plot_width = if is_beside { width - LEGEND - BEFORE_LEGEND } else { width };
        let plot = Plot::new(lines, plot_width);
        if is_beside {
            let mut legends = legends(language, lines, width - LEGEND, LEGEND);
            let bottom = plot.bottom().max(at_ends(&plot, lines, &mut legends));
            return Layout { plot, legends, width, bottom };
        }
        let (legends, bottom) = below(language, lines, width, plot.bottom());
        Layout { plot, legends, width, bottom }
    }
}

/// Returns the name of each line in a legend with this left end and width.
fn legends(language: Language, lines: &[Line], left: f64, width: f64) -> Vec<Legend> {
    let most = ((width - LEGEND_MARK) / LETTER) as usize;
    let legend = |line: &Line| {
        let names = wrapped(language, &line.name, most);
        Legend { left, baseline: 0.0, names }
    };
    lines.iter().map(legend).collect()
}

/// Places the names below the plot, from the baseline `top` on, in at most three columns into which the longest name
/// fits. Returns the baseline after the last one.
fn below(language: Language, lines: &[Line], available: f64, top: f64) -> (Vec<Legend>, f64) {
    let longest = lines.iter().map(|line| width(&line.name)).max().unwrap_or_default();
    if longest == 0 {
        return (legends(language, lines, 0.0, available), top - LEGEND_LINE / 2.0);
    }
    let columns = (available / (longest as f64 * LETTER + LEGEND_MARK)) as usize;
    let columns = columns.clamp(1, 3);
    let column = available / columns as f64;
    let mut legends = legends(language, lines, 0.0, column);
    let mut baseline = top;
    for row in legends.chunks_mut(columns) {
        for (index, legend) in row.iter_mut().enumerate() {
            (legend.left, legend.baseline) = (index as f64 * column, baseline);
        }
        baseline += row.iter().map(Legend::height).fold(0.0, f64::max);
    }
    (legends, baseline)
}

/// Places each name at the height at which its line ends, and moves names apart where lines end at similar heights.
/// Returns the lower end of the legend.
fn at_ends(plot: &Plot, lines: &[Line], legends: &mut [Legend]) -> f64 {
    let end = |line: &Line| line.points.last().map_or(0.0, |point| plot.y(point.value));
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
    let mut below = FOOT.max(FIRST_BASELINE + height - LEGEND_LINE) + LEGEND_LINE;
    for legend in in_order.iter_mut().rev() {
        legend.baseline = legend.baseline.min(below - legend.height());
        below = legend.baseline;
    }
    in_order.last().map_or(0.0, |last| last.baseline + last.height())
}

/// The y coordinate of the lower end of the plot.
const FOOT: f64 = MARGINS[0] + HEIGHT;

/// The positions of values in the picture.
struct Plot {
    width: f64,
    /// The smallest and the largest N.
    sizes: [u32; 2],
    scale: LogScale,
}

impl Plot {
    fn new(lines: &[Line], width: f64) -> Plot {
        let points = || lines.iter().flat_map(|line| &line.points);
        let least = points().map(|point| point.n).min().unwrap_or(1);
        let most = points().map(|point| point.n).max().unwrap_or(1);
        let scale = LogScale::of(points().map(|point| point.value));
        Plot { width, sizes: [least, most], scale }
    }

    /// Returns the x coordinate of a board. A single board is in the middle.
    fn x(&self, n: u32) -> f64 {
        let [least, most] = self.sizes;
        let [_, right, _, left] = MARGINS;
        let share = if most > least { f64::from(n - least) / f64::from(most - least) } else { 0.5 };
        left + 12.0 + share * (self.width - left - right - 24.0)
    }

    fn y(&self, value: f64) -> f64 {
        FOOT - HEIGHT * self.scale.share(value)
    }

    /// The y coordinate of the lower end of the picture without a legend.
    fn bottom(&self) -> f64 {
        FOOT + MARGINS[2]
    }

    /// Returns the coordinates of a point as path data.
    fn at(&self, point: &Point) -> String {
        format!("{:.1} {:.1}", self.x(point.n), self.y(point.value))
    }
}

/// Renders both axes with their ticks.
fn axes(language: Language, plot: &Plot) -> Html {
    let [_, right, _, left] = MARGINS;
    let end = plot.width - right;
    let text = |anchor: &'static str, x: f64, y: f64, text: String| {
        html! {
            <text stroke="none" text-anchor={anchor} x={format!("{x:.1}")} y={format!("{y:.1}")}>
                { text }
            </text>
        }
    };
    let values = time_ticks(plot.scale).into_iter().map(|value| {
        let y = plot.y(value);
        html! {
            <>
                <path d={format!("M{left} {y:.1}H{end}")} />
                { text("end", left - 8.0, y + 4.5, time_tick(language, value)) }
            </>
        }
    });
    let [least, most] = plot.sizes;
    let most_labels = if plot.width <= Room::Phone.width() { 8 } else { 20 };
    let each = (most - least) as usize / most_labels + 1;
    let sizes = (least..=most).step_by(each).map(|n| {
        let x = plot.x(n);
        html! {
            <>
                <path d={format!("M{x:.1} {FOOT}v5")} />
                { text("middle", x, FOOT + 19.0, n.to_string()) }
            </>
        }
    });
    html! {
        <g class="axes" font-size="13">
            { for values }
            { for sizes }
            { text("end", end, FOOT + 36.0, "N".to_owned()) }
        </g>
    }
}

/// Renders a line through its points. It is dotted across boards without a value, and from and to open points.
fn path_of(plot: &Plot, line: &Line) -> Html {
    let (mut solid, mut dotted) = (String::new(), String::new());
    for (from, to) in line.points.iter().zip(line.points.iter().skip(1)) {
        let is_solid = !from.is_open && !to.is_open && from.n + 1 == to.n;
        let path = if is_solid { &mut solid } else { &mut dotted };
        *path += &format!("M{}L{}", plot.at(from), plot.at(to));
    }
    html! {
        <>
            if !solid.is_empty() { <path d={solid} fill="none" /> }
            if !dotted.is_empty() { <path d={dotted} fill="none" stroke-dasharray="2 4" /> }
        </>
    }
}

/// Renders the mark and the name of a line in the legend.
fn legend(
    mark: &str,
    Legend { left, baseline, names }: &Legend,
    fill: Option<&'static str>,
) -> Html {
    let names = names.iter().enumerate().map(|(row, name)| {
        let (x, y) = (left + 28.0, baseline + row as f64 * LEGEND_LINE);
        html! {
            <text
                class="legend" font-size="13"
                x={format!("{x:.1}")} y={format!("{y:.1}")}
            >
                { name }
            </text>
        }
    });
    html! {
        <>
            <path d={format!("M{:.1} {:.1}{mark}", left + 12.0, baseline - 4.5)} {fill} />
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

    fn line(name: &str, points: &[(u32, f64)]) -> Line {
        let point = |&(n, value)| Point { n, value, is_open: false, text: format!("{name}: {n}") };
        Line { name: name.into(), points: points.iter().map(point).collect(), look: 0 }
    }

    fn open(mut line: Line) -> Line {
        line.points.iter_mut().for_each(|point| point.is_open = true);
        line
    }

    fn picture(lines: Vec<Line>) -> String {
        picture_in(Room::Medium, lines)
    }

    fn picture_in(room: Room, lines: Vec<Line>) -> String {
        let looks = lines.into_iter().enumerate();
        let lines: Rc<[Line]> = looks.map(|(look, line)| Line { look, ..line }).collect();
        let chart = html! { <Chart id="picture" {lines} title="times" {room} /> };
        rendered(Language::English, chart)
    }

    #[test]
    fn draws_each_value_at_its_place() {
        let points = [(8, 0.1), (9, 1.0), (10, 10.0)];
        let svg = picture(vec![line("a <b>", &points), line("c", &points)]);
        assert_eq!(svg.matches("<title>").count(), 6);
        assert_eq!(svg.matches("class=\"legend\"").count(), 2);
        assert!(svg.contains("a &lt;b&gt;") && svg.contains("<title>c: 10</title>"), "{svg}");
        // The smallest value is at the foot, the largest at the top.
        assert!(svg.contains("d=\"M90.0 290.0m") && svg.contains("d=\"M734.0 10.0m"), "{svg}");
    }

    #[test]
    fn a_line_is_dotted_across_boards_without_a_value_and_to_open_points() {
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
        assert_eq!(paths(open(gap.clone())), [(3, dotted.clone())]);
        let mut expected = line("a", &[(8, 0.1), (9, 1.0), (10, 10.0)]);
        expected.points[2].is_open = true;
        assert_eq!(paths(expected.clone()), [(1, None), (1, dotted)]);
        // The legend has a hollow mark only if all values are open.
        let hollow = |line| picture(vec![line]).matches("fill=\"none\"").count();
        assert_eq!((hollow(open(gap)), hollow(expected)), (1 + points.len() + 1, 2 + 1));
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
        assert!(svg.contains("viewBox=\"0 0 1280 330\""), "{svg}");
        let legend = legend(&svg);
        let names = legend.iter().map(|(name, _)| name.as_str());
        assert_eq!(names.collect::<Vec<_>>(), ["high", "almost high", "middle", "low"]);
        assert!(legend.iter().all(|&(_, [x, _])| x == 1036.0), "{legend:?}");
        let places: Vec<f64> = legend.iter().map(|&(_, [_, y])| y).collect();
        assert!(places.windows(2).all(|two| two[1] - two[0] > LEGEND_LINE - 0.1), "{places:?}");
        // A name that no other one moves is at the height of its line: that of the lowest value is the foot.
        assert_eq!(places[3], 290.0);
    }

    #[test]
    fn a_long_legend_beside_the_plot_makes_the_picture_higher() {
        let name = "A name that is too long · for the legend, which wraps it · cpu × 2";
        let lines = |count| vec![line(name, &[(8, 0.1), (9, 0.2)]); count];
        for count in [3, 4, 30] {
            let svg = picture_in(Room::Wide, lines(count));
            let legend = legend(&svg);
            let (first, last) = (legend[0].1[1], legend.last().unwrap().1[1]);
            let view_box = elements(&svg, "viewBox")[0].attribute("viewBox").unwrap();
            let bottom: f64 = view_box.rsplit(' ').next().unwrap().parse().unwrap();
            assert!(first >= FIRST_BASELINE && last <= bottom, "{count}: {first} to {last}");
            assert_eq!(bottom > 330.0, count == 30, "{count}: {bottom}");
            let gap = |two: &[(String, [f64; 2])]| two[1].1[1] - two[0].1[1];
            assert!(legend.windows(2).all(|two| gap(two) > LEGEND_LINE - 0.1), "{legend:?}");
        }
    }

    #[test]
    fn a_legend_below_the_plot_has_columns_for_short_names() {
        let lines = |name: &str| vec![line(name, &[(8, 0.1), (9, 0.2)]); 4];
        for (room, name, columns) in [
            (Room::Medium, "14 Symmetry", 3),
            (Room::Medium, "15 Colour join · 2 workers of many", 2),
            (Room::Phone, "15 Colour join · 2 workers of many", 1),
        ] {
            let legend = legend(&picture_in(room, lines(name)));
            let first_row = legend.iter().filter(|(_, [_, y])| *y == legend[0].1[1]);
            assert_eq!(first_row.count(), columns, "{name}: {legend:?}");
        }
    }

    #[test]
    fn a_single_board_is_in_the_middle() {
        let svg = picture(vec![line("a", &[(16, 2.0)]), line("b", &[(16, 5.0)])]);
        // The plot is 78 to 746 wide.
        assert_eq!(svg.matches("d=\"M412.0 ").count(), 1 + 2, "ticks and points: {svg}");
        assert!(!svg.contains(">17<"), "{svg}");
    }

    #[test]
    fn joins_many_marks_into_one_element() {
        let points: Vec<_> = (1..=30).map(|n| (n, f64::from(n))).collect();
        let lines = |count| vec![line("a", &points); count];
        assert_eq!(picture(lines(10)).matches("<title>").count(), 300);
        let svg = picture(lines(11));
        assert_eq!(svg.matches("<title>").count(), 0);
        assert_eq!(svg.matches(MARKS[0]).count(), 31, "the points and the legend of one line");
        let (_, lines) = svg.split_once("line line-0").unwrap();
        assert_eq!(lines.matches("<path").count(), 3 * 11, "line, marks and legend of each");
    }

    #[test]
    fn a_line_without_a_name_has_no_legend() {
        let svg = picture(vec![line("", &[(8, 0.1), (9, 0.2)])]);
        assert_eq!((legend(&svg).len(), svg.matches("<title>").count()), (0, 2));
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
