//! The picture of a chart with a single N: a bar for each line, with its name and its value.

use std::rc::Rc;

use queens_state::results::{Line, Quantity};
use yew::prelude::*;

use super::picture::{LEGEND_LINE, LETTER, Props, Room, legend_name, text, wrapped};
use crate::parts::marks::Mark;
use crate::parts::plot::Look;
use crate::words::{Language, use_language, width};

/// The height of a bar.
const BAR: f64 = 20.0;
/// The space between a bar and the next one or its name.
const SPACE: f64 = 10.0;
/// The space between a bar and its value, in which the ring around a chosen mark has room.
const BEFORE_VALUE: f64 = 14.0;
/// The largest width of the names.
const NAMES: f64 = 300.0;

/// Returns the N of all points, if they have only one.
pub fn board(lines: &[Line]) -> Option<u32> {
    let mut boards = lines.iter().flat_map(|line| &line.points).map(|&(n, _)| n);
    let first = boards.next()?;
    boards.all(|n| n == first).then_some(first)
}

/// Returns lines of a single point each, in ascending order of their values.
pub fn sorted(lines: &[Line]) -> Rc<[Line]> {
    let mut lines = lines.to_vec();
    lines.sort_by(|a, b| value(a).total_cmp(&value(b)));
    lines.into()
}

fn value(line: &Line) -> f64 {
    line.points.first().map_or(0.0, |&(_, value)| value)
}

/// The positions in the picture.
pub struct Layout {
    width: f64,
    /// The x coordinate of the value 0.
    zero: f64,
    bars: Vec<Bar>,
    /// The height of the picture.
    bottom: f64,
}

/// The positions of a bar.
struct Bar {
    names: Vec<String>,
    /// The baseline of the first line of its name.
    baseline: f64,
    /// The x coordinate of the bar's end.
    end: f64,
    /// The y coordinate of the bar's middle.
    middle: f64,
    /// The y coordinates of the upper and the lower end of the bar and its name.
    row: [f64; 2],
    /// The value in words.
    label: String,
}

impl Layout {
    /// Lays out lines of a single point each. On a phone, the names are above the bars.
    pub fn new(language: Language, lines: &[Line], quantity: Quantity, room: Room) -> Layout {
        let width = room.width();
        let longest = |texts: &mut dyn Iterator<Item = usize>| texts.max().unwrap_or(0) as f64;
        let names = longest(&mut lines.iter().map(|line| self::width(&line.name))) * LETTER;
        let is_phone = room == Room::Phone;
        let (zero, for_names) = if is_phone {
            (SPACE, width - 2.0 * SPACE)
        } else {
            let names = names.min(NAMES);
            (names + 2.0 * SPACE, names)
        };
        let labels: Vec<_> =
            lines.iter().map(|line| quantity.text(language, value(line))).collect();
        let for_labels = longest(&mut labels.iter().map(|label| self::width(label))) * LETTER;
        let longest_bar = width - zero - for_labels - 2.0 * SPACE;
        let largest = lines.iter().map(value).fold(0.0, f64::max);
        let mut bottom = 0.0;
        let bars = lines.iter().zip(labels).map(|(line, label)| {
            let names = wrapped(language, &line.name, (for_names / LETTER) as usize);
            let height = names.len() as f64 * LEGEND_LINE;
            let (baseline, middle, height) = if is_phone {
                (bottom + 15.0, bottom + height + BAR / 2.0, height + BAR)
            } else {
                let height = height.max(BAR);
                let middle = bottom + height / 2.0;
                (middle + 4.5 - (names.len() - 1) as f64 * LEGEND_LINE / 2.0, middle, height)
            };
            let row = [bottom, bottom + height];
            bottom += height + SPACE;
            let end = zero + longest_bar * value(line) / largest;
            Bar { names, baseline, end, middle, row, label }
        });
        let bars = bars.collect();
        Layout { width, zero, bars, bottom }
    }

    pub fn view_box(&self) -> [f64; 4] {
        [0.0, 0.0, self.width, self.bottom]
    }

    /// Returns a mark at the end of each bar, which the pointer chooses anywhere on the bar or its name.
    pub fn marks(&self, lines: &[Line]) -> Rc<[Mark]> {
        let marks = lines.iter().zip(&self.bars).enumerate().filter_map(|(index, (line, bar))| {
            let &(n, _) = line.points.first()?;
            Some(Mark {
                key: format!("{}-{n}", line.name),
                line: index,
                n,
                at: [bar.end, bar.middle],
                area: Some([[0.0, bar.row[0]], [self.width, bar.row[1]]]),
                look: Look::of_line(line.look),
            })
        });
        marks.collect()
    }
}

/// The bars, on a linear scale from 0. The lines have a single point each, in the order of their bars.
#[component]
pub fn Bars(props: &Props) -> Html {
    let language = use_language();
    let Props { id, quantity, lines, title, room } = props;
    let Layout { width, zero, bars, bottom } = Layout::new(language, lines, *quantity, *room);
    let drawn = lines.iter().zip(&bars).map(|(line, bar)| {
        let Bar { names, baseline, end, middle, label, .. } = bar;
        let zero = &zero;
        let look = Look::of_line(line.look);
        let top = middle - BAR / 2.0;
        let title = line.points.first().and_then(|&(n, _)| text(language, line, n, *quantity));
        let is_left = *room != Room::Phone;
        let name = names.iter().enumerate().map(|(row, name)| {
            let y = baseline + row as f64 * LEGEND_LINE;
            if is_left {
                legend_name(name, "end", zero - SPACE, y)
            } else {
                legend_name(name, "start", *zero, y)
            }
        });
        html! {
            <g class={look.class} fill={look.colour} stroke={look.colour} stroke-width="0">
                <path d={format!("M{zero:.1} {top:.1}H{end:.1}v{BAR}H{zero:.1}z")}>
                    <title>{ title }</title>
                </path>
                { for name }
                { legend_name(label, "start", end + BEFORE_VALUE, middle + 4.5) }
            </g>
        }
    });
    html! {
        <svg
            id={*id} class="chart-picture" viewBox={format!("0 0 {width} {bottom}")}
            role="img" aria-label={title}
        >
            { for drawn }
            <g class="axes" stroke="#d8d3c6"><path d={format!("M{zero:.1} 0V{bottom:.1}")} /></g>
        </svg>
    }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;
    use crate::parts::rendered::{elements, rendered};

    fn line(name: &str, value: f64) -> Line {
        let (name, points) = (name.into(), vec![(12, value)]);
        Line { name, points, next: None, no_next: None, published: false, look: 0 }
    }

    #[test]
    fn only_a_single_board_has_bars() {
        let lines = [line("a", 2.0), line("b", 1.0)];
        assert_eq!(board(&lines), Some(12));
        let other = Line { points: vec![(13, 4.0)], ..line("c", 4.0) };
        assert_eq!(board(&[lines[0].clone(), other]), None);
        assert_eq!(board(&[]), None);
    }

    #[test]
    fn bars_begin_at_zero_and_fit_with_their_texts() {
        let long = "A name that is too long · for the names, which wrap it · cpu × 2";
        let lines = sorted(&[line("c", 8.0), line(long, 4.0), line("b", 1.0)]);
        for room in [Room::Phone, Room::Medium, Room::Wide] {
            let layout = Layout::new(Language::English, &lines, Quantity::Time, room);
            let lengths: Vec<f64> = layout.bars.iter().map(|bar| bar.end - layout.zero).collect();
            let [first, second, third] = lengths[..] else { panic!("{lengths:?}") };
            assert!((second - 4.0 * first).abs() < 1e-9 && (third - 2.0 * second).abs() < 1e-9);
            let last = layout.bars.last().unwrap();
            let label = last.label.len() as f64 * LETTER;
            assert!(last.end + BEFORE_VALUE + label <= room.width(), "{}", last.end);
            let (lines, quantity) = (Rc::clone(&lines), Quantity::Time);
            let svg = rendered(
                Language::English,
                html! { <Bars id="bars" {quantity} {lines} title="times" {room} /> },
            );
            for text in elements(&svg, "class=\"legend\"") {
                let at = |name| text.attribute(name).unwrap();
                let (x, y): (f64, f64) = (at("x").parse().unwrap(), at("y").parse().unwrap());
                let width = text.content().chars().count() as f64 * LETTER;
                let is_end = at("text-anchor") == "end";
                let ends = if is_end { [x - width, x] } else { [x, x + width] };
                assert!(ends[0] >= 0.0 && ends[1] <= room.width(), "{svg}");
                assert!(y > 10.0 && y < layout.bottom, "{svg}");
            }
        }
    }

    #[test]
    fn a_bar_is_chosen_on_its_whole_row() {
        let lines = sorted(&[line("a", 2.0), line("b", 1.0)]);
        let layout = Layout::new(Language::English, &lines, Quantity::Time, Room::Wide);
        let marks = layout.marks(&lines);
        assert_eq!(marks.iter().map(|mark| &*mark.key).collect::<Vec<_>>(), ["b-12", "a-12"]);
        assert_eq!(marks[0].area, Some([[0.0, 0.0], [960.0, BAR.max(LEGEND_LINE)]]));
        // On a phone, the name is above the bar.
        let layout = Layout::new(Language::English, &lines, Quantity::Time, Room::Phone);
        let phone = layout.marks(&lines);
        assert_eq!(phone[0].area, Some([[0.0, 0.0], [350.0, LEGEND_LINE + BAR]]));
        assert!(marks[1].at[1] - marks[0].at[1] > BAR, "{marks:?}");
    }
}
