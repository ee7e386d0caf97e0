//! Series of a chart: the times of all boards that were counted with the same method on the same
//! machine.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use queens_core::document::Header;
use queens_core::{Method, known::known, words};

use super::excerpt::shown;
use super::forecast::{Forecast, NoForecast};
use super::looks::Looks;
use super::measured::measured;
use super::published::Figures;
use crate::routing::{Field, ResultsParameters};
use crate::text::{Language, form_name, method_name};

words! {
    /// The quantity that a chart shows above N.
    #[derive(Default)]
    pub enum Quantity {
        /// The time that each count took.
        #[default]
        Time = "time",
        /// How many times as fast as a chosen series each series is.
        SpeedUp = "speed-up",
        /// Solutions per second.
        Rate = "rate",
    }
}

/// Counts with one method on one machine.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    pub name: String,
    /// What its results have in common, for addresses; for published figures, their number.
    key: String,
    /// The method; `None` for published figures.
    method: Option<Method>,
    /// The ids of its results, including hidden ones; empty for published figures.
    pub ids: Vec<String>,
    /// The boards of the shown results, by N.
    pub boards: BTreeMap<u32, Board>,
    /// The boards of all results, by N; empty for published figures.
    all_boards: BTreeMap<u32, Board>,
    /// The boards of shown results that took less than the clock can measure.
    unmeasured: BTreeSet<u32>,
    /// The address of published figures.
    pub source: Option<String>,
}

impl Series {
    /// Whether the base in an address means this series: its key or, as in earlier addresses, the id of one of
    /// its results.
    fn is_named(&self, base: &str) -> bool {
        self.key == base || self.ids.iter().any(|id| id == base)
    }

    /// The forecast of the next board; `None` for published figures.
    fn forecast(&self) -> Option<Forecast> {
        let times = self.boards.iter().map(|(&n, board)| (n, board.seconds));
        Forecast::new(times).filter(|_| self.source.is_none())
    }

    /// The reason why a series with several boards has no forecast; `None` for published figures.
    fn no_forecast(&self) -> Option<NoForecast> {
        let measured = self.boards.iter().map(|(&n, board)| (n, board.seconds));
        // A board may have other results that took a measurable time.
        let times = self.unmeasured.iter().map(|&n| (n, 0.0)).chain(measured).collect();
        let has_forecast = self.forecast().is_some();
        NoForecast::new(&times).filter(|_| self.source.is_none() && !has_forecast)
    }
}

/// The count of one board.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Board {
    /// The number of solutions.
    pub total: u64,
    /// The shortest time in seconds.
    pub seconds: f64,
}

impl Board {
    /// Solutions per second.
    pub fn rate(self) -> f64 {
        self.total as f64 / self.seconds
    }
}

/// A result that a chart compares.
#[derive(Clone, Copy, Debug)]
pub struct Compared<'a> {
    /// The id in addresses.
    pub id: &'a str,
    pub header: &'a Header,
    /// Whether the chart shows the result. A result that the filters hide still determines the names
    /// and the looks of the series, and the times of the base.
    pub is_shown: bool,
}

/// All series of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    pub quantity: Quantity,
    /// The choices for the base of speed-ups: for each series its key in addresses and its name.
    pub bases: Vec<(String, String)>,
    /// The key of the series that speed-ups refer to.
    pub base_key: String,
    /// The name of the series that speed-ups refer to.
    pub base: String,
    /// The series with shown results, and published ones last.
    pub series: Vec<Series>,
    /// The values of each series that has any values.
    pub lines: Rc<[Line]>,
}

/// The values of one series.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    pub name: String,
    /// N and the value, in ascending order of N.
    pub points: Vec<(u32, f64)>,
    /// The forecast of the next value, if the chart shows times.
    pub next: Option<Forecast>,
    /// The reason why the chart shows times but no forecast for this line of several boards.
    pub no_next: Option<NoForecast>,
    pub published: bool,
    /// The number of the line's look, which stays the same when other lines come and go.
    pub look: usize,
}

impl Comparison {
    /// Compares results, which must be neither shards nor contradictory. Returns `None` if no shown
    /// result has a time. The comparison may have no lines, for example if the base of speed-ups has
    /// no time for any N of the shown results. `looks` has the looks of the series that were compared before,
    /// and receives those of new series.
    pub fn new(
        language: Language,
        results: &[Compared<'_>],
        list: &ResultsParameters,
        looks: &mut Looks,
    ) -> Option<Comparison> {
        let mut series = group_by_series(language, results);
        let chosen = list.get(Field::Base);
        let bases = series.iter().map(|series| (series.key.clone(), series.name.clone())).collect();
        let base = series.iter().find(|series| series.is_named(chosen));
        let base = base.or_else(|| default_base(&series))?;
        let (base, base_key, base_boards) =
            (base.name.clone(), base.key.clone(), base.all_boards.clone());
        if !list.get(Field::Published).is_empty() {
            series.extend(published(language));
        }
        let quantity: Quantity = list.get(Field::Chart).parse().unwrap_or_default();
        let value = |n: u32, board: Board| match quantity {
            Quantity::Time => Some(board.seconds),
            Quantity::Rate => Some(board.rate()),
            Quantity::SpeedUp => base_boards.get(&n).map(|base| base.seconds / board.seconds),
        };
        looks.add(series.iter().map(|series| (series.key.as_str(), series.method)));
        let line = |series: &Series| {
            let values = series.boards.iter();
            let values = values.filter_map(|(&n, &board)| Some((n, value(n, board)?)));
            Line {
                name: series.name.clone(),
                points: values.filter(|&(_, value)| value > 0.0).collect(),
                next: series.forecast().filter(|_| quantity == Quantity::Time),
                no_next: series.no_forecast().filter(|_| quantity == Quantity::Time),
                published: series.source.is_some(),
                look: looks.get(&series.key),
            }
        };
        let lines = series.iter().map(line);
        let lines: Rc<[Line]> = lines.filter(|line| !line.points.is_empty()).collect();
        series.retain(|series| !series.boards.is_empty());
        (!series.is_empty()).then_some(Comparison {
            quantity,
            bases,
            base_key,
            base,
            series,
            lines,
        })
    }
}

/// Returns the series that speed-ups refer to unless the user chooses one: that which has the most boards in
/// common with the others, so that the chart has as many points as possible. Of several such series it is the
/// slowest on these boards.
fn default_base(series: &[Series]) -> Option<&Series> {
    let rank = |base: &Series| {
        let shared = series.iter().filter(|other| other.key != base.key).flat_map(|other| {
            let shared = |(n, board): (&u32, &Board)| {
                Some((board.seconds / other.all_boards.get(n)?.seconds).ln())
            };
            base.all_boards.iter().filter_map(shared)
        });
        shared.fold((0, 0.0), |(count, slowness), each| (count + 1, slowness + each))
    };
    let ranked = series.iter().map(|series| (rank(series), series));
    // Of equal series, `reduce` returns the first one.
    let ranked = ranked.reduce(|best, next| {
        let ((count, slowness), (best_count, best_slowness)) = (next.0, best.0);
        if (count, slowness) > (best_count, best_slowness) { next } else { best }
    });
    ranked.map(|(_, series)| series)
}

/// Groups results into series. The name of a series omits the device if all results have the same
/// device, and the form if all results of its method have the same form.
fn group_by_series(language: Language, results: &[Compared<'_>]) -> Vec<Series> {
    let devices: BTreeSet<&str> =
        results.iter().map(|result| result.header.backend.device.as_str()).collect();
    let mut forms: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for Compared { header, .. } in results {
        forms.entry(header.method.id()).or_default().insert(header.form.id());
    }
    let dot = language.dot();
    let mut all: BTreeMap<String, Series> = BTreeMap::new();
    for Compared { id, header, is_shown } in results {
        let backend = &header.backend;
        let mut name = method_name(language, header.method);
        if forms.get(header.method.id()).is_some_and(|forms| forms.len() > 1) {
            name = [&name, dot, &form_name(language, header.form)].concat();
        }
        name = format!("{name}{dot}{} × {}", backend.kind.id(), header.host.threads);
        if devices.len() > 1 && !backend.device.is_empty() {
            name = [&name, dot, &shown(&backend.device)].concat();
        }
        let series = all.entry(name.clone()).or_insert_with(|| Series {
            name,
            key: key(header),
            method: Some(header.method),
            ids: vec![],
            boards: BTreeMap::new(),
            all_boards: BTreeMap::new(),
            unmeasured: BTreeSet::new(),
            source: None,
        });
        series.ids.push((*id).to_owned());
        let (total, seconds) = (header.total, measured(header.seconds.get()));
        // A count that took less than the clock can measure cannot be compared.
        if seconds > 0.0 {
            let shown = Some(&mut series.boards).filter(|_| *is_shown);
            for boards in [Some(&mut series.all_boards), shown].into_iter().flatten() {
                let board = boards.entry(header.n.get()).or_insert(Board { total, seconds });
                board.seconds = board.seconds.min(seconds);
            }
        } else if *is_shown {
            series.unmeasured.insert(header.n.get());
        }
    }
    all.into_values().collect()
}

/// Returns what the results of a series have in common. Unlike the id of a file, it stays the same when the
/// page is loaded again.
fn key(header: &Header) -> String {
    let backend = &header.backend;
    let device = shown(&backend.device);
    let [method, form, kind] = [header.method.id(), header.form.id(), backend.kind.id()];
    format!("{method}.{form}.{kind}.{}.{device}", header.host.threads)
}

/// Returns the series of published figures.
fn published(language: Language) -> impl Iterator<Item = Series> {
    Figures::all().into_iter().enumerate().map(move |(number, figures)| {
        let name = figures.name(language);
        let boards = figures.seconds.into_iter().filter_map(|(n, seconds)| {
            let total = known(n)?.total();
            Some((n, Board { total, seconds }))
        });
        Series {
            name,
            key: format!("published {number}"),
            method: None,
            ids: vec![],
            boards: boards.collect(),
            all_boards: BTreeMap::new(),
            unmeasured: BTreeSet::new(),
            source: Some(figures.source),
        }
    })
}

#[cfg(test)]
mod tests {
    use queens_core::document::{Document, Seconds};
    use queens_core::{Form, Method, Size};

    use super::super::scale::LogScale;
    use super::*;

    const EIGHT: &str = include_str!("../../../../tests/data/results/eight.json");

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

    /// Compares results whose ids are `a`, `b` and so on.
    fn compared(headers: &[Header], fields: &[(Field, &str)]) -> Option<Comparison> {
        let list = ResultsParameters::default();
        let list = fields.iter().fold(list, |list, &(field, value)| list.with(field, value));
        let results = ["a", "b", "c", "d", "e"].into_iter().zip(headers);
        let is_shown = |header: &Header| {
            let n = list.get(Field::N);
            n.is_empty() || n == header.n.to_string()
        };
        let results =
            results.map(|(id, header)| Compared { id, header, is_shown: is_shown(header) });
        let looks = &mut Looks::default();
        Comparison::new(Language::English, &results.collect::<Vec<_>>(), &list, looks)
    }

    fn names(comparison: &Comparison) -> Vec<&str> {
        comparison.series.iter().map(|series| series.name.as_str()).collect()
    }

    #[test]
    fn a_series_has_the_shortest_time_of_each_board() {
        let comparison = compared(&headers(), &[]).unwrap();
        let [quick, slow] = &comparison.lines[..] else { panic!("{comparison:?}") };
        assert_eq!((&quick.points[..], &quick.next), (&[(12, 0.5)][..], &None));
        assert_eq!(slow.points, [(10, 0.4), (11, 2.0), (12, 12.0)]);
        assert_eq!(slow.next.as_ref().map(|next| next.n), Some(13));
    }

    #[test]
    fn a_line_without_a_forecast_has_a_reason() {
        let mut headers = headers();
        headers[1] = header(11, SLOW, 0.0);
        let comparison = compared(&headers, &[]).unwrap();
        let reasons = comparison.lines.iter().map(|line| line.no_next.clone());
        // The first series has one board. In the second one, N = 11 is not missing.
        assert_eq!(reasons.collect::<Vec<_>>(), [None, Some(NoForecast::TooShort(11))]);
        headers[1] = header(8, SLOW, 0.1);
        for (chart, reason) in [("", Some(NoForecast::Missing(vec![11]))), ("rate", None)] {
            let comparison = compared(&headers, &[(Field::Chart, chart)]).unwrap();
            assert_eq!(comparison.lines[1].no_next, reason);
        }
        let published = compared(&headers, &[(Field::Published, "1")]).unwrap();
        let mut published = published.lines.iter().filter(|line| line.published);
        assert!(published.all(|line| line.no_next.is_none()));
    }

    #[test]
    fn times_below_a_nanosecond_have_no_values() {
        let mut headers = headers();
        let tiny = [1e-308, 5e-324, 1e-10];
        for (header, seconds) in headers.iter_mut().zip(tiny) {
            header.seconds = Seconds::new(seconds).unwrap();
        }
        for quantity in Quantity::ALL {
            let fields = [(Field::Chart, quantity.id()), (Field::Base, "d")];
            let comparison = compared(&headers, &fields).unwrap();
            let points: Vec<_> = comparison.lines.iter().flat_map(|line| &line.points).collect();
            assert!(!points.is_empty() && points.iter().all(|(n, _)| *n == 12), "{points:?}");
            let scale = LogScale::of(points.iter().map(|&&(_, value)| value));
            assert!(scale.decades() < 5, "{scale:?}");
            let slow = comparison.lines.last().and_then(|line| line.no_next.clone());
            let reason = (quantity == Quantity::Time).then_some(NoForecast::TooShort(10));
            assert_eq!(slow, reason);
        }
    }

    #[test]
    fn speedups_refer_to_the_selected_result() {
        let fields = [(Field::Chart, "speed-up"), (Field::Base, "c")];
        let comparison = compared(&headers(), &fields).unwrap();
        let [quick, slow] = &comparison.lines[..] else { panic!("{comparison:?}") };
        assert_eq!(quick.points, [(12, 24.0)]);
        assert_eq!(slow.points, [(10, 1.0), (11, 1.0), (12, 1.0)]);
        assert!(slow.next.is_none() && comparison.base == slow.name);
    }

    #[test]
    fn the_base_stays_selected_when_results_arrive() {
        let comparison = compared(&headers(), &[(Field::Base, "c")]).unwrap();
        assert_eq!(comparison.base_key, "mirror.iterative.cpu.2.this");
        let keys: Vec<_> = comparison.bases.iter().map(|(key, _)| key.as_str()).collect();
        assert_eq!(keys, ["bitmap.iterative.cpu.2.this", "mirror.iterative.cpu.2.this"]);
    }

    #[test]
    fn the_base_stays_selected_when_files_have_other_ids() {
        let mut headers = headers();
        let base = |headers: &[Header], base: &str| {
            let fields = [(Field::Chart, "speed-up"), (Field::Base, base)];
            let Comparison { base, base_key, .. } = compared(headers, &fields).unwrap();
            (base, base_key)
        };
        let chosen = base(&headers, "e");
        assert_eq!(chosen.0, "Bitmap · cpu × 2");
        // After the page was loaded again, files have their ids in another order.
        headers.reverse();
        assert_eq!(base(&headers, &chosen.1), chosen);
    }

    #[test]
    fn speedups_refer_to_the_series_that_shares_the_most_boards() {
        let base = |headers: &[Header]| compared(headers, &[]).unwrap().base;
        // Both series share N = 12 only, where one is slower.
        assert_eq!(base(&headers()), "Mirror · cpu × 2");
        let alone = [header(18, QUICK, 9.0), header(10, SLOW, 0.4)];
        assert_eq!(base(&alone), "Bitmap · cpu × 2");
        // The slowest one shares a single board.
        let headers = [
            header(12, QUICK, 90.0),
            header(11, SLOW, 2.0),
            header(12, SLOW, 12.0),
            header(11, Method::Symmetry, 1.0),
            header(12, Method::Symmetry, 6.0),
        ];
        assert_eq!(base(&headers), "Mirror · cpu × 2");
    }

    #[test]
    fn filters_keep_the_base_and_the_looks_of_series() {
        let mut headers = headers();
        // The fastest count of N = 10; the quick series is the first one.
        headers[4] = header(10, QUICK, 0.1);
        let speed_up = (Field::Chart, "speed-up");
        let unfiltered = compared(&headers, &[speed_up, (Field::Base, "b")]).unwrap();
        let looks: Vec<_> = unfiltered.lines.iter().map(|line| line.look).collect();
        assert!(looks.len() == 2 && looks[0] != looks[1], "{looks:?}");
        for (n, points) in [("10", vec![(10, 4.0)]), ("12", vec![])] {
            // The result `b` has N = 11, so both filters hide it.
            let fields = [speed_up, (Field::Base, "b"), (Field::N, n)];
            let filtered = compared(&headers, &fields).unwrap();
            let bases = [&filtered, &unfiltered].map(|each| (&each.base, &each.base_key));
            assert_eq!(bases[0], bases[1]);
            let [quick @ .., slow] = &filtered.lines[..] else { panic!("{filtered:?}") };
            assert_eq!((slow.look, &slow.name), (looks[1], &unfiltered.base));
            let quick: Vec<_> = quick.iter().flat_map(|line| line.points.clone()).collect();
            assert_eq!(quick, points);
        }
        // A name does not change with the filter, either.
        headers[1].backend.device = "that".into();
        let filtered = compared(&headers, &[(Field::N, "12")]).unwrap();
        assert!(names(&filtered)[0].ends_with(" · this"), "{filtered:?}");
    }

    #[test]
    fn series_keep_their_looks_when_others_are_loaded_or_removed() {
        let all = headers();
        let looks = &mut Looks::default();
        let mut look_of_mirror = |headers: &[Header]| {
            let results = ["a", "b", "c", "d", "e"].into_iter().zip(headers);
            let results = results.map(|(id, header)| Compared { id, header, is_shown: true });
            let (language, list) = (Language::English, ResultsParameters::default());
            let results: Vec<_> = results.collect();
            let comparison = Comparison::new(language, &results, &list, looks).unwrap();
            let mirror = comparison.lines.iter().find(|line| line.name.starts_with("Mirror"));
            mirror.unwrap().look
        };
        let alone = look_of_mirror(&all[..4]);
        // The name of the other series comes first, and another device gives both other names.
        let mut loaded = all.clone();
        assert_eq!(look_of_mirror(&loaded), alone);
        loaded[4].backend.device = "that".into();
        assert_eq!(look_of_mirror(&loaded), alone);
        assert_eq!(look_of_mirror(&all[..2]), alone);
    }

    #[test]
    fn a_filter_without_values_keeps_the_comparison() {
        let headers = [header(8, QUICK, 0.1), header(10, QUICK, 0.4), header(12, SLOW, 12.0)];
        let fields = [(Field::Chart, "speed-up"), (Field::Base, "a"), (Field::N, "12")];
        let comparison = compared(&headers, &fields).unwrap();
        assert!(comparison.lines.is_empty(), "{comparison:?}");
        // The controls still offer the other base.
        assert_eq!((comparison.bases.len(), comparison.base.as_str()), (2, "Bitmap · cpu × 2"));
        assert_eq!(compared(&headers, &[(Field::N, "9")]), None);
    }

    #[test]
    fn published_series_have_their_sources() {
        let fields = [(Field::Chart, "rate"), (Field::Published, "1")];
        let comparison = compared(&headers(), &fields).unwrap();
        let published: Vec<_> =
            comparison.series.iter().filter(|series| series.source.is_some()).collect();
        assert_eq!(published.len(), Figures::all().len());
        assert_eq!(comparison.lines.len(), published.len() + 2);
        // Published figures alone are not a comparison.
        assert_eq!(compared(&[], &[(Field::Published, "1")]), None);
    }

    #[test]
    fn series_names_include_devices_and_forms_that_differ() {
        let mut headers = headers();
        let comparison = compared(&headers, &[]).unwrap();
        assert_eq!(names(&comparison), ["Bitmap · cpu × 2", "Mirror · cpu × 2"]);
        headers[3].form = Form::Recursive;
        let comparison = compared(&headers, &[]).unwrap();
        let [_, iterative, recursive] = names(&comparison)[..] else { panic!("{comparison:?}") };
        assert!(iterative.ends_with(" · iterative · cpu × 2"), "{iterative}");
        assert!(recursive.ends_with(" · recursive · cpu × 2"), "{recursive}");
        headers[4].backend.device = "that".into();
        let comparison = compared(&headers, &[]).unwrap();
        assert!(names(&comparison)[0].ends_with(" × 2 · that"), "{comparison:?}");
        assert!(names(&comparison)[1].ends_with(" × 2 · this"), "{comparison:?}");
    }
}
