//! Series of a chart: the times of all boards that were counted with the same method on the same
//! machine.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use queens_core::document::Header;
use queens_core::known::known;
use queens_worker::measured;

use super::excerpt::shown;
use super::published::Figures;
use crate::parts::chart::model::{Line, Point};
use crate::words::{Language, duration, form_name, method_name, ratio_text, tr};

/// Counts with one method on one machine.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    pub name: String,
    /// The boards of the shown results, by N.
    pub boards: BTreeMap<u32, Board>,
    /// The address of published figures.
    pub source: Option<String>,
}

/// The count of one board.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Board {
    /// The number of solutions.
    pub total: u64,
    /// The shortest time in seconds.
    pub seconds: f64,
}

/// A result that a chart compares.
#[derive(Clone, Copy, Debug)]
pub struct Compared<'a> {
    pub header: &'a Header,
    /// Whether the chart shows the result. A result that the filters hide still determines the names
    /// and the looks of the series.
    pub is_shown: bool,
}

/// All series of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The series with shown results, and published ones last.
    pub series: Vec<Series>,
    /// The times of each series.
    pub lines: Rc<[Line]>,
}

impl Comparison {
    /// Compares results, which must be neither shards nor contradictory, and published figures if `has_published`.
    /// Returns `None` if no shown result has a time.
    pub fn new(
        language: Language,
        results: &[Compared<'_>],
        has_published: bool,
    ) -> Option<Comparison> {
        let mut series = group_by_series(language, results);
        if series.iter().all(|series| series.boards.is_empty()) {
            return None;
        }
        if has_published {
            series.extend(published(language));
        }
        let lines = series.iter().enumerate().map(|(look, series)| series.line(language, look));
        let lines = lines.filter(|line| !line.points.is_empty()).collect();
        series.retain(|series| !series.boards.is_empty());
        Some(Comparison { series, lines })
    }

    /// Says which series was the fastest on the largest board of several series, and by which factor. Two series are
    /// compared on the smallest board of both, too.
    pub fn faster(&self, language: Language) -> String {
        let own = self.series.iter().filter(|series| series.source.is_none());
        let boards: BTreeSet<u32> = own.flat_map(|series| series.boards.keys().copied()).collect();
        let shared: Vec<_> = boards.into_iter().filter_map(|n| self.fastest(n)).collect();
        let (key, shown) = match (self.series.len(), &shared[..]) {
            (2, [first, .., last]) => ("faster", vec![first, last]),
            (2, all) => ("faster", all.iter().collect()),
            (_, all) => ("fastest", all.last().into_iter().collect()),
        };
        let sentences = shown.into_iter().map(|(n, [fast, slow])| {
            let times = ratio_text(slow.0 / fast.0);
            tr!(
                language,
                format!("results.chart.{key}"),
                n = n,
                fast = fast.1,
                slow = slow.1,
                times = times
            )
        });
        sentences.collect::<Vec<_>>().join(language.space())
    }

    /// Returns a board with the times and the names of its two fastest series; `None` if fewer series have it.
    fn fastest(&self, n: u32) -> Option<(u32, [(f64, &str); 2])> {
        let times = self.series.iter().filter_map(|series| {
            let board = series.boards.get(&n)?;
            Some((board.seconds, &*series.name))
        });
        let mut times: Vec<_> = times.collect();
        times.sort_by(|a, b| a.0.total_cmp(&b.0));
        let &[first, second, ..] = &times[..] else { return None };
        Some((n, [first, second]))
    }
}

impl Series {
    /// Returns the line of the times.
    fn line(&self, language: Language, look: usize) -> Line {
        let [colon, comma] = [language.colon(), language.comma()];
        let point = |(&n, board): (&u32, &Board)| {
            let time = duration(language, board.seconds);
            Point {
                n,
                value: board.seconds,
                is_open: self.source.is_some(),
                text: format!("{}{colon}N = {n}{comma}{time}", self.name),
            }
        };
        let points = self.boards.iter().map(point).collect();
        Line { name: self.name.clone(), points, look }
    }
}

/// Groups results into series. The name of a series omits the backend with its threads, and the device, if they are
/// the same for all results, and the form if all results of its method have the same form. The order, and so the looks,
/// are those of the methods and of ids, the same in all languages.
fn group_by_series(language: Language, results: &[Compared<'_>]) -> Vec<Series> {
    let devices: BTreeSet<&str> =
        results.iter().map(|result| result.header.backend.device.as_str()).collect();
    let run = |header: &Header| (header.backend.kind.id(), header.host.threads);
    let runs: BTreeSet<_> = results.iter().map(|result| run(result.header)).collect();
    let mut forms: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for Compared { header, .. } in results {
        forms.entry(header.method.id()).or_default().insert(header.form.id());
    }
    let dot = language.dot();
    let mut all: BTreeMap<(u32, &str, String), Series> = BTreeMap::new();
    for Compared { header, is_shown } in results {
        let backend = &header.backend;
        let mut name = method_name(language, header.method);
        if forms.get(header.method.id()).is_some_and(|forms| forms.len() > 1) {
            name = [&name, dot, &form_name(language, header.form)].concat();
        }
        if runs.len() > 1 {
            let (kind, threads) = run(header);
            name = format!("{name}{dot}{kind} × {threads}");
        }
        if devices.len() > 1 && !backend.device.is_empty() {
            name = [&name, dot, &shown(&backend.device)].concat();
        }
        let key = (header.method.number(), header.form.id(), name.clone());
        let series = all.entry(key).or_insert_with(|| Series {
            name,
            boards: BTreeMap::new(),
            source: None,
        });
        let (total, seconds) = (header.total, measured(header.seconds.get()));
        // A count that took less than the clock can measure cannot be compared.
        if seconds > 0.0 && *is_shown {
            let board = series.boards.entry(header.n.get()).or_insert(Board { total, seconds });
            board.seconds = board.seconds.min(seconds);
        }
    }
    all.into_values().collect()
}

/// Returns the series of published figures.
fn published(language: Language) -> impl Iterator<Item = Series> {
    Figures::all().into_iter().map(move |figures| {
        let name = figures.name(language);
        let boards = figures.seconds.into_iter().filter_map(|(n, seconds)| {
            let total = known(n)?.total();
            Some((n, Board { total, seconds }))
        });
        Series { name, boards: boards.collect(), source: Some(figures.source) }
    })
}

#[cfg(test)]
mod tests {
    use queens_core::document::{Document, Seconds};
    use queens_core::{Form, Method, Size};

    use super::*;
    use crate::words::plain;

    const EIGHT: &str = include_str!("../../../../../tests/data/results/eight.json");

    fn header(n: u32, method: Method, seconds: f64) -> Header {
        let mut header = Document::parse(EIGHT).unwrap().header;
        (header.n, header.method) = (Size::new(n).unwrap(), method);
        (header.total, header.form) = (known(n).unwrap().total(), Form::Iterative);
        header.seconds = Seconds::new(seconds).unwrap();
        (header.host.threads, header.backend.device) = (2, "this".into());
        header
    }

    const SLOW: Method = Method::Mirror;
    const QUICK: Method = Method::Bitmap;

    fn headers() -> [Header; 5] {
        [
            header(10, SLOW, 0.4),
            header(11, SLOW, 2.0),
            header(12, SLOW, 12.0),
            header(12, SLOW, 15.0),
            header(12, QUICK, 0.5),
        ]
    }

    /// Compares results, of which those for N = `n` are shown.
    fn compared(headers: &[Header], n: Option<u32>) -> Option<Comparison> {
        let is_shown = |header: &Header| n.is_none_or(|n| n == header.n.get());
        let results = headers.iter();
        let results = results.map(|header| Compared { header, is_shown: is_shown(header) });
        Comparison::new(Language::English, &results.collect::<Vec<_>>(), false)
    }

    fn names(comparison: &Comparison) -> Vec<&str> {
        comparison.series.iter().map(|series| series.name.as_str()).collect()
    }

    #[test]
    fn a_series_has_the_shortest_time_of_each_board() {
        let comparison = compared(&headers(), None).unwrap();
        let [quick, slow] = &comparison.lines[..] else { panic!("{comparison:?}") };
        let values =
            |line: &Line| line.points.iter().map(|at| (at.n, at.value)).collect::<Vec<_>>();
        assert_eq!(values(quick), [(12, 0.5)]);
        assert_eq!(values(slow), [(10, 0.4), (11, 2.0), (12, 12.0)]);
        assert!(quick.points[0].text.ends_with("Bitmap: N = 12, 500 ms"), "{quick:?}");
    }

    #[test]
    fn says_which_series_was_the_fastest() {
        let mut headers = headers().to_vec();
        let says =
            |headers: &[Header]| plain(&compared(headers, None).unwrap().faster(Language::English));
        let last = "N = 12: Bitmap was 24 times as fast as Mirror.";
        assert_eq!(says(&headers), last);
        headers.push(header(11, QUICK, 4.0));
        let first = "N = 11: Mirror was 2.00 times as fast as Bitmap.";
        assert_eq!(says(&headers), [first, last].join(" "));
        // One series, and three.
        assert_eq!(says(&headers[..3]), "");
        headers.push(header(12, Method::Colours, 0.1));
        let fastest =
            "N = 12: Colour join was the fastest, 5.00 times as fast as the next, Bitmap.";
        assert_eq!(says(&headers), fastest);
    }

    #[test]
    fn times_below_a_nanosecond_have_no_values() {
        let mut headers = headers();
        let tiny = [1e-308, 5e-324, 1e-10];
        for (header, seconds) in headers.iter_mut().zip(tiny) {
            header.seconds = Seconds::new(seconds).unwrap();
        }
        let comparison = compared(&headers, None).unwrap();
        let points = comparison.lines.iter().flat_map(|line| &line.points);
        assert!(points.clone().count() > 0 && points.clone().all(|point| point.n == 12));
        assert_eq!(compared(&headers[..3], None), None);
    }

    #[test]
    fn filters_keep_the_names_and_the_looks_of_series() {
        let mut headers = headers();
        headers[1].backend.device = "that".into();
        let all = compared(&headers, None).unwrap();
        let looks: BTreeSet<_> = all.lines.iter().map(|line| line.look).collect();
        assert_eq!(looks.len(), all.lines.len());
        for n in [10, 12] {
            let filtered = compared(&headers, Some(n)).unwrap();
            for line in &*filtered.lines {
                let same = all.lines.iter().find(|each| each.name == line.name).unwrap();
                assert_eq!(line.look, same.look);
                assert!(line.points.iter().all(|point| point.n == n), "{line:?}");
            }
        }
        assert_eq!(compared(&headers, Some(9)), None);
    }

    #[test]
    fn a_series_has_the_same_look_in_every_language() {
        let mut headers: Vec<Header> =
            Method::ALL.iter().map(|&method| header(12, method, 1.0)).collect();
        headers.push(Header { form: Form::Recursive, ..headers[2].clone() });
        // Times tell the series apart without their names.
        for (header, seconds) in headers.iter_mut().zip(1_u32..) {
            header.seconds = Seconds::new(seconds.into()).unwrap();
        }
        let results: Vec<_> =
            headers.iter().map(|header| Compared { header, is_shown: true }).collect();
        let looks = Language::ALL.map(|language| {
            let lines = Comparison::new(language, &results, false).unwrap().lines;
            lines.iter().map(|line| (line.look, line.points[0].value)).collect::<Vec<_>>()
        });
        assert_eq!(looks[0].len(), headers.len());
        assert_eq!(looks[0], looks[1]);
    }

    #[test]
    fn published_series_have_their_sources() {
        let with_published = |headers: &[Header]| {
            let results = headers.iter().map(|header| Compared { header, is_shown: true });
            Comparison::new(Language::English, &results.collect::<Vec<_>>(), true)
        };
        let comparison = with_published(&headers()).unwrap();
        let sources = comparison.series.iter().filter(|series| series.source.is_some()).count();
        assert_eq!(sources, Figures::all().len());
        assert_eq!(comparison.lines.len(), sources + 2);
        // Published figures alone are not a comparison.
        assert_eq!(with_published(&[]), None);
    }

    #[test]
    fn series_names_include_only_what_differs() {
        let mut headers = headers();
        let comparison = compared(&headers, None).unwrap();
        assert_eq!(names(&comparison), ["Bitmap", "Mirror"]);
        headers[3].form = Form::Recursive;
        let comparison = compared(&headers, None).unwrap();
        let [_, iterative, recursive] = names(&comparison)[..] else { panic!("{comparison:?}") };
        assert!(iterative.ends_with(" · iterative"), "{iterative}");
        assert!(recursive.ends_with(" · recursive"), "{recursive}");
        headers[4].backend.device = "that".into();
        let comparison = compared(&headers, None).unwrap();
        assert_eq!(names(&comparison)[0], "Bitmap · that");
        headers[4].host.threads = 1;
        let comparison = compared(&headers, None).unwrap();
        assert_eq!(names(&comparison)[0], "Bitmap · cpu × 1 · that");
        assert!(names(&comparison)[1].ends_with(" · cpu × 2 · this"), "{comparison:?}");
    }
}
