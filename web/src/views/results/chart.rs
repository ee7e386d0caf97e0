//! The chart of the times of results against N.

use std::rc::Rc;

use yew::prelude::*;

use super::entry::Entry;
use super::filters::{self, is_listed};
use super::model::{Board, Compared, Comparison, Figures, Series};
use crate::address::{Address, Field, Navigate, ResultsParameters, use_address};
use crate::browser::download;
use crate::parts::chart::model::{Line, Point};
use crate::parts::chart::{self, Room};
use crate::parts::save::Save;
use crate::words::{Language, csv_row, tr, use_language};

/// The id of the picture.
const PICTURE: &str = "chart-picture";

/// Compares results, of which the filters say which are shown. Returns `None` without results to compare.
#[hook]
pub fn use_comparison(
    entries: &Rc<[Entry]>,
    filters: &ResultsParameters,
) -> Rc<Option<Comparison>> {
    let language = use_language();
    let (address, _) = use_address();
    let has_published = !address.results.get(Field::Published).is_empty();
    let given = (language, Rc::clone(entries), filters.clone(), has_published);
    use_memo(given, |(language, entries, filters, has_published)| {
        Comparison::new(*language, &comparable(entries, filters), *has_published)
    })
}

#[derive(Properties, PartialEq)]
pub struct Props {
    pub compared: Rc<Option<Comparison>>,
    /// The filters that say which results are shown.
    pub filters: ResultsParameters,
}

/// A chart without its [`control`]; empty without results to compare.
#[component]
pub fn Chart(props: &Props) -> Html {
    let language = use_language();
    let on_csv = {
        let compared = Rc::clone(&props.compared);
        Callback::from(move |()| {
            if let Some(comparison) = &*compared {
                download::file("chart.csv", "text/csv", &csv(&comparison.series));
            }
        })
    };
    let Some(comparison) = &*props.compared else { return html! {} };
    let faster = comparison.faster(language);
    let (lines, title) = (Rc::clone(&comparison.lines), tr!(language, "results.chart.title-time"));
    html! {
        <div class="drawn">
            <h2 class="hidden-text">{ tr!(language, "results.chart.title") }</h2>
            <figure>
                <figcaption>{ &title }</figcaption>
                // The key creates another picture, in slices, which is faster than changing all lines.
                <chart::Chart
                    key={filters::key(&props.filters)} id={PICTURE} lines={Rc::clone(&lines)}
                    title={title.clone()} room={Room::of_window()}
                />
            </figure>
            if !faster.is_empty() {
                <p>{ faster }</p>
            }
            { notes(language, &lines) }
            { sources(language, comparison) }
            <Save id="chart" drawing={PICTURE} is_board=false name="chart" {on_csv} />
        </div>
    }
}

/// Returns the results that can be compared. The filters say which of them are shown.
fn comparable<'a>(entries: &'a [Entry], filters: &ResultsParameters) -> Vec<Compared<'a>> {
    let compared =
        |entry: &'a Entry| Compared { header: &entry.header, is_shown: is_listed(filters, entry) };
    entries.iter().filter(|entry| is_comparable(entry)).map(compared).collect()
}

/// Whether a result can be compared. A shard has no time for the whole count, and the time in a
/// contradictory document is unreliable.
pub fn is_comparable(entry: &Entry) -> bool {
    entry.contradictions.is_empty() && entry.header.shard.is_none()
}

/// Renders the control for the published figures; nothing without results to compare.
pub fn control(
    language: Language,
    address: &Rc<Address>,
    navigate: &Navigate,
    compared: &Option<Comparison>,
) -> Html {
    let published = !address.results.get(Field::Published).is_empty();
    let on_published = {
        let (address, navigate) = (Rc::clone(address), navigate.clone());
        let other = if published { "" } else { "1" };
        Callback::from(move |_| navigate.replace(address.with_field(Field::Published, other)))
    };
    html! {
        if compared.is_some() {
            <label class="check">
                <input
                    id={Field::Published.id()} type="checkbox" checked={published}
                    onchange={on_published}
                />
                { " " }{ tr!(language, "results.chart.published") }
            </label>
        }
    }
}

/// Renders what dotted lines mean.
fn notes(language: Language, lines: &[Line]) -> Html {
    let points = || lines.iter().flat_map(|line| &line.points);
    let dotted = lines.iter().any(has_gap).then_some("dotted");
    let published = points().any(|point| point.is_open).then_some("dotted-published");
    let notes = [dotted, published].into_iter().flatten().map(|key| {
        html! { <p class="soft" id={key}>{ tr!(language, format!("results.chart.{key}")) }</p> }
    });
    notes.collect()
}

/// Whether a line of results is dotted across boards without a value.
fn has_gap(line: &Line) -> bool {
    let follows = |first: &Point, second: &Point| first.is_open || first.n + 1 == second.n;
    !line.points.is_sorted_by(follows)
}

/// Lists the sources of the published figures, each with its program.
fn sources(language: Language, comparison: &Comparison) -> Html {
    let mut figures = Figures::all();
    // Figures from one source are next to each other.
    figures.dedup_by(|next, figures| next.source == figures.source);
    let drawn = || comparison.series.iter().filter_map(|series| series.source.as_ref());
    figures.retain(|figures| drawn().any(|source| *source == figures.source));
    let has_sources = !figures.is_empty();
    let sources = figures.into_iter().map(|Figures { program, source, .. }| {
        html! {
            <li>{ program }{ language.colon() }<a href={source.clone()} rel="noreferrer">{ source }</a></li>
        }
    });
    html! {
        if has_sources {
            <h3>{ tr!(language, "results.chart.sources") }</h3>
            <ul class="sources">{ for sources }</ul>
        }
    }
}

/// Writes a CSV line for each board of each series.
fn csv(series: &[Series]) -> String {
    let mut csv = csv_row(["series", "n", "total", "seconds", "source"]);
    for Series { name, boards, source, .. } in series {
        let source = source.as_deref().unwrap_or_default();
        for (n, Board { total, seconds }) in boards {
            let [n, total, seconds] = [n.to_string(), total.to_string(), seconds.to_string()];
            csv += &csv_row([name, &n, &total, &seconds, source]);
        }
    }
    csv
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use queens_core::Method;
    use queens_core::document::{Contradiction, Shard};
    use serde_json::Map;

    use super::*;
    use crate::parts::rendered::{elements, rendered_at, texts};
    use crate::views::results::entry::counted;

    fn entries() -> Vec<Entry> {
        let times = [(10, 0.4), (11, 2.0), (12, 12.0)];
        let mut entries: Vec<_> =
            times.map(|(n, seconds)| counted(&n.to_string(), n, Method::Mirror, seconds)).into();
        entries.push(counted("quick", 12, Method::Colours, 0.5));
        entries
    }

    fn chart(language: Language, fields: &[(Field, &str)]) -> String {
        let address = Address::default();
        let address = fields
            .iter()
            .fold(address, |address, (field, value)| address.with_field(*field, value));
        let entries: Rc<[Entry]> = entries().into();
        let filters = filters::only(&address.results);
        rendered_at(language, address, html! { <WithControl {entries} {filters} /> })
    }

    #[derive(Properties, PartialEq)]
    struct WithControlProps {
        entries: Rc<[Entry]>,
        filters: ResultsParameters,
    }

    /// The chart with its control, as in the list.
    #[component]
    fn WithControl(WithControlProps { entries, filters }: &WithControlProps) -> Html {
        let (address, navigate) = use_address();
        let compared = use_comparison(entries, filters);
        let language = use_language();
        html! {
            <>
                { control(language, &address, &navigate, &compared) }
                <Chart {compared} filters={filters.clone()} />
            </>
        }
    }

    #[test]
    fn chart_texts_match_their_snapshots() {
        let html = chart(Language::English, &[(Field::Published, "1")]);
        insta::assert_snapshot!("published", texts(&html));
    }

    /// The list passes new filters to the chart later than the address has them.
    #[test]
    fn the_chart_follows_its_own_filters_not_those_of_the_address() {
        let filters = ResultsParameters::default().with(Field::Method, "colours");
        let address = Address::default().with_field(Field::Method, "mirror");
        let entries: Rc<[Entry]> = entries().into();
        let chart = html! { <WithControl {entries} {filters} /> };
        let html = rendered_at(Language::English, address, chart);
        let legend = elements(&html, "class=\"legend\"");
        let names = legend.iter().map(|name| name.content()).collect::<Vec<_>>();
        assert!(matches!(&names[..], [name] if name.contains("Colour join")), "{names:?}");
    }

    #[test]
    fn compares_only_complete_consistent_counts() {
        let mut entries = entries();
        entries[0].contradictions = Rc::new([Contradiction::TaskSum { sum: 1, total: 2 }]);
        Rc::make_mut(&mut entries[1].header).shard =
            Some(Shard { index: 0, of: 2, extra: Map::default() });
        let list = ResultsParameters::default();
        let compared = comparable(&entries, &list);
        let sizes: Vec<_> = compared.iter().map(|each| each.header.n.get()).collect();
        assert_eq!(sizes, [12, 12]);
    }

    #[test]
    fn exports_the_values_as_csv() {
        let list = ResultsParameters::default();
        let series = Comparison::new(Language::English, &comparable(&entries(), &list), true)
            .unwrap()
            .series;
        let csv = csv(&series);
        let lines: Vec<_> = csv.lines().collect();
        assert_eq!(lines[0], "series,n,total,seconds,source");
        assert_eq!(lines[1], "Mirror,10,724,0.4,");
        assert!(lines.iter().any(|line| line.ends_with("https://arxiv.org/abs/2511.12009")));
    }
}
