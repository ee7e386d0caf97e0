//! The chart of a count: the time of each board against N. The chart grows while the count runs.

use std::rc::Rc;

use queens_core::Method;
use yew::prelude::*;

use super::model::TimeLine;
use super::names::method_name;
use crate::parts::chart::model::{Line, Point};
use crate::parts::chart::{Chart, Room};
use crate::words::{Language, duration, tr};

/// Renders the chart with its caption; nothing without two points to compare.
pub fn chart(language: Language, lines: &[TimeLine], room: Room) -> Html {
    if lines.iter().map(|line| line.done.len() + line.expected.len()).sum::<usize>() < 2 {
        return html! {};
    }
    let title = tr!(language, "count.chart");
    html! {
        <figure class="count-chart">
            <h2>{ &title }</h2>
            <Chart id="count-chart" lines={drawn(language, lines)} {title} {room} />
            <figcaption class="soft">{ tr!(language, "count.chart-caption") }</figcaption>
        </figure>
    }
}

/// Returns the lines of the chart. The points of expected times are open.
fn drawn(language: Language, lines: &[TimeLine]) -> Rc<[Line]> {
    let drawn = lines.iter().enumerate().map(|(index, line)| {
        let name = method_name(language, line.method, line.has_others.then_some(line.executor));
        let point = |&(n, value): &(u32, f64), is_open| Point {
            n,
            value,
            is_open,
            text: text(language, &name, (n, value), is_open),
        };
        let done = line.done.iter().map(|done| point(done, false));
        let mut points: Vec<Point> =
            done.chain(line.expected.iter().map(|expected| point(expected, true))).collect();
        points.sort_by_key(|point| point.n);
        // A method keeps its look when others are added.
        let earlier = lines.iter().take(index).filter(|other| other.method == line.method).count();
        let all = Method::ALL.len();
        let look = all.saturating_sub(line.method.number() as usize) + all * earlier;
        Line { name, points, look }
    });
    drawn.collect()
}

/// Returns the method, N and time of a mark in words.
fn text(language: Language, method: &str, (n, seconds): (u32, f64), is_expected: bool) -> String {
    let time = duration(language, seconds);
    if is_expected {
        tr!(language, "count.chart-expected", method = method, n = n, time = time)
    } else {
        tr!(language, "count.chart-counted", method = method, n = n, time = time)
    }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;
    use crate::words::plain;
    use crate::worker::Executor;

    fn line(method: Method) -> TimeLine {
        TimeLine {
            method,
            executor: Executor::Workers(2),
            has_others: false,
            done: vec![(9, 0.02), (12, 3.0)],
            expected: vec![(11, 1.0)],
        }
    }

    #[test]
    fn counted_and_expected_times_are_in_the_order_of_n() {
        let said = |language| {
            let lines = drawn(language, &[line(Method::Colours)]);
            let points = lines[0].points.iter();
            points.map(|point| (point.is_open, plain(&point.text))).collect::<Vec<_>>()
        };
        let expected = [
            (false, "15 Colour join, N = 9: 20.0 ms"),
            (true, "15 Colour join, N = 11: about 1.00 s expected"),
            (false, "15 Colour join, N = 12: 3.00 s"),
        ];
        let expected = expected.map(|(is_open, text)| (is_open, text.to_owned()));
        assert_eq!(said(Language::English), expected);
        let japanese = "15 色別の数え上げ、N = 11：約 1.00 秒の見込み";
        assert_eq!(said(Language::Japanese)[1].1, japanese);
    }
}
