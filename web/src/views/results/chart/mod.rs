//! The chart of results against N, its values as a table, and forecasts.
//!
//! The project draws the picture itself. The charting crate plotters, which is used most with Rust,
//! writes fixed colours where two themes need classes, and measures text through elements with
//! inline styles, which the page's policy forbids.

mod bars;
mod picture;
mod value;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use queens_state::results::{
    Compared, Comparison, Forecast, Line, Looks, NoForecast, Quantity, Series,
};
use yew::prelude::*;

use super::entry::Entry;
use super::filters::{self, choice, is_listed, on_choice};
use super::saving::SaveButtons;
use crate::browser::download;
use crate::browser::storage::{recall, remember};
use crate::parts::details::use_is_open;
use crate::parts::marks::{Mark, Marked};
use crate::place::{Address, Field, Navigate, ResultsParameters, use_address};
use crate::words::{Language, duration, grouped_decimal, tr, use_language};

use bars::Bars;
use picture::{Layout, Picture};
use value::{ValueContext, value_of};

pub use picture::Room;
pub use value::is_comparable;

thread_local! {
    /// The looks of all series that the page has shown, also in earlier visits.
    static LOOKS: RefCell<Looks> =
        RefCell::new(Looks::parse(&recall(STORED_LOOKS).unwrap_or_default()));
}

/// The key under which the browser stores the looks of series.
const STORED_LOOKS: &str = "result-looks";

/// Calls `compare` with the looks of all series, and stores them if it has added some.
fn with_looks<T>(compare: impl FnOnce(&mut Looks) -> T) -> T {
    LOOKS.with_borrow_mut(|looks| {
        let before = looks.clone();
        let compared = compare(looks);
        if *looks != before && looks.is_storable() {
            // Without storage, the looks last as long as the page.
            remember(STORED_LOOKS, &looks.to_text());
        }
        compared
    })
}

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
    let fields = [Field::Chart, Field::Base, Field::Published]
        .map(|field| address.results.get(field).to_owned());
    let given = (language, Rc::clone(entries), filters.clone(), fields);
    use_memo(given, |(_, entries, filters, _)| {
        with_looks(|looks| {
            Comparison::new(language, &comparable(entries, filters), &address.results, looks)
        })
    })
}

#[derive(Properties, PartialEq)]
pub struct Props {
    pub compared: Rc<Option<Comparison>>,
    /// All results, including those that the filters hide.
    pub entries: Rc<[Entry]>,
    /// The filters that say which results are shown.
    pub filters: ResultsParameters,
    pub room: Room,
    /// The key of the mark that is chosen from the start.
    #[prop_or_default]
    pub chosen: Option<String>,
}

/// A chart without its [`controls`]; empty without results to compare.
#[component]
pub fn Chart(props: &Props) -> Html {
    let language = use_language();
    let (address, _) = use_address();
    let on_csv = {
        let compared = Rc::clone(&props.compared);
        Callback::from(move |()| {
            if let Some(comparison) = &*compared {
                download::file("chart.csv", "text/csv", &csv(&comparison.series));
            }
        })
    };
    let Some(comparison) = &*props.compared else { return html! {} };
    let heading = html! { <h2 class="hidden-text">{ tr!(language, "results.chart.title") }</h2> };
    if comparison.lines.is_empty() {
        // The controls stay, so that the user can choose another base or quantity.
        let text = without_values(language, comparison);
        return html! {
            <div class="drawn">{ heading }<p class="statement" id="no-values">{ text }</p></div>
        };
    }
    let ChartPicture { title, lines, view_box, marks, picture } =
        ChartPicture::new(language, comparison, props.room);
    let value = value_of(ValueContext {
        language,
        entries: Rc::clone(&props.entries),
        filters: props.filters.clone(),
        address,
        compared: Rc::clone(&props.compared),
        lines: Rc::clone(&lines),
        marks: Rc::clone(&marks),
    });
    html! {
        <div class="drawn with-values">
            { heading }
            <figure>
                <figcaption>{ &title }</figcaption>
                // The key creates another picture, in slices, which is faster than changing all lines.
                <Marked
                    key={filters::key(&props.filters) + &title} id="chart" {view_box}
                    {marks} {value} title={title.clone()}
                    hint={tr!(language, "results.chart.choose")} chosen={props.chosen.clone()}
                >
                    { picture }
                </Marked>
            </figure>
            <div class="beside-chart">
                <Forecasts lines={Rc::clone(&lines)} />
                { sources(language, comparison) }
                <SaveButtons name="chart" picture={PICTURE} heading={title.clone()} {on_csv} />
                { notes(language, &props.entries, &props.filters, comparison) }
                { without_forecast(language, &lines) }
            </div>
            <Values quantity={comparison.quantity} {lines} {title} />
        </div>
    }
}

/// The picture of a comparison: lines above N or, for a single N, bars.
struct ChartPicture {
    title: String,
    /// The lines in the order of the picture.
    lines: Rc<[Line]>,
    view_box: [f64; 4],
    marks: Rc<[Mark]>,
    picture: Html,
}

impl ChartPicture {
    fn new(language: Language, comparison: &Comparison, room: Room) -> ChartPicture {
        let (lines, quantity) = (&comparison.lines, comparison.quantity);
        let board = bars::board(lines);
        let title = title(language, comparison, board);
        if board.is_some() {
            let lines = bars::sorted(lines);
            let layout = bars::Layout::new(language, &lines, quantity, room);
            let (view_box, marks) = (layout.view_box(), layout.marks(&lines));
            let picture = html! {
                <Bars id={PICTURE} {quantity} lines={Rc::clone(&lines)} title={title.clone()} {room} />
            };
            return ChartPicture { title, lines, view_box, marks, picture };
        }
        let layout = Layout::new(language, lines, room);
        let (view_box, marks) = (layout.view_box(), layout.marks(lines));
        let picture = html! {
            <Picture id={PICTURE} {quantity} lines={Rc::clone(lines)} title={title.clone()} {room} />
        };
        ChartPicture { title, lines: Rc::clone(lines), view_box, marks, picture }
    }
}

/// Returns the results that can be compared. The filters say which of them are shown.
fn comparable<'a>(entries: &'a [Entry], filters: &ResultsParameters) -> Vec<Compared<'a>> {
    let compared = |entry: &'a Entry| Compared {
        id: &entry.id,
        header: &entry.header,
        is_shown: is_listed(filters, entry),
    };
    entries.iter().filter(|entry| is_comparable(entry)).map(compared).collect()
}

/// Returns the title of the picture. `board` is the N of all points, if they have only one.
fn title(language: Language, comparison: &Comparison, board: Option<u32>) -> String {
    let key = format!("results.chart.title-{}", comparison.quantity.id());
    let name = &comparison.base;
    match board {
        Some(n) => tr!(language, key + "-one", name = name, n = n),
        None => tr!(language, key, name = name),
    }
}

/// Says why no result has a value.
fn without_values(language: Language, comparison: &Comparison) -> String {
    match comparison.quantity {
        Quantity::SpeedUp => tr!(language, "results.chart.no-base", name = comparison.base),
        Quantity::Time | Quantity::Rate => tr!(language, "results.chart.no-values"),
    }
}

/// Renders the controls for the quantity, the base of speed-ups, and the published figures; nothing without results
/// to compare.
pub fn controls(
    language: Language,
    address: &Rc<Address>,
    navigate: &Navigate,
    compared: &Option<Comparison>,
) -> Html {
    let Some(comparison) = compared else { return html! {} };
    // The address omits the default quantity.
    let value = |quantity: Quantity| match quantity {
        Quantity::Time => "",
        other => other.id(),
    };
    let quantities = Quantity::ALL.into_iter().map(|quantity| {
        let name = tr!(language, format!("results.chart.{}", quantity.id()));
        (value(quantity).to_owned(), name)
    });
    let published = !address.results.get(Field::Published).is_empty();
    let on_published = {
        let (address, navigate) = (Rc::clone(address), navigate.clone());
        let other = if published { "" } else { "1" };
        Callback::from(move |_| navigate.replace(address.with_field(Field::Published, other)))
    };
    let on_choice = |field| on_choice(field, address, navigate);
    html! {
        <>
            { choice(
                Field::Chart, &tr!(language, "results.chart.shows"), quantities,
                value(comparison.quantity), &on_choice(Field::Chart),
            ) }
            if comparison.quantity == Quantity::SpeedUp {
                { choice(
                    Field::Base, &tr!(language, "results.chart.over"),
                    comparison.bases.iter().cloned(), &comparison.base_key,
                    &on_choice(Field::Base),
                ) }
            }
            <label class="check">
                <input
                    id={Field::Published.id()} type="checkbox" checked={published}
                    onchange={on_published}
                />
                { " " }{ tr!(language, "results.chart.published") }
            </label>
        </>
    }
}

#[derive(Properties, PartialEq)]
struct ForecastsProps {
    lines: Rc<[Line]>,
}

/// The largest number of forecasts that are shown at once. The others are rendered while they are open.
const MAX_FORECASTS: usize = 8;

/// A forecast for each line that allows one.
#[component]
fn Forecasts(props: &ForecastsProps) -> Html {
    let language = use_language();
    let (is_open, ontoggle) = use_is_open();
    let mut forecasts =
        props.lines.iter().filter_map(|line| Some((&line.name, line.next.as_ref()?)));
    let item =
        |(name, next): (&String, &Forecast)| html! { <li>{ sentence(language, name, next) }</li> };
    let first: Vec<Html> = forecasts.by_ref().take(MAX_FORECASTS).map(item).collect();
    let more: Vec<_> = forecasts.collect();
    html! {
        <>
            if !first.is_empty() {
                <h3>{ tr!(language, "results.chart.next") }</h3>
                <ul class="forecasts">{ first }</ul>
                if !more.is_empty() {
                    <details {ontoggle}>
                        <summary>{ tr!(language, "results.and-more", count = more.len()) }</summary>
                        if *is_open {
                            <ul class="forecasts">{ for more.into_iter().map(item) }</ul>
                        }
                    </details>
                }
                <p class="soft">{ tr!(language, "results.chart.forecast-how") }</p>
            }
        </>
    }
}

/// Renders what dotted lines mean, and the boards without a speed-up.
fn notes(
    language: Language,
    entries: &[Entry],
    filters: &ResultsParameters,
    comparison: &Comparison,
) -> Html {
    let Comparison { lines, quantity, .. } = comparison;
    let dotted = lines.iter().any(picture::has_gap).then_some("dotted");
    let published = lines.iter().any(|line| line.published).then_some("dotted-published");
    let notes = [dotted, published].into_iter().flatten().map(|key| {
        html! { <p class="soft" id={key}>{ tr!(language, format!("results.chart.{key}")) }</p> }
    });
    let mut missing: BTreeSet<u32> = comparable(entries, filters)
        .iter()
        .filter(|one| one.is_shown)
        .map(|one| one.header.n.get())
        .collect();
    for &(n, _) in lines.iter().flat_map(|line| &line.points) {
        missing.remove(&n);
    }
    let missing: Vec<_> = missing.iter().map(u32::to_string).collect();
    html! {
        <>
            { for notes }
            if *quantity == Quantity::SpeedUp && !missing.is_empty() {
                <p class="soft" id="without-base">
                    { tr!(language, "results.chart.without-base", n = missing.join(language.comma())) }
                </p>
            }
        </>
    }
}

/// The largest number of lines that are named in a sentence.
const MAX_NAMED: usize = 4;

/// Renders a sentence for each reason why lines have no forecast, folded.
fn without_forecast(language: Language, lines: &[Line]) -> Html {
    let mut reasons: Vec<(&NoForecast, Vec<&str>)> = Vec::new();
    for line in lines {
        let Some(reason) = &line.no_next else { continue };
        match reasons.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, names)) => names.push(&line.name),
            None => reasons.push((reason, vec![&line.name])),
        }
    }
    let sentence = |(reason, names): &(&NoForecast, Vec<&str>)| {
        let more = names.len().saturating_sub(MAX_NAMED);
        let mut names: Vec<String> =
            names.iter().take(MAX_NAMED).map(|&name| name.to_owned()).collect();
        if more > 0 {
            names.push(tr!(language, "results.and-more", count = more));
        }
        let (names, reason) = (names.join(language.comma()), no_forecast(language, reason));
        let sentence = tr!(language, "results.chart.no-forecast", names = names, reason = reason);
        html! { <p class="soft" data-testid="no-forecast">{ sentence }</p> }
    };
    let more = reasons.len().saturating_sub(MAX_FORECASTS);
    let mut sentences: Vec<Html> = reasons.iter().take(MAX_FORECASTS).map(sentence).collect();
    if more > 0 {
        let more = tr!(language, "results.and-more", count = more);
        sentences.push(html! { <p class="soft">{ more }</p> });
    }
    let count = lines.iter().filter(|line| line.no_next.is_some()).count();
    html! {
        if count > 0 {
            <details id="without-forecast">
                <summary>{ tr!(language, "results.chart.without-forecast", count = count) }</summary>
                { sentences }
            </details>
        }
    }
}

/// Says as a part of a sentence why lines have no forecast.
fn no_forecast(language: Language, reason: &NoForecast) -> String {
    match reason {
        NoForecast::Missing(boards) => {
            let key = match boards[..] {
                [_] => "results.chart.missing-one",
                _ => "results.chart.missing",
            };
            let boards: Vec<_> = boards.iter().map(u32::to_string).collect();
            let reason = tr!(language, key, n = boards.join(language.comma()));
            reason.replace(" = ", "\u{a0}=\u{a0}")
        }
        NoForecast::TooShort(n) => {
            let milliseconds = (NoForecast::LEAST_TIME * 1000.0).round();
            let least = tr!(language, "results.time.milliseconds", s = milliseconds);
            tr!(language, "results.chart.too-short", n = n, least = least)
        }
        NoForecast::TooFlat => tr!(language, "results.chart.too-flat"),
    }
}

fn sentence(language: Language, name: &str, next: &Forecast) -> String {
    // A number and its unit stay on one line, and so do a name and its value.
    let time = |seconds| duration(language, seconds).replace(' ', "\u{a0}");
    let [least, most] = next.range.map(time);
    let [from, to] = next.basis;
    let sentence = tr!(
        language,
        "results.chart.forecast",
        name = name,
        n = next.n,
        time = time(next.seconds),
        least = least,
        most = most,
        from = from,
        to = to,
        factor = grouped_decimal(next.factor, 1)
    );
    sentence.replace(" = ", "\u{a0}=\u{a0}")
}

/// Lists the sources of the published figures that are drawn.
fn sources(language: Language, comparison: &Comparison) -> Html {
    let sources = comparison.series.iter().filter_map(|Series { name, source, .. }| {
        let source = source.as_ref()?;
        comparison.lines.iter().find(|line| line.published && line.name == *name)?;
        Some(html! {
            <li>{ name }{ language.colon() }<a href={source.clone()} rel="noreferrer">{ source }</a></li>
        })
    });
    let sources: Vec<Html> = sources.collect();
    html! {
        if !sources.is_empty() {
            <h3>{ tr!(language, "results.chart.sources") }</h3>
            <ul class="sources">{ sources }</ul>
        }
    }
}

#[derive(Properties, PartialEq)]
struct ValuesProps {
    quantity: Quantity,
    lines: Rc<[Line]>,
    title: AttrValue,
}

/// The values as a table, which is rendered while it is open.
#[component]
fn Values(props: &ValuesProps) -> Html {
    let language = use_language();
    let (is_open, ontoggle) = use_is_open();
    html! {
        <details id="chart-values" {ontoggle}>
            <summary>{ tr!(language, "results.chart.table") }</summary>
            if *is_open {
                { table(language, props) }
            }
        </details>
    }
}

/// Renders the values with a row for each N and a column for each line.
fn table(language: Language, ValuesProps { quantity, lines, title }: &ValuesProps) -> Html {
    let heads = lines.iter().map(|line| {
        html! { <th scope="col" class="number">{ &line.name }</th> }
    });
    let rows = rows(lines).into_iter().map(|(n, row)| {
        let cells = row.into_iter().map(|value| {
            let value =
                value.map_or_else(|| "–".to_owned(), |value| quantity.text(language, value));
            html! { <td class="number">{ value }</td> }
        });
        html! { <tr><th scope="row">{ n }</th>{ for cells }</tr> }
    });
    html! {
        <div class="wide-frame" tabindex="0" role="region" aria-label={title}>
            <table class="result-table">
                <caption class="hidden-text">{ title }</caption>
                <thead><tr><th scope="col">{ "N" }</th>{ for heads }</tr></thead>
                <tbody>{ for rows }</tbody>
            </table>
        </div>
    }
}

/// Returns the values of all lines by N.
fn rows(lines: &[Line]) -> BTreeMap<u32, Vec<Option<f64>>> {
    let mut rows: BTreeMap<u32, Vec<Option<f64>>> = BTreeMap::new();
    for (column, line) in lines.iter().enumerate() {
        for &(n, value) in &line.points {
            let row = rows.entry(n).or_insert_with(|| vec![None; lines.len()]);
            if let Some(cell) = row.get_mut(column) {
                *cell = Some(value);
            }
        }
    }
    rows
}

/// Writes a CSV line for each board of each series.
fn csv(series: &[Series]) -> String {
    let mut csv = String::from("series,n,total,seconds,solutions_per_second,source\r\n");
    for Series { name, boards, source, .. } in series {
        let name = quoted(name);
        let source = source.as_deref().unwrap_or_default();
        for (n, board) in boards {
            let (total, seconds, rate) = (board.total, board.seconds, board.rate());
            csv += &format!("{name},{n},{total},{seconds},{rate},{source}\r\n");
        }
    }
    csv
}

/// Quotes a field of a CSV file if necessary (RFC 4180).
fn quoted(field: &str) -> String {
    // The apostrophe prevents a spreadsheet from reading the name as a formula.
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

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use queens_core::Method;
    use queens_core::document::{Contradiction, Shard};
    use serde_json::Map;

    use super::*;
    use crate::parts::rendered::{elements, rendered, rendered_at, texts};
    use crate::views::results::entry::counted;
    use crate::words::plain;

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
        rendered_at(language, address, html! { <WithControls {entries} {filters} /> })
    }

    #[derive(Properties, PartialEq)]
    struct WithControlsProps {
        entries: Rc<[Entry]>,
        filters: ResultsParameters,
        #[prop_or_default]
        chosen: Option<String>,
    }

    /// The chart with its controls, as in the list.
    #[component]
    fn WithControls(WithControlsProps { entries, filters, chosen }: &WithControlsProps) -> Html {
        let (address, navigate) = use_address();
        let compared = use_comparison(entries, filters);
        let language = use_language();
        html! {
            <>
                { controls(language, &address, &navigate, &compared) }
                <Chart
                    {compared} entries={Rc::clone(entries)} filters={filters.clone()}
                    room={Room::Medium} chosen={chosen.clone()}
                />
            </>
        }
    }

    #[test]
    fn chart_texts_match_their_snapshots() {
        let states: [(&str, &[(Field, &str)]); 3] = [
            ("time", &[]),
            ("speed-up", &[(Field::Chart, "speed-up"), (Field::Base, "11")]),
            ("published", &[(Field::Chart, "rate"), (Field::Published, "1")]),
        ];
        for (name, fields) in states {
            for language in Language::ALL {
                let html = chart(language, fields);
                insta::assert_snapshot!(format!("{name}-{}", language.id()), texts(&html));
            }
        }
    }

    /// Returns the text above the picture, and whether it has a link to `result`.
    fn chosen(language: Language, address: Address, key: &str, result: &str) -> (String, bool) {
        let mut entries = entries();
        entries.push(counted("slower", 12, Method::Mirror, 15.0));
        let (entries, filters): (Rc<[Entry]>, _) =
            (entries.into(), filters::only(&address.results));
        let link = address.with_result(Some(result.to_owned())).to_link();
        let chart = html! { <WithControls {entries} {filters} chosen={key.to_owned()} /> };
        let html = rendered_at(language, address, chart);
        assert_eq!(elements(&html, "role=\"slider\"").len(), 1, "{html}");
        assert!(html.find("id=\"chart-value\"") < html.find("class=\"chart-frame\""), "{html}");
        let line = elements(&html, "id=\"chart-value\"")[0].inner();
        let has_link =
            elements(line, "href").iter().any(|to| plain(&to.attribute("href").unwrap()) == link);
        (texts(line).split_whitespace().collect::<Vec<_>>().join(" "), has_link)
    }

    #[test]
    fn a_chosen_mark_has_its_value_and_its_result_above_the_picture() {
        let [english, japanese] = Language::ALL;
        for (language, key, result, text) in [
            (
                english,
                "Mirror · cpu × 2-11",
                "11",
                "Mirror · cpu × 2: N = 11, 2.00 s Open the result",
            ),
            (
                english,
                "Mirror · cpu × 2-12",
                "12",
                "Mirror · cpu × 2: N = 12, 12.0 s (the fastest of 2 results) Open the result",
            ),
            // A forecast has no result.
            (
                english,
                "Mirror · cpu × 2-13",
                "",
                "Mirror · cpu × 2: N = 13: about 1 min 6 s expected",
            ),
            (
                japanese,
                "ミラー・cpu × 2-12",
                "12",
                "ミラー・cpu × 2：N = 12、12.0 秒（2 件の結果のうち最速） この結果を開く",
            ),
        ] {
            let found = chosen(language, Address::default(), key, result);
            assert_eq!(found, (text.to_owned(), !result.is_empty()));
        }
    }

    #[test]
    fn only_drawn_figures_have_their_sources_listed() {
        for (quantity, is_drawn) in [("rate", true), ("speed-up", false)] {
            let fields = [(Field::Chart, quantity), (Field::Published, "1")];
            let html = chart(Language::English, &fields);
            assert_eq!(!elements(&html, "class=\"sources\"").is_empty(), is_drawn, "{html}");
        }
    }

    /// The list passes new filters to the chart later than the address has them.
    #[test]
    fn the_chart_follows_its_own_filters_not_those_of_the_address() {
        let filters = ResultsParameters::default().with(Field::Method, "colours");
        let address = Address::default().with_field(Field::Method, "mirror");
        let entries: Rc<[Entry]> = entries().into();
        let chart = html! { <WithControls {entries} {filters} /> };
        let html = rendered_at(Language::English, address, chart);
        let legend = elements(&html, "class=\"legend\"");
        let names = legend.iter().map(|name| name.content()).collect::<Vec<_>>();
        assert!(matches!(&names[..], [name, _] if name.contains("Colour join")), "{names:?}");
    }

    #[test]
    fn the_value_of_a_mark_names_those_at_the_same_place() {
        let mut entries = entries();
        let threads = |id: &str, threads, seconds| {
            let mut entry = counted(id, 12, Method::Mirror, seconds);
            Rc::make_mut(&mut entry.header).host.threads = threads;
            entry
        };
        // The picture has some 100 units for each power of ten.
        entries.extend([
            threads("three", 3, 12.1),
            threads("four", 4, 11.9),
            threads("five", 5, 20.0),
        ]);
        let entries: Rc<[Entry]> = entries.into();
        let value = |language, key: &str| {
            let chart = html! {
                <WithControls
                    entries={Rc::clone(&entries)} filters={ResultsParameters::default()}
                    chosen={key.to_owned()}
                />
            };
            rendered(language, chart)
        };
        let html = value(Language::English, "Mirror · cpu × 2-12");
        let line = &elements(&html, "id=\"chart-value\"")[0];
        let text = "Mirror · cpu × 2: N = 12, 12.0 s Open the result, and at the same place: \
                    Mirror · cpu × 3: 12.1 s, Mirror · cpu × 4: 11.9 s";
        assert_eq!(plain(&line.content()), text);
        // Enter follows the link of the mark itself.
        let own = &elements(line.inner(), "class=\"chart-link chart-open\"")[0];
        assert_eq!(own.attribute("href").unwrap(), "?result=12");
        let links = elements(line.inner(), "class=\"chart-link");
        let results = links.iter().filter_map(|link| link.attribute("href"));
        assert_eq!(results.collect::<Vec<_>>(), ["?result=12", "?result=three", "?result=four"]);
        // Screen readers read the same.
        let read = elements(&html, "role=\"slider\"")[0].attribute("aria-valuetext").unwrap();
        assert_eq!(plain(&read), text.replace(" Open the result", ""));
        let html = value(Language::Japanese, "ミラー・cpu × 2-12");
        let line = elements(&html, "id=\"chart-value\"")[0].content();
        assert!(line.contains("、同じ位置にある点：ミラー・cpu × 3：12.1 秒、"), "{line}");
        let alone = value(Language::English, "Mirror · cpu × 5-12");
        assert!(!elements(&alone, "id=\"chart-value\"")[0].content().contains("same place"));
    }

    #[test]
    fn a_single_board_has_bars_instead_of_lines() {
        for (language, quantity, title, labels) in [
            (Language::English, "", "Shortest time for N = 12", ["500 ms", "12.0 s"]),
            (Language::Japanese, "", "N = 12 の最短の所要時間", ["500 ms", "12.0 秒"]),
            (Language::English, "rate", "Solutions per second for N = 12", ["1183", "2.84·10⁴"]),
            (
                Language::English,
                "speed-up",
                "Speed-up over Mirror · cpu × 2 for N = 12",
                ["× 1", "× 24"],
            ),
        ] {
            let html = chart(language, &[(Field::N, "12"), (Field::Chart, quantity)]);
            assert_eq!(plain(&elements(&html, "figcaption")[0].content()), title);
            let shown: Vec<_> = elements(&html, "class=\"legend\"")
                .iter()
                .map(|text| plain(&text.content()))
                .collect();
            // The lowest value comes first, and each has its name.
            assert!(shown.len() == 4 && shown[1].starts_with(labels[0]), "{shown:?}");
            assert!(shown[3].starts_with(labels[1]), "{shown:?}");
        }
    }

    #[test]
    fn bars_have_the_values_and_links_of_their_results() {
        let address = Address::default().with_field(Field::N, "12");
        let (text, has_link) =
            chosen(Language::English, address, "Colour join · cpu × 2-12", "quick");
        assert_eq!(text, "Colour join · cpu × 2: N = 12, 500 ms Open the result");
        assert!(has_link);
    }

    #[test]
    fn lines_without_a_forecast_name_the_reason_once() {
        let line = |name: &str, no_next| Line {
            name: name.into(),
            points: vec![],
            next: None,
            no_next,
            published: false,
            look: 0,
        };
        let missing = |boards: &[u32]| Some(NoForecast::Missing(boards.to_vec()));
        let lines = [
            line("a", missing(&[17])),
            line("b", None),
            line("c", missing(&[17])),
            line("d", Some(NoForecast::TooShort(12))),
            line("f", Some(NoForecast::TooFlat)),
            line("e", missing(&[14, 15])),
        ];
        let said = |language, lines: &[Line]| {
            let html = rendered(language, without_forecast(language, lines));
            plain(&texts(&html)).lines().map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(
            said(Language::English, &lines),
            [
                "Lines without a forecast: 5",
                "No forecast for a, c: N = 17 is missing.",
                "No forecast for d: N = 12 took less than 50 ms.",
                "No forecast for f: the times hardly grow from board to board.",
                "No forecast for e: N = 14, 15 are missing.",
            ]
        );
        assert_eq!(
            said(Language::Japanese, &lines)[1..4],
            [
                "a、c：N = 17 の結果がないため、見込みを出せません。",
                "d：N = 12 の所要時間が 50 ms より短いため、見込みを出せません。",
                "f：所要時間が N とともにほとんど増えていないため、見込みを出せません。",
            ]
        );
        let many: Vec<_> = (0..7).map(|name| line(&name.to_string(), missing(&[9]))).collect();
        let said = said(Language::English, &many);
        assert_eq!(said[1..], ["No forecast for 0, 1, 2, 3, and 3 more: N = 9 is missing."]);
    }

    #[test]
    fn boards_without_a_speed_up_are_named() {
        for (base, missing) in [("quick", Some("N = 10, 11.")), ("10", None)] {
            let fields = [(Field::Chart, "speed-up"), (Field::Base, base)];
            let html = chart(Language::English, &fields);
            let note = elements(&html, "id=\"without-base\"").first().map(|note| note.content());
            assert_eq!(note.is_some(), missing.is_some(), "{html}");
            assert!(note.is_none_or(|note| plain(&note).ends_with(missing.unwrap())), "{html}");
        }
    }

    #[test]
    fn the_reasons_for_no_forecast_come_last() {
        let [first, _, third, _] = &entries()[..] else { panic!() };
        let entries: Rc<[Entry]> = [first.clone(), third.clone()].into();
        let filters = ResultsParameters::default();
        let chart = html! { <WithControls {entries} {filters} /> };
        let html = rendered(Language::English, chart);
        let after = html.split_once("data-testid=\"no-forecast\"").unwrap().1;
        // Only the table of the values is below them.
        assert_eq!(after.matches("<details").count(), 1, "{after}");
        assert!(after.contains("chart-values") && !after.contains("<button"), "{after}");
    }

    #[test]
    fn lists_the_values_of_all_lines_by_n() {
        let (language, entries) = (Language::English, entries());
        let list = Address::default().results;
        let looks = &mut Looks::default();
        let comparison =
            Comparison::new(language, &comparable(&entries, &list), &list, looks).unwrap();
        let (quantity, lines) = (comparison.quantity, Rc::clone(&comparison.lines));
        let props = ValuesProps { quantity, lines, title: "Time".into() };
        let html = rendered(language, table(language, &props));
        let (_, body) = html.split_once("<tbody>").unwrap();
        let cells: Vec<_> = texts(body).split_whitespace().map(str::to_owned).collect();
        assert_eq!(cells.join(" "), "10 – 400 ms 11 – 2.00 s 12 500 ms 12.0 s");
    }

    #[test]
    fn compares_only_complete_consistent_counts() {
        let mut entries = entries();
        entries[0].contradictions = Rc::new([Contradiction::TaskSum { sum: 1, total: 2 }]);
        Rc::make_mut(&mut entries[1].header).shard =
            Some(Shard { index: 0, of: 2, extra: Map::default() });
        let list = ResultsParameters::default();
        let ids: Vec<_> = comparable(&entries, &list).into_iter().map(|each| each.id).collect();
        assert_eq!(ids, ["12", "quick"]);
    }

    #[test]
    fn selects_the_base_of_the_address() {
        let fields = [(Field::Chart, "speed-up"), (Field::Base, "11")];
        let html = chart(Language::English, &fields);
        let selected: Vec<_> =
            html.split("<option").filter(|each| each.contains("selected")).collect();
        assert_eq!(selected.len(), 2, "{html}");
        assert!(selected[1].contains("value=\"mirror."), "{html}");
    }

    #[test]
    fn selects_the_base_that_is_used_without_a_choice() {
        let html = chart(Language::English, &[(Field::Chart, "speed-up")]);
        let base = elements(&html, "id=\"base\"")[0].inner();
        let selected = elements(base, "selected");
        assert_eq!(selected.len(), 1, "{base}");
        // The heading names the same series.
        assert!(html.contains(&format!("Speed-up over {} by N", selected[0].content())), "{html}");
    }

    #[test]
    fn the_controls_stay_when_no_result_has_a_value() {
        let language = Language::English;
        // The base has no time for N = 10.
        let fields = [(Field::Chart, "speed-up"), (Field::Base, "quick"), (Field::N, "10")];
        for (language, part) in [
            (language, "has no time for any N of these results"),
            (Language::Japanese, "ありません"),
        ] {
            let html = chart(language, &fields);
            assert!(!html.contains("<svg"), "{html}");
            let text = elements(&html, "id=\"no-values\"")[0].content();
            assert!(text.contains(part), "{text}");
            let base = elements(&html, "id=\"base\"")[0].inner();
            assert_eq!(elements(base, "option").len(), 2, "{base}");
        }
        assert_eq!(chart(language, &[(Field::N, "9")]), "");
    }

    #[test]
    fn exports_the_values_as_csv() {
        let list = Address::default().with_field(Field::Published, "1").results;
        let looks = &mut Looks::default();
        let series =
            Comparison::new(Language::English, &comparable(&entries(), &list), &list, looks)
                .unwrap()
                .series;
        let csv = csv(&series);
        let lines: Vec<_> = csv.lines().collect();
        assert_eq!(lines[0], "series,n,total,seconds,solutions_per_second,source");
        assert_eq!(lines[1], "Colour join · cpu × 2,12,14200,0.5,28400,");
        assert!(lines.iter().any(|line| line.ends_with("https://arxiv.org/abs/2511.12009")));
        assert_eq!(quoted("=a,\"b\""), "\"'=a,\"\"b\"\"\"");
    }
}
