//! The chart of a count: the time of each board against N. The chart grows while the count runs.

use std::cell::RefCell;
use std::rc::Rc;

use queens_state::count::{MEASURABLE, TimeLine, UnfinishedPoint};
use queens_state::results::{Looks, time_tick};
use yew::prelude::*;

use super::names::method_name;
use crate::parts::marks::{Mark, Marked, Value};
use crate::parts::plot::{Look, Plot, axes};
use crate::words::{Language, duration, is_wide, tr, use_language};
use crate::worker::Executor;

/// The height of the area between the axes.
const HEIGHT: f64 = 250.0;
/// The room above it for the label of a time at its top.
const ABOVE: f64 = 14.0;
/// The height of a line of the legend.
const LEGEND_LINE: f64 = 21.0;

#[derive(Properties, PartialEq)]
pub struct Props {
    pub lines: Rc<[TimeLine]>,
    /// Whether the window has the width of a phone.
    pub narrow: bool,
    /// The key of the mark that is chosen from the start, for tests.
    #[prop_or_default]
    pub chosen: Option<String>,
}

/// The chart with its captions; nothing without points.
#[component]
pub fn Chart(props: &Props) -> Html {
    let language = use_language();
    let Props { lines, narrow, chosen } = props;
    let Some(layout) = Layout::new(language, lines, *narrow) else { return html! {} };
    let title = tr!(language, "count.chart");
    let marks: Rc<[Mark]> = lines
        .iter()
        .zip(looks(lines))
        .enumerate()
        .flat_map(|(index, (line, look))| marks(&layout.plot, index, line, look))
        .collect();
    let value = {
        let (lines, marks) = (Rc::clone(lines), Rc::clone(&marks));
        Callback::from(move |index: usize| {
            let mark = marks.get(index)?;
            let text = title_of(language, lines.get(mark.line)?, mark.n)?;
            Some(Value { text, link: html! {}, spoken: String::new() })
        })
    };
    html! {
        <figure class="count-chart">
            <h2>{ &title }</h2>
            <Marked
                id="count" view_box={layout.view_box()} {marks} {value} {title}
                hint={tr!(language, "count.chart-choose")} chosen={chosen.clone()}
            >
                <Picture lines={Rc::clone(lines)} narrow={*narrow} />
            </Marked>
            <figcaption><span class="soft">{ explanation(language, lines) }</span></figcaption>
        </figure>
    }
}

thread_local! {
    /// The looks of all lines that the page has shown.
    static LOOKS: RefCell<Looks> = RefCell::default();
}

/// Returns the look of each line, which it keeps when other lines come and go.
fn looks(lines: &[TimeLine]) -> Vec<Look> {
    let keys: Vec<String> = lines.iter().map(|line| key(line, 0)).collect();
    LOOKS.with_borrow_mut(|looks| {
        let methods = lines.iter().map(|line| Some(line.method));
        looks.add(keys.iter().map(String::as_str).zip(methods));
        keys.iter().map(|key| Look::of_line(looks.get(key))).collect()
    })
}

/// The positions in the picture.
struct Layout {
    plot: Plot,
    columns: usize,
    /// The number of lines of the legend.
    rows: usize,
}

impl Layout {
    /// Returns the layout of lines, or `None` without points.
    fn new(language: Language, lines: &[TimeLine], narrow: bool) -> Option<Layout> {
        let points: Vec<_> = lines.iter().flat_map(TimeLine::points).collect();
        if points.is_empty() {
            return None;
        }
        let plot = Plot::new(&points, HEIGHT, narrow);
        let columns = legend_columns(language, lines, plot.width);
        // A single line needs no legend, because the form and the progress name its method.
        let rows = if lines.len() > 1 { lines.len().div_ceil(columns) } else { 0 };
        Some(Layout { plot, columns, rows })
    }

    fn view_box(&self) -> [f64; 4] {
        let bottom = self.plot.bottom() + self.rows as f64 * LEGEND_LINE;
        [0.0, -ABOVE, self.plot.width, bottom + ABOVE]
    }

    /// Returns the place of a line's name in the legend.
    fn legend(&self, index: usize) -> [f64; 2] {
        let Layout { plot, columns, .. } = self;
        [
            plot.width / *columns as f64 * (index % columns) as f64 + 12.0,
            plot.bottom() + (index / columns) as f64 * LEGEND_LINE + 8.0,
        ]
    }
}

#[derive(Properties, PartialEq)]
struct PictureProps {
    lines: Rc<[TimeLine]>,
    narrow: bool,
}

/// The picture, which stays the same when a mark is chosen.
#[component]
fn Picture(props: &PictureProps) -> Html {
    let language = use_language();
    let lines = &props.lines;
    let Some(layout) = Layout::new(language, lines, props.narrow) else { return html! {} };
    let plot = &layout.plot;
    let drawn = lines.iter().zip(looks(lines)).enumerate().map(|(index, (line, look))| {
        html! {
            <g
                key={key(line, 0)} class={look.class} fill={look.colour} stroke={look.colour}
                stroke-width="2" data-method={line.method.id()}
            >
                { paths(plot, line) }
                { for line.current.iter().map(|current| growing(plot, current)) }
                { for times(line).into_iter().map(|time| mark(language, plot, line, look, time)) }
                if layout.rows > 0 {
                    { legend(language, line, look, layout.legend(index)) }
                } else {
                    { labels(language, plot, line) }
                }
            </g>
        }
    });
    html! {
        <svg
            id="count-chart" class="chart-picture" viewBox={layout.view_box().map(|each| each.to_string()).join(" ")}
            role="group" aria-label={tr!(language, "count.chart")}
        >
            { axes(language, plot) }
            { for drawn }
        </svg>
    }
}

/// The space for the mark of a name in the legend.
const LEGEND_MARK: f64 = 34.0;

/// Returns the number of columns of the legend, at most 3, so that the longest name fits into one.
fn legend_columns(language: Language, lines: &[TimeLine], available: f64) -> usize {
    let longest = lines.iter().map(|line| text_width(&name(language, line))).fold(0.0, f64::max);
    let fitting = available / (longest + LEGEND_MARK);
    (fitting as usize).clamp(1, 3)
}

/// A marked point of the chart: N and the time of a board in seconds.
#[derive(Clone, Copy)]
enum Time {
    Counted((u32, f64)),
    Expected((u32, f64)),
}

impl Time {
    const fn point(self) -> (u32, f64) {
        match self {
            Time::Counted(point) | Time::Expected(point) => point,
        }
    }

    const fn is_counted(self) -> bool {
        matches!(self, Time::Counted(_))
    }
}

/// Returns the marked points of a line, in ascending order of N.
fn times(line: &TimeLine) -> Vec<Time> {
    let current = line.current.iter();
    let current = current.filter_map(|current| Some(shown((current.n, current.expected?))));
    let expected = line.expected.iter().copied().chain(current).map(Time::Expected);
    let mut times: Vec<_> = line.done.iter().copied().map(Time::Counted).chain(expected).collect();
    times.sort_by_key(|time| time.point().0);
    times
}

/// Returns the marks of a line, in ascending order of N.
fn marks(plot: &Plot, index: usize, line: &TimeLine, look: Look) -> Vec<Mark> {
    let mark = |time: Time| {
        let (n, _) = time.point();
        Mark { key: key(line, n), line: index, n, at: plot.place(time.point()), look }
    };
    times(line).into_iter().map(mark).collect()
}

/// Returns the key of a line's mark.
fn key(line: &TimeLine, n: u32) -> String {
    let executor = match line.executor {
        Executor::Workers(count) => count.to_string(),
        Executor::WebGpu => "gpu".to_owned(),
    };
    format!("time-{}-{executor}-{n}", line.method.id())
}

/// Returns the method, N and time of a mark in words.
fn title_of(language: Language, line: &TimeLine, n: u32) -> Option<String> {
    let time = times(line).into_iter().find(|time| time.point().0 == n)?;
    Some(title_of_time(language, line, time))
}

fn title_of_time(language: Language, line: &TimeLine, time: Time) -> String {
    match time {
        Time::Counted(point) => counted_title(language, line, point),
        Time::Expected(point) => expected_title(language, line, point),
    }
}

/// Explains the looks of the lines that are drawn, and the axis.
fn explanation(language: Language, lines: &[TimeLine]) -> String {
    let is_dashed = |line: &TimeLine| {
        let times = times(line);
        times.len() > 1 && !times.iter().all(|time| time.is_counted())
    };
    let mut sentences = vec![];
    if lines.iter().any(|line| !line.done.is_empty()) {
        sentences.push(tr!(language, "count.chart-solid"));
    }
    if lines.iter().any(is_dashed) {
        sentences.push(tr!(language, "count.chart-dashed"));
    }
    if lines.iter().any(|line| line.done.iter().chain(&line.expected).any(is_at_foot)) {
        sentences.push(tr!(language, "count.chart-foot", time = measurable(language)));
    }
    sentences.push(tr!(language, "count.chart-more"));
    sentences.join(language.space())
}

/// Whether a time is too short to measure. Its point is at the bottom of the chart, whatever the time was.
fn is_at_foot(&(_, seconds): &(u32, f64)) -> bool {
    seconds <= MEASURABLE
}

/// Draws the line: solid from one counted board to the next, and dashed from or to an expected one.
fn paths(plot: &Plot, line: &TimeLine) -> Html {
    let times = times(line);
    let (mut solid, mut dashed) = (String::new(), String::new());
    for (from, to) in times.iter().zip(times.iter().skip(1)) {
        let path = if from.is_counted() && to.is_counted() { &mut solid } else { &mut dashed };
        path.push_str(&plot.path([from, to].map(|time| shown(time.point())).into_iter()));
    }
    html! {
        <>
            <path class="counted" d={solid} fill="none" pointer-events="none" />
            <path class="expected" d={dashed} fill="none" stroke-dasharray="6 5" pointer-events="none" />
        </>
    }
}

/// Returns a point as drawn: a time that is too short to measure becomes the shortest measurable time.
fn shown((n, seconds): (u32, f64)) -> (u32, f64) {
    (n, seconds.max(MEASURABLE))
}

/// Renders the mark of a time with its title. The mark of an expected time is hollow.
fn mark(language: Language, plot: &Plot, line: &TimeLine, look: Look, time: Time) -> Html {
    let point = time.point();
    let title = title_of_time(language, line, time);
    let n = Some(point.0.to_string());
    let (counted, expected, fill) =
        if time.is_counted() { (n, None, None) } else { (None, n, Some("none")) };
    html! {
        <g key={point.0} class="point" {fill} data-n={counted} data-expected={expected} role="img">
            <title>{ title }</title>
            <path pointer-events="all" d={plot.mark(point, look)} />
        </g>
    }
}

/// Draws the time of the current board so far as a column.
fn growing(plot: &Plot, current: &UnfinishedPoint) -> Html {
    let (x, top) = (plot.x(current.n), plot.y(current.elapsed.max(MEASURABLE)));
    let foot = plot.foot();
    html! {
        <path
            id="count-growing" class="growing" data-n={current.n.to_string()} stroke-width="8"
            stroke-opacity="0.45" pointer-events="none" d={format!("M{x:.1} {foot}V{top:.1}")}
        />
    }
}

fn counted_title(language: Language, line: &TimeLine, (n, seconds): (u32, f64)) -> String {
    let method = name(language, line);
    tr!(language, "count.chart-counted", method = method, n = n, time = time(language, seconds))
}

fn expected_title(language: Language, line: &TimeLine, (n, seconds): (u32, f64)) -> String {
    let method = name(language, line);
    let (key, time) = if seconds <= MEASURABLE {
        ("count.chart-expected-short", measurable(language))
    } else {
        ("count.chart-expected", duration(language, seconds))
    };
    tr!(language, key, method = method, n = n, time = time)
}

/// The largest distance of a counted board's label above its own mark. A label that is farther away does not
/// seem to belong to the mark.
const FARTHEST: f64 = 48.0;
/// The height of a label.
const LABEL_HEIGHT: f64 = 14.0;

/// A text next to a mark.
struct Label {
    text: String,
    anchor: &'static str,
    x: f64,
    /// The baseline of the text.
    y: f64,
    /// The left and the right end of the text with the gap to its mark.
    ends: [f64; 2],
}

/// Returns the approximate width of a text in the picture.
fn text_width(text: &str) -> f64 {
    text.chars().map(|letter| if is_wide(letter) { 13.5 } else { 8.0 }).sum()
}

impl Label {
    /// Places a text above the mark of a point and above the line, `points`, where it passes below the text:
    /// left of the mark or, if the axis is there, right of it.
    fn new(plot: &Plot, points: &[(u32, f64)], (n, seconds): (u32, f64), text: String) -> Label {
        let width = text_width(&text);
        let x = plot.x(n);
        let is_left = x - 10.0 - width > plot.x(plot.first()) - 12.0;
        let (anchor, x, ends) = if is_left {
            ("end", x - 10.0, [x - 10.0 - width, x])
        } else {
            ("start", x + 10.0, [x, x + 10.0 + width])
        };
        let positions: Vec<_> = points.iter().map(|&(n, time)| [plot.x(n), plot.y(time)]).collect();
        let marks = positions.iter().filter(|[x, _]| (ends[0] - 6.0..=ends[1] + 6.0).contains(x));
        let crossings = positions.iter().zip(positions.iter().skip(1)).flat_map(|(a, b)| {
            let inside = ends.into_iter().filter(|end| (a[0]..=b[0]).contains(end));
            inside.map(|end| a[1] + (b[1] - a[1]) * (end - a[0]) / (b[0] - a[0]))
        });
        let top = marks.map(|&[_, y]| y).chain(crossings).fold(plot.y(seconds), f64::min);
        Label { text, anchor, x, y: top - 8.0, ends }
    }

    fn overlaps(&self, other: &Label) -> bool {
        self.ends[0] < other.ends[1]
            && other.ends[0] < self.ends[1]
            && (self.y - other.y).abs() < LABEL_HEIGHT
    }

    fn render(&self) -> Html {
        let &Label { ref text, anchor, x, y, .. } = self;
        html! {
            <text
                class="legend" stroke="none" fill="#1c2026" font-family="sans-serif" font-size="13"
                text-anchor={anchor} x={format!("{x:.1}")} y={format!("{y:.1}")}
            >
                { text.clone() }
            </text>
        }
    }
}

/// Renders the times of the largest counted and of the largest expected board next to their marks.
fn labels(language: Language, plot: &Plot, line: &TimeLine) -> Html {
    let times = times(line);
    let points: Vec<_> = times.iter().map(|time| time.point()).collect();
    let last = times.iter().rfind(|time| !time.is_counted()).map(|time| time.point());
    let last = last.map(|point| Label::new(plot, &points, point, about(language, point.1)));
    let counted = line
        .done
        .last()
        .map(|&point| (plot.y(point.1), Label::new(plot, &points, point, time(language, point.1))));
    let counted = counted.filter(|(y, label)| {
        y - label.y <= FARTHEST && last.as_ref().is_none_or(|last| !last.overlaps(label))
    });
    html! {
        <>
            { for counted.map(|(_, label)| label.render()) }
            { for last.map(|label| label.render()) }
        </>
    }
}

/// Renders the mark and the name of a method.
fn legend(language: Language, line: &TimeLine, look: Look, [x, y]: [f64; 2]) -> Html {
    html! {
        <>
            <path d={format!("M{x:.1} {:.1}{}", y - 4.0, look.mark)} />
            <text
                class="legend" stroke="none" fill="#1c2026" font-family="sans-serif" font-size="13"
                x={format!("{:.1}", x + 14.0)} y={format!("{y:.1}")}
            >
                { name(language, line) }
            </text>
        </>
    }
}

/// Returns the name of a line: its method, with the executor if several lines have this method.
fn name(language: Language, line: &TimeLine) -> String {
    method_name(language, line.method, line.has_others.then_some(line.executor))
}

/// Formats an expected time as approximate, unless it is too short to measure.
fn about(language: Language, seconds: f64) -> String {
    let time = time(language, seconds);
    if seconds <= MEASURABLE { time } else { tr!(language, "count.about", time = time) }
}

/// Formats the shortest time that can be measured, which is a round number.
fn measurable(language: Language) -> String {
    time_tick(language, MEASURABLE)
}

fn time(language: Language, seconds: f64) -> String {
    if seconds <= MEASURABLE {
        tr!(language, "count.short", time = measurable(language))
    } else {
        duration(language, seconds)
    }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use std::collections::{HashMap, HashSet};

    use queens_core::Method;

    use super::*;
    use crate::parts::rendered::{Tag, elements, rendered, texts};
    use crate::words::plain;
    use crate::worker::Executor;

    fn line(method: Method) -> TimeLine {
        TimeLine {
            method,
            executor: Executor::Workers(2),
            has_others: false,
            done: vec![(8, MEASURABLE), (9, 0.02)],
            current: Some(UnfinishedPoint { n: 10, elapsed: 0.02, expected: Some(0.1) }),
            expected: vec![(11, 1.0)],
        }
    }

    fn chart(language: Language, lines: &[TimeLine], narrow: bool) -> String {
        rendered(language, html! { <Chart lines={Rc::from(lines)} {narrow} /> })
    }

    fn drawn(lines: &[TimeLine]) -> String {
        chart(Language::English, lines, false)
    }

    fn path(html: &str, class: &str) -> String {
        let found = elements(html, &format!("class=\"{class}\""));
        found[0].attribute("d").unwrap()
    }

    #[test]
    fn the_line_is_solid_between_counted_boards() {
        let html = drawn(&[line(Method::Colours)]);
        assert_eq!(path(&html, "counted").matches('L').count(), 1, "8 to 9");
        assert_eq!(path(&html, "expected").matches('L').count(), 2, "9 to 10 and 10 to 11");
        assert_eq!(elements(&html, "data-n=\"9\"").len(), 1);
        assert_eq!(elements(&html, "data-expected=\"10\"").len(), 1);
        let fills = ["data-n=\"9\"", "data-expected=\"10\"", "data-expected=\"11\""]
            .map(|mark| elements(&html, mark)[0].attribute("fill"));
        assert_eq!(fills.each_ref().map(Option::as_deref), [None, Some("none"), Some("none")]);
        // From the shortest time at the foot to 1 s at the top.
        assert!(path(&html, "counted").starts_with("M90.0 260.0L"), "{html}");
        let said = texts(&html);
        assert!(said.contains("N = 8: less than 10 ms") && said.contains("about 1.00 s"), "{said}");
    }

    #[test]
    fn the_longest_name_fits_into_a_column_of_the_legend() {
        for language in Language::ALL {
            let [one, two] = [1, 2].map(|count| TimeLine {
                executor: Executor::Workers(count),
                has_others: true,
                ..line(Method::Colours)
            });
            for (lines, narrow) in [
                ([line(Method::Symmetry), line(Method::Bitmap), line(Method::Mirror)], false),
                ([line(Method::Symmetry), one.clone(), two.clone()], false),
                ([line(Method::Symmetry), one, two], true),
            ] {
                let html = chart(language, &lines, narrow);
                let picture = if narrow { 350.0 } else { 760.0 };
                let names = elements(&html, "class=\"legend\"");
                let mut places: Vec<(String, f64, f64)> = names
                    .iter()
                    .map(|name| {
                        let at = |axis| name.attribute(axis).unwrap().parse().unwrap();
                        (name.content(), at("y"), at("x"))
                    })
                    .collect();
                places.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.2.total_cmp(&b.2)));
                for (index, (name, y, x)) in places.iter().enumerate() {
                    let next = places.get(index + 1).filter(|next| next.1 == *y);
                    let end = next.map_or(picture, |next| next.2 - 20.0);
                    assert!(x + text_width(name.trim()) <= end, "{places:?}");
                }
            }
        }
    }

    #[test]
    fn a_chosen_mark_has_a_ring_and_its_time_above_the_picture() {
        let lines: Rc<[TimeLine]> = [line(Method::Symmetry), line(Method::Colours)].into();
        let found = |language, chosen: Option<&str>| {
            let (lines, chosen) = (Rc::clone(&lines), chosen.map(str::to_owned));
            let html = rendered(language, html! { <Chart {lines} narrow=false {chosen} /> });
            assert!(html.find("id=\"count-value\"") < html.find("class=\"chart-frame\""), "{html}");
            let value = elements(&html, "id=\"count-value\"")[0].inner();
            let stops = elements(&html, "tabindex=\"0\"");
            let [stop] = &stops[..] else { panic!("{html}") };
            assert_eq!(plain(&stop.attribute("aria-valuetext").unwrap()), texts(value).trim());
            (texts(value).trim().to_owned(), stop.attribute("data-key"))
        };
        let [english, japanese] = Language::ALL;
        let hint = plain(&tr!(english, "count.chart-choose"));
        assert_eq!(found(english, None), (hint.clone(), None));
        for (language, key, value) in [
            (english, "time-colours-2-9", "15 Colour join, N = 9: 20.0 ms"),
            (english, "time-colours-2-10", "15 Colour join, N = 10: about 100 ms expected"),
            (
                japanese,
                "time-colours-2-11",
                "15 色別の数え上げ（白黒の照合）、N = 11：約 1.00 秒の見込み",
            ),
        ] {
            assert_eq!(found(language, Some(key)), (value.to_owned(), Some(key.to_owned())));
        }
        // A mark that no longer exists is not chosen.
        assert_eq!(found(english, Some("time-colours-2-20")).0, hint);
    }

    #[test]
    fn the_label_of_the_smallest_board_is_right_of_it() {
        let html = drawn(&[TimeLine {
            done: vec![(8, 0.01)],
            current: None,
            expected: vec![(9, 0.02), (10, 0.1)],
            ..line(Method::Colours)
        }]);
        let labels = elements(&html, "class=\"legend\"");
        let anchors: Vec<_> =
            labels.iter().map(|label| label.attribute("text-anchor").unwrap()).collect();
        assert_eq!(anchors, ["start", "end"], "{html}");
        // The mark of N = 8 is at 90.
        assert_eq!(labels[0].attribute("x").unwrap(), "100.0");
    }

    /// Asserts that no line and no mark is in the box of a label, and that there are `count` labels.
    fn assert_labels_are_clear(line: &TimeLine, narrow: bool, count: usize) {
        for language in Language::ALL {
            let html = chart(language, std::slice::from_ref(line), narrow);
            let mut drawn = vec![];
            for class in ["counted", "expected"] {
                for segment in path(&html, class).split('M').filter(|part| part.contains('L')) {
                    let ends = segment.split(['L', ' ']).map(|number| number.parse().unwrap());
                    let [x, y, to_x, to_y]: [f64; 4] = ends.collect::<Vec<_>>().try_into().unwrap();
                    let share = |step: i32| f64::from(step) / 100.0;
                    let points =
                        (0..=100).map(|i| [x + (to_x - x) * share(i), y + (to_y - y) * share(i)]);
                    drawn.extend(points);
                }
            }
            let labels = elements(&html, "class=\"legend\"");
            assert_eq!(labels.len(), count, "{html}");
            for label in labels {
                let [x, y] =
                    ["x", "y"].map(|name| label.attribute(name).unwrap().parse::<f64>().unwrap());
                let letters = label.content().chars().count() as f64;
                let width = if language == Language::English { 6.0 } else { 8.0 } * letters;
                let is_left = label.attribute("text-anchor").as_deref() == Some("end");
                let [left, right] = if is_left { [x - width, x] } else { [x, x + width] };
                let is_inside = |&&[px, py]: &&[f64; 2]| {
                    (left..=right).contains(&px) && (y - 10.0..=y + 4.0).contains(&py)
                };
                assert_eq!(drawn.iter().find(is_inside), None, "{html}");
            }
        }
    }

    #[test]
    fn a_label_is_above_a_line_that_falls_towards_its_mark() {
        let mut falling = TimeLine {
            done: vec![(8, 0.01), (9, 0.5)],
            current: None,
            expected: vec![(10, 0.02)],
            ..line(Method::Colours)
        };
        assert_labels_are_clear(&falling, false, 2);
        // A counted board that took less time than the ones before.
        let times = [0.01, 0.01, 0.02, 0.04, 0.1, 0.4, 2.0, 5.0, 4.0];
        falling.done = (8..).zip(times).collect();
        falling.expected.clear();
        assert_labels_are_clear(&falling, true, 1);
        assert_labels_are_clear(&falling, false, 1);
    }

    #[test]
    fn a_long_label_does_not_lie_on_other_marks() {
        let times = [0.01, 0.01, 0.02, 0.04, 0.1, 0.4, 2.0, 5.0];
        let line = TimeLine {
            done: (8..).zip(times).collect(),
            current: Some(UnfinishedPoint { n: 16, elapsed: 60.0, expected: Some(83.0) }),
            expected: vec![(17, 83.0)],
            ..line(Method::Colours)
        };
        assert_labels_are_clear(&line, true, 2);
        assert_labels_are_clear(&line, false, 2);
    }

    #[test]
    fn the_caption_explains_only_what_is_drawn() {
        let caption = |line: TimeLine| {
            let said = texts(&drawn(&[line]));
            [said.contains("Solid:"), said.contains("Dashed:")]
        };
        let both = line(Method::Colours);
        assert_eq!(caption(both.clone()), [true, true]);
        let counted = TimeLine { current: None, expected: vec![], ..both.clone() };
        assert_eq!(caption(counted), [true, false]);
        let expected = TimeLine { done: vec![], ..both.clone() };
        assert_eq!(caption(expected), [false, true]);
        let one = TimeLine { done: vec![], current: None, ..both };
        assert_eq!(caption(one), [false, false]);
    }

    #[test]
    fn the_caption_explains_times_at_the_foot() {
        let caption = |done: [(u32, f64); 2]| {
            texts(&drawn(&[TimeLine { done: done.into(), ..line(Method::Colours) }]))
        };
        let sentence = "At the bottom: less than 10 ms.";
        assert!(caption([(8, MEASURABLE), (9, 0.02)]).contains(sentence));
        assert!(!caption([(8, 0.011), (9, 0.02)]).contains(sentence));
    }

    #[test]
    fn an_expected_time_that_is_too_short_is_not_approximate() {
        let short = TimeLine {
            done: vec![(8, 0.01)],
            current: None,
            expected: vec![(10, MEASURABLE)],
            ..line(Method::Colours)
        };
        for (language, title, label) in [
            (Language::English, "N = 10: less than 10 ms expected", "less than 10 ms"),
            (Language::Japanese, "未満の見込み", "未満"),
        ] {
            let html = chart(language, std::slice::from_ref(&short), false);
            let said = texts(&html);
            assert!(said.contains(title), "{said}");
            assert!(!said.contains("about") && !said.contains('約'), "{said}");
            let labels = elements(&html, "class=\"legend\"");
            assert!(labels[1].content().ends_with(label), "{html}");
        }
    }

    #[test]
    fn the_column_of_the_current_board_grows() {
        let mut line = line(Method::Colours);
        let top = |line: &TimeLine| {
            let path = path(&drawn(std::slice::from_ref(line)), "growing");
            path.split_once('V').unwrap().1.parse::<f64>().unwrap()
        };
        let before = top(&line);
        line.current.as_mut().unwrap().elapsed = 0.05;
        assert!(top(&line) < before - 10.0, "{} from {before}", top(&line));
        // A board that has just begun has no height.
        line.current.as_mut().unwrap().elapsed = 0.0;
        assert_eq!(top(&line), 260.0);
    }

    #[test]
    fn a_method_keeps_its_colour_when_others_are_added() {
        let colours = |methods: &[Method]| {
            let lines: Vec<_> = methods.iter().map(|&method| line(method)).collect();
            let html = drawn(&lines);
            let groups = elements(&html, "data-method");
            let colour =
                |group: &Tag<'_>| (group.attribute("data-method"), group.attribute("fill"));
            groups.iter().map(colour).collect::<HashMap<_, _>>()
        };
        let join = Some("colours".to_owned());
        let alone = colours(&[Method::Colours])[&join].clone();
        let several = colours(&[Method::Bitmap, Method::Symmetry, Method::Colours]);
        assert_eq!(several[&join], alone);
        assert_eq!(several.values().collect::<HashSet<_>>().len(), 3, "{several:?}");
    }

    #[test]
    fn several_methods_have_a_legend() {
        let html = drawn(&[line(Method::Symmetry), line(Method::Colours)]);
        let names = ["14 Symmetry", "15 Colour join"];
        let legend: Vec<_> = elements(&html, "class=\"legend\"");
        assert!(legend.iter().map(|text| text.content()).eq(names), "{html}");
        assert_eq!(drawn(&[]), "");
    }
}
