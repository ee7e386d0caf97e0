//! Compares several results: draws their chart, table and forecast.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
};

use queens_core::{known::known, notation::grouped};

use super::{
    chart::{self, Line},
    choosers,
    published::figures,
    words::{Words, escaped},
};
use crate::protocol::{Chart, Drawing, Field, Point, Quantity};

/// The shortest time in seconds that a forecast uses. Below it, the resolution of the clock matters
/// more than the count.
const MEASURABLE: f64 = 0.001;
/// The largest and the smallest number of boards on which a forecast is based.
const BASIS: [usize; 2] = [5, 3];

/// Counts of one kind on one machine.
struct Series {
    name: String,
    /// The ids of its results.
    ids: Vec<String>,
    /// The number of solutions and the shortest time in seconds, by N.
    boards: BTreeMap<u32, (u64, f64)>,
    /// The source of published figures; `None` for results of the page.
    source: Option<String>,
}

/// Draws a chart with its controls, table and forecasts.
pub fn draw(chart: &Chart) -> Drawing {
    let words = Words::new(&chart.words);
    let above = choosers::filters(&words, chart);
    Drawing { above, ..compared(&words, chart).unwrap_or_default() }
}

/// Compares the listed results; returns `None` if no result is listed.
fn compared(words: &Words, chart: &Chart) -> Option<Drawing> {
    let list = &chart.list;
    let listed = |field: Field, point: &Point| ["", point.field(field)].contains(&list.get(field));
    let is_listed = |point: &&Point| Field::FILTERS.into_iter().all(|field| listed(field, point));
    let points: Vec<&Point> =
        chart.points.iter().filter(|point| point.whole).filter(is_listed).collect();
    let mut all = of_results(&points);
    let base = list.get(Field::Base);
    // The chosen series keeps its id, even if another of its results now comes first.
    let id = |series: &Series| {
        series.ids.iter().find(|id| *id == base).unwrap_or(&series.ids[0]).clone()
    };
    let own: Vec<(String, String)> =
        all.iter().map(|series| (id(series), series.name.clone())).collect();
    if !list.get(Field::Published).is_empty() {
        all.extend(of_others(words));
    }
    let chosen = |series: &&Series| series.ids.iter().any(|id| id == base);
    let base = all.iter().find(chosen).or(all.first())?;
    let base = (base.name.clone(), base.boards.clone());
    let shows: Quantity = list.get(Field::Chart).parse().unwrap_or_default();
    let value = |n: u32, (total, seconds): (u64, f64)| match shows {
        Quantity::Time => Some(seconds),
        Quantity::Rate => Some(total as f64 / seconds),
        Quantity::SpeedUp => base.1.get(&n).map(|(_, other)| other / seconds),
    };
    let write = |value: f64| match shows {
        Quantity::Time => words.time(value),
        Quantity::Rate => rate(words, value),
        Quantity::SpeedUp => factor(value),
    };
    let mut lines = Vec::new();
    let mut forecasts = Vec::new();
    for series in &all {
        let said =
            |n: u32, value: f64| format!("{}: N = {n}, {}", escaped(&series.name), write(value));
        let points = series.boards.iter().filter_map(|(&n, &board)| {
            let value = value(n, board).filter(|value| *value > 0.0)?;
            Some((n, value, said(n, value)))
        });
        let forecast = forecast(series).filter(|_| shows == Quantity::Time);
        let next = forecast.as_ref().map(|next| {
            (
                next.n,
                next.seconds,
                words.say(
                    "results.chart.next-mark",
                    &[("n", &next.n), ("time", &words.time(next.seconds))],
                ),
            )
        });
        forecasts.extend(forecast.map(|next| next.sentence(words, &series.name)));
        let line = Line {
            name: series.name.clone(),
            points: points.collect(),
            next,
            published: series.source.is_some(),
        };
        if !line.points.is_empty() {
            lines.push(line);
        }
    }
    // Published figures are shown only together with a result.
    if own.is_empty() || lines.is_empty() {
        return None;
    }
    let tick = |value: f64| match shows {
        Quantity::Time => span(words, value),
        Quantity::Rate => rate(words, value),
        Quantity::SpeedUp => factor(value),
    };
    let (svg, sides) = chart::draw(&lines, chart.narrow, tick);
    let title = match shows {
        Quantity::Time => words.say("results.chart.title-time", &[]),
        Quantity::Rate => words.say("results.chart.title-rate", &[]),
        Quantity::SpeedUp => words.say("results.chart.title-speed-up", &[("name", &base.0)]),
    };
    let [width, height] = sides;
    let mut html = choosers::of_chart(words, list, shows, &own);
    let _ = write!(
        html,
        "<figure><figcaption>{title}</figcaption><svg class=\"chart-picture\" viewBox=\"0 0 {width} {height}\" \
         role=\"img\" aria-label=\"{title}\">{svg}</svg></figure>"
    );
    let sources: Vec<_> =
        all.iter().filter_map(|series| Some((&series.name, series.source.as_ref()?))).collect();
    // Writing to a string cannot fail.
    if !forecasts.is_empty() {
        let lines: String = forecasts.iter().map(|line| format!("<li>{line}</li>")).collect();
        let _ = write!(
            html,
            "<h3>{}</h3><ul class=\"forecasts\">{lines}</ul>",
            words.say("results.chart.next", &[])
        );
    }
    if !sources.is_empty() {
        let _ = write!(
            html,
            "<h3>{}</h3><ul class=\"sources\">",
            words.say("results.chart.sources", &[])
        );
        for (name, source) in sources {
            let _ = write!(
                html,
                "<li>{}: <a href=\"{source}\" rel=\"noreferrer\">{source}</a></li>",
                escaped(name)
            );
        }
        html.push_str("</ul>");
    }
    html.push_str(&table(words, &title, &lines, write));
    let svg = (chart::file(&svg, sides), sides);
    html.push_str(&choosers::save(words, "chart"));
    Some(Drawing { html, svg, csv: csv(&all), ..Drawing::default() })
}

/// Groups results into series. The name of a series omits the device if all results share it, and
/// the form if all results of the method share it.
fn of_results(points: &[&Point]) -> Vec<Series> {
    let one_device = points.iter().all(|point| point.device == points[0].device);
    let mut forms: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for point in points {
        forms.entry(&point.method).or_default().insert(&point.form);
    }
    let mut all: BTreeMap<String, Series> = BTreeMap::new();
    for point in points {
        let backend = point.field(Field::Backend);
        let mut name = point.method.clone();
        if forms[point.method.as_str()].len() > 1 {
            name = format!("{name} · {}", point.form);
        }
        name = format!("{name} · {backend} × {}", point.threads);
        if !one_device && !point.device.is_empty() {
            name = format!("{name} · {}", point.device);
        }
        let series = all.entry(name.clone()).or_insert_with(|| Series {
            name,
            ids: vec![],
            boards: BTreeMap::new(),
            source: None,
        });
        let n = point.field(Field::N).parse().unwrap_or_default();
        series.ids.push(point.id.clone());
        // A time of zero cannot be compared.
        if point.seconds > 0.0 {
            let board = series.boards.entry(n).or_insert((point.total, point.seconds));
            board.1 = board.1.min(point.seconds);
        }
    }
    all.into_values().collect()
}

/// Returns the published figures as series.
fn of_others(words: &Words) -> impl Iterator<Item = Series> {
    figures().into_iter().map(|figures| {
        let name = figures.name(words);
        let boards = figures.seconds.into_iter();
        let boards = boards.filter_map(|(n, seconds)| Some((n, (known(n)?.total(), seconds))));
        Series { name, ids: vec![], boards: boards.collect(), source: Some(figures.source) }
    })
}

/// An estimate of the time for the next board of a series.
#[derive(Debug, PartialEq)]
struct Forecast {
    n: u32,
    seconds: f64,
    /// The estimates by the smallest and by the largest growth factor.
    range: [f64; 2],
    /// The first and the last N of the boards on which the estimate is based.
    basis: [u32; 2],
    /// The average growth factor from one board to the next.
    factor: f64,
}

/// Forecasts the time of the next board. The growth factor from one board to the next changes
/// slowly; even and odd boards may differ in it, which widens the range.
fn forecast(series: &Series) -> Option<Forecast> {
    let [most, least] = BASIS;
    let mut basis: Vec<(u32, f64)> = Vec::new();
    for (&n, &(_, seconds)) in series.boards.iter().rev() {
        let follows = basis.last().is_none_or(|&(next, _)| n + 1 == next);
        if !follows || seconds < MEASURABLE || basis.len() == most {
            break;
        }
        basis.push((n, seconds));
    }
    if series.source.is_some() || basis.len() < least {
        return None;
    }
    let (&(last, seconds), &(first, _)) = (basis.first()?, basis.last()?);
    let factors: Vec<f64> = basis.windows(2).map(|two| two[0].1 / two[1].1).collect();
    let mean = factors.iter().map(|factor| factor.ln()).sum::<f64>() / factors.len() as f64;
    let by = |pick: fn(f64, f64) -> f64, start| seconds * factors.iter().copied().fold(start, pick);
    Some(Forecast {
        n: last + 1,
        seconds: seconds * mean.exp(),
        range: [by(f64::min, f64::INFINITY), by(f64::max, 0.0)],
        basis: [first, last],
        factor: mean.exp(),
    })
}

impl Forecast {
    fn sentence(&self, words: &Words, name: &str) -> String {
        let [least, most] = self.range.map(|seconds| words.time(seconds));
        let [from, to] = self.basis;
        words.say(
            "results.chart.forecast",
            &[
                ("name", &name),
                ("n", &self.n),
                ("time", &words.time(self.seconds)),
                ("least", &least),
                ("most", &most),
                ("from", &from),
                ("to", &to),
                ("factor", &format!("{:.1}", self.factor)),
            ],
        )
    }
}

/// Draws the chart's values as a table, with a row per N and a column per series.
fn table(words: &Words, title: &str, lines: &[Line], write: impl Fn(f64) -> String) -> String {
    let mut html = format!(
        "<details><summary>{}</summary><div class=\"wide-frame\" tabindex=\"0\" role=\"region\" \
         aria-label=\"{title}\"><table class=\"result-table\"><caption class=\"hidden-text\">{title}</caption>\
         <thead><tr><th scope=\"col\">N</th>",
        words.say("results.chart.table", &[])
    );
    for line in lines {
        let _ = write!(html, "<th scope=\"col\" class=\"number\">{}</th>", escaped(&line.name));
    }
    html.push_str("</tr></thead><tbody>");
    let mut rows: BTreeMap<u32, Vec<Option<f64>>> = BTreeMap::new();
    for (column, line) in lines.iter().enumerate() {
        for &(n, value, _) in &line.points {
            let row = rows.entry(n).or_insert_with(|| vec![None; lines.len()]);
            row[column] = Some(value);
        }
    }
    for (n, row) in rows {
        let _ = write!(html, "<tr><th scope=\"row\">{n}</th>");
        for value in row {
            let value = value.map_or_else(|| "–".to_owned(), &write);
            let _ = write!(html, "<td class=\"number\">{value}</td>");
        }
        html.push_str("</tr>");
    }
    html.push_str("</tbody></table></div></details>");
    html
}

/// Returns a CSV line for each N of each series.
fn csv(all: &[Series]) -> String {
    let mut csv = String::from("series,n,total,seconds,solutions_per_second,source\r\n");
    for Series { name, boards, source, .. } in all {
        for (n, (total, seconds)) in boards {
            let _ = write!(
                csv,
                "{},{n},{total},{seconds},{},{}\r\n",
                quoted(name),
                *total as f64 / seconds,
                source.as_deref().unwrap_or_default()
            );
        }
    }
    csv
}

/// Quotes a field for CSV (RFC 4180).
fn quoted(field: &str) -> String {
    // The apostrophe keeps spreadsheets from evaluating the text as a formula.
    let field = if field.starts_with(['=', '+', '-', '@']) {
        format!("'{field}")
    } else {
        field.to_owned()
    };
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field
    }
}

/// A rounded time for an axis label.
fn span(words: &Words, seconds: f64) -> String {
    let say = |key: &str, value: String| words.say(key, &[("s", &value)]);
    let rounded = |value: f64| ((value * 100.0).round() / 100.0).to_string();
    match seconds {
        s if s < 0.000_999 => say("results.time.microseconds", rounded(s * 1e6)),
        s if s < 0.999 => say("results.time.milliseconds", rounded(s * 1e3)),
        s if s < 9_999.0 => say("results.time.seconds", rounded(s)),
        s => say("results.time.seconds", format!("10{}", raised(s.log10().round() as i32))),
    }
}

/// A rate in solutions per second.
fn rate(words: &Words, value: f64) -> String {
    let power = value.log10().floor() as i32;
    let digits = value / 10_f64.powi(power);
    let number = if value < 9_999.0 {
        ((value * 10.0).round() / 10.0).to_string()
    } else if (digits - 1.0).abs() < 0.005 {
        format!("10{}", raised(power))
    } else {
        format!("{digits:.2}·10{}", raised(power))
    };
    words.say("results.chart.per-second", &[("rate", &number)])
}

/// A speed-up factor.
fn factor(value: f64) -> String {
    match value {
        value if value >= 100.0 => format!("× {}", grouped(value.round() as u64)),
        value if value >= 10.0 => format!("× {}", (value * 10.0).round() / 10.0),
        value => format!("× {}", (value * 1000.0).round() / 1000.0),
    }
}

/// An integer as superscript digits.
fn raised(power: i32) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let digits = power.to_string();
    digits
        .chars()
        .map(|digit| digit.to_digit(10).map_or('⁻', |digit| DIGITS[digit as usize]))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Listing;

    fn point(id: &str, n: u32, method: &str, seconds: f64) -> Point {
        let fields = [n.to_string(), method.into(), "cpu".into(), "here".into()];
        Point {
            id: id.into(),
            fields,
            method: method.into(),
            form: "iterative".into(),
            device: "this".into(),
            threads: 2,
            whole: true,
            total: known(n).unwrap().total(),
            seconds,
        }
    }

    fn chart(shows: Quantity) -> Chart {
        let points = vec![
            point("a", 10, "slow", 0.4),
            point("b", 11, "slow", 2.0),
            point("c", 12, "slow", 12.0),
            point("d", 12, "slow", 15.0),
            point("e", 12, "quick", 0.5),
            Point { whole: false, ..point("f", 12, "part", 0.1) },
        ];
        let list = Listing::default().with(Field::Chart, shows.id()).with(Field::Base, "c");
        Chart { words: String::new(), list, points, narrow: false }
    }

    fn series(points: &[Point]) -> Vec<Series> {
        of_results(&points.iter().filter(|point| point.whole).collect::<Vec<_>>())
    }

    #[test]
    fn a_chart_shows_the_shortest_time_of_each_line() {
        let drawing = draw(&chart(Quantity::Time));
        let lines: Vec<&str> = drawing.csv.lines().collect();
        assert_eq!(lines.len(), 5);
        assert!(lines[1].starts_with("quick · cpu × 2,12,14200,0.5,28400,"), "{}", lines[1]);
        assert!(lines[4].starts_with("slow · cpu × 2,12,14200,12,"), "{}", lines[4]);
        // Four values and one forecast of the long series.
        assert_eq!(drawing.svg.0.matches("<title>").count(), 5);
        assert!(drawing.html.contains("results.chart.forecast"));
    }

    #[test]
    fn speed_up_is_over_the_chosen_result() {
        let drawing = draw(&chart(Quantity::SpeedUp));
        assert!(
            drawing.html.contains(">× 24<") && drawing.html.contains(">× 1<"),
            "{}",
            drawing.html
        );
        assert!(!drawing.html.contains("forecast"));
    }

    #[test]
    fn the_next_board_is_foretold_from_the_last_ones() {
        let all = series(&chart(Quantity::Time).points);
        assert_eq!(forecast(&all[0]), None, "one board is no basis");
        let next = forecast(&all[1]).unwrap();
        assert_eq!((next.n, next.basis), (13, [10, 12]));
        assert!((next.range[0] - 60.0).abs() < 1e-9 && (next.range[1] - 72.0).abs() < 1e-9);
        assert!(next.range[0] < next.seconds && next.seconds < next.range[1]);
        // A gap between boards ends the basis of a forecast.
        let gap = [point("a", 10, "x", 1.0), point("b", 12, "x", 9.0), point("c", 13, "x", 50.0)];
        assert_eq!(forecast(&series(&gap)[0]), None);
    }

    #[test]
    fn published_figures_are_named_with_their_sources() {
        let chart = chart(Quantity::Rate);
        let list = chart.list.clone().with(Field::Published, "1");
        let drawing = draw(&Chart { list, ..chart });
        for Series { name, source, .. } in of_others(&Words::new("")) {
            let source = source.unwrap();
            assert!(drawing.html.contains(&source) && drawing.html.contains(&name), "{name}");
            assert!(drawing.csv.contains(&source));
        }
    }

    #[test]
    fn devices_are_told_where_there_are_several() {
        let mut points = chart(Quantity::Time).points;
        points[4].device = "that".into();
        let names: Vec<String> = series(&points).into_iter().map(|series| series.name).collect();
        assert_eq!(names, ["quick · cpu × 2 · that", "slow · cpu × 2 · this"]);
    }

    #[test]
    fn forms_are_told_where_a_method_has_both() {
        let mut points = chart(Quantity::Time).points;
        points[3].form = "recursive".into();
        let all = series(&points);
        let lines: Vec<_> = all.iter().map(|series| (&*series.name, series.ids.len())).collect();
        let slow = [("slow · iterative · cpu × 2", 3), ("slow · recursive · cpu × 2", 1)];
        assert_eq!(lines, [("quick · cpu × 2", 1), slow[0], slow[1]]);
    }

    #[test]
    fn what_others_are_compared_with_stays_chosen_when_there_is_news() {
        // The second result of the series `slow` is chosen, although another result now comes
        // first.
        let drawing = draw(&chart(Quantity::SpeedUp));
        assert!(drawing.html.contains("<option value=\"c\" selected>slow"), "{}", drawing.html);
        assert!(drawing.html.contains("<option value=\"e\">quick"), "{}", drawing.html);
    }

    #[test]
    fn only_what_is_listed_is_compared() {
        let only = |field, value: &str| {
            let chart = chart(Quantity::Time);
            let list = chart.list.clone().with(field, value);
            draw(&Chart { list, ..chart })
        };
        assert_eq!(only(Field::Method, "quick").csv.lines().count(), 2);
        assert_eq!(only(Field::N, "12").csv.lines().count(), 3);
        // A filter that matches no result can still be cleared.
        let none = only(Field::Machine, "<elsewhere>");
        assert!(none.html.is_empty() && none.above.contains("&lt;elsewhere&gt;"), "{none:?}");
    }

    #[test]
    fn axis_labels_and_values_are_short() {
        let lines = "results.time.microseconds\t%{s} µs\nresults.time.milliseconds\t%{s} ms\n\
                     results.time.seconds\t%{s} 秒\nresults.chart.per-second\t%{rate}/秒";
        let words = Words::new(lines);
        assert_eq!(
            [0.00001, 0.5, 1000.0, 1e6].map(|seconds| span(&words, seconds)),
            ["10 µs", "500 ms", "1000 秒", "10⁶ 秒"]
        );
        assert_eq!(
            [10.0, 1e9, 2.5e7].map(|value| rate(&words, value)),
            ["10/秒", "10⁹/秒", "2.50·10⁷/秒"]
        );
        assert_eq!([factor(0.25), factor(24.04), factor(1234.0)], ["× 0.25", "× 24", "× 1,234"]);
        assert_eq!(quoted("=a,\"b\""), "\"'=a,\"\"b\"\"\"");
    }
}
