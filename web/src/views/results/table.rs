//! The table of results.

use std::cmp::Ordering;
use std::rc::Rc;

use queens_core::document::Check;
use queens_state::results::shown;
use web_sys::HtmlElement;
use yew::prelude::*;

use super::compare::{on_tick, show_button, ticked};
use super::entry::{Entry, Source, Verifier};
use super::filters;
use super::moment::Moment;
use super::words;
use crate::parts::deferred::use_slices;
use crate::place::{Address, Field, use_address};
use crate::words::{Language, duration, form_name, grouped, method_name, tr, use_language};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    N,
    Method,
    Form,
    Backend,
    Threads,
    Total,
    Unique,
    Time,
    Host,
    Started,
    Checks,
    Source,
}

impl Column {
    const ALL: [Column; 12] = [
        Column::N,
        Column::Method,
        Column::Form,
        Column::Backend,
        Column::Threads,
        Column::Total,
        Column::Unique,
        Column::Time,
        Column::Host,
        Column::Started,
        Column::Checks,
        Column::Source,
    ];

    const fn id(self) -> &'static str {
        match self {
            Column::N => "n",
            Column::Method => "method",
            Column::Form => "form",
            Column::Backend => "backend",
            Column::Threads => "threads",
            Column::Total => "total",
            Column::Unique => "unique",
            Column::Time => "time",
            Column::Host => "host",
            Column::Started => "started",
            Column::Checks => "checks",
            Column::Source => "source",
        }
    }

    fn name(self, language: Language) -> String {
        tr!(language, format!("results.column.{}", self.id()))
    }

    /// The CSS class of the cells. Numbers are aligned on the right, and narrow windows hide the
    /// less important columns.
    const fn class(self) -> &'static str {
        match self {
            Column::Total | Column::Time => "number",
            Column::N | Column::Method => "",
            Column::Started | Column::Source => "not-phone",
            Column::Threads | Column::Unique => "number desktop-only",
            Column::Form | Column::Backend | Column::Host | Column::Checks => "desktop-only",
        }
    }

    const fn can_sort(self) -> bool {
        !matches!(self, Column::Unique | Column::Checks | Column::Source)
    }

    fn compare(self, first: &Entry, second: &Entry) -> Ordering {
        let (a, b) = (&*first.header, &*second.header);
        match self {
            Column::N => a.n.cmp(&b.n),
            Column::Method => a.method.number().cmp(&b.method.number()),
            Column::Form => a.form.id().cmp(b.form.id()),
            Column::Backend => a.backend.kind.id().cmp(b.backend.kind.id()),
            Column::Threads => a.host.threads.cmp(&b.host.threads),
            Column::Total => a.total.cmp(&b.total),
            Column::Host => a.host.cpu.cmp(&b.host.cpu),
            Column::Time => a.seconds.get().total_cmp(&b.seconds.get()),
            // The last three cannot be sorted by.
            Column::Started | Column::Unique | Column::Checks | Column::Source => {
                first.compare_starts(second)
            }
        }
    }
}

/// The order of the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Order {
    by: Column,
    descending: bool,
}

impl Order {
    const LATEST: Order = Order { by: Column::Started, descending: true };

    /// Parses the order in an address. Without a valid column, the latest result comes first.
    fn parse(text: &str) -> Order {
        let (column, descending) = match text.strip_prefix('-') {
            Some(column) => (column, true),
            None => (text, false),
        };
        let by = Column::ALL.into_iter().find(|by| by.can_sort() && by.id() == column);
        by.map_or(Order::LATEST, |by| Order { by, descending })
    }

    /// Returns the order as in addresses; empty for the default.
    fn text(self) -> String {
        if self == Order::LATEST {
            return String::new();
        }
        [if self.descending { "-" } else { "" }, self.by.id()].concat()
    }

    /// Returns the order after a click on a column's head. A second click on the same head reverses
    /// the order.
    fn after(self, column: Column) -> Order {
        let descending = if self.by == column { !self.descending } else { false };
        Order { by: column, descending }
    }

    fn sort(self, entries: &mut [&Entry]) {
        entries.sort_by(|a, b| {
            let ascending = self.by.compare(a, b);
            if self.descending { ascending.reverse() } else { ascending }
        });
    }
}

#[derive(Properties, PartialEq)]
pub struct Props {
    pub entries: Rc<[Entry]>,
    /// Whether two results are ticked, which the page compares.
    #[prop_or_default]
    pub has_pair: bool,
    /// Whether all results of the list are new. Then none is highlighted.
    #[prop_or_default]
    pub all_fresh: bool,
    /// Whether the rows appear with the next animation frame, because the rest of the view appears now.
    #[prop_or_default]
    pub rows_follow: bool,
}

/// The id of the table.
pub const TABLE: &str = "results";

/// Returns the id of the link in the row of a document.
pub fn row_link(id: &str) -> String {
    format!("row-{id}")
}

/// The number of rows above which the browser skips the layout of rows outside the window. Until it lays out
/// such a row, it estimates the height, so rows may move while the page is scrolled.
const LONG: usize = 40;

/// The least width of the columns with totals, in digits: their headers need that much.
const LEAST_DIGITS: usize = 7;

/// Returns the width of the columns with totals, in digits.
fn digits(entries: &[Entry]) -> usize {
    let largest = entries.iter().map(|entry| entry.header.total).max().unwrap_or_default();
    grouped(largest).len().max(LEAST_DIGITS)
}

/// Returns the reference of the table. An effect sets a custom property of the table, from which the
/// stylesheet takes the width of the columns with totals. The server's policy forbids style attributes.
#[hook]
fn use_width_of_totals(digits: usize) -> NodeRef {
    let table = use_node_ref();
    let reference = table.clone();
    use_effect_with(digits, move |digits| {
        if let Some(table) = reference.cast::<HtmlElement>() {
            // Setting a custom property of an element cannot fail.
            let _ = table.style().set_property("--digits", &digits.to_string());
        }
    });
    table
}

/// The table of results.
///
/// Each row is a CSS grid, because a browser lays out all rows of a table again when one is added. In some
/// browsers, table elements with another layout lose their roles, so each element states its role.
#[component]
pub fn Table(props: &Props) -> Html {
    let language = use_language();
    let (address, navigate) = use_address();
    let order = Order::parse(address.results.get(Field::Sort));
    let table = use_width_of_totals(digits(&props.entries));
    let mut entries: Vec<&Entry> = props.entries.iter().collect();
    order.sort(&mut entries);
    let shows_all = use_state_eq(|| false);
    let heads = Column::ALL.map(|column| {
        let to = address.with_field(Field::Sort, &order.after(column).text());
        let (navigate, shows_all) = (navigate.clone(), shows_all.setter());
        let onclick = Callback::from(move |_| {
            shows_all.set(false);
            navigate.replace(to.clone());
        });
        head(language, column, order, onclick)
    });
    let count = entries.len();
    if !*shows_all {
        entries.truncate(FIRST_ROWS);
    }
    let entries: Vec<Entry> = entries.into_iter().cloned().collect();
    let class = classes!("result-table", (entries.len() > LONG).then_some("long"));
    let more = (entries.len() < count).then(|| {
        let shows_all = shows_all.setter();
        Callback::from(move |_: MouseEvent| shows_all.set(true))
    });
    // Rows that replace others are there at once, so that the page keeps its height.
    let rows_follow = use_mut_ref(|| props.rows_follow).replace(false);
    // A new key recreates all rows when the filters or the order change, which is faster than
    // updating the existing ones.
    let key = filters::key(&address.results) + address.results.get(Field::Sort);
    let onchange = on_tick(&address, &navigate);
    let ticked = ticked(&address.results).map(str::to_owned).collect::<Vec<_>>();
    // Links to single results depend neither on the ticks nor on the open result, so a tick renders one row only.
    let address = Rc::new(address.with_field(Field::Pair, "").with_result(None));
    let caption = if props.has_pair { "results.table-of-pair" } else { "results.table" };
    // Every child of the table has a key, because otherwise all rows after a new one would be
    // recreated.
    html! {
        <>
            <table {class} id={TABLE} role="table" tabindex="-1" ref={table} {onchange}>
                <caption key="caption" class="soft">{ tr!(language, caption) }</caption>
                <thead key="head" role="rowgroup"><tr role="row">
                    <th key="tick" scope="col" role="columnheader">
                        <span class="compare-head">{ tr!(language, "results.compare.column") }</span>
                    </th>
                    { for heads }
                </tr></thead>
                <Rows
                    {key} {entries} {ticked} {address} {language}
                    has_pair={props.has_pair} all_fresh={props.all_fresh} {rows_follow}
                />
            </table>
            if let Some(onclick) = more {
                <button id="all-rows" type="button" {onclick}>
                    { tr!(language, "results.all-rows", count = grouped(count as u64)) }
                </button>
            }
        </>
    }
}

/// The number of rows that are shown until the user requests all rows.
const FIRST_ROWS: usize = 100;

/// The number of rows that are created at a time. With layout, they take about 20 ms on an old processor.
const SLICE: usize = 8;

#[derive(Properties, PartialEq)]
struct RowsProps {
    /// The documents in their order.
    entries: Vec<Entry>,
    /// The ids of the ticked documents.
    ticked: Vec<String>,
    /// Whether two documents are ticked, which the page compares.
    #[prop_or_default]
    has_pair: bool,
    #[prop_or_default]
    all_fresh: bool,
    address: Rc<Address>,
    language: Language,
    /// Whether the first slice appears with the next animation frame.
    #[prop_or_default]
    rows_follow: bool,
}

/// The rows, created in slices: the first slice immediately or with the next animation frame, another
/// slice with each further frame.
#[component]
fn Rows(props: &RowsProps) -> Html {
    let RowsProps { entries, ticked, has_pair, all_fresh, address, language, rows_follow } = props;
    let first = use_memo((), |()| if *rows_follow { 0 } else { SLICE });
    let shown = use_slices(entries.len(), *first, SLICE);
    let rows = entries.iter().take(shown).map(|entry| {
        let is_ticked = ticked.contains(&entry.id);
        html! {
            <Row
                key={entry.id.clone()} entry={entry.clone()} {is_ticked}
                leads_to_pair={is_ticked && *has_pair}
                is_highlighted={entry.is_highlighted() && !all_fresh}
                address={Rc::clone(address)} language={*language}
            />
        }
    });
    html! { <>{ for rows }</> }
}

fn head(language: Language, column: Column, order: Order, onclick: Callback<MouseEvent>) -> Html {
    let name = column.name(language);
    let (aria_sort, arrow) = words::sort_marks((order.by == column).then_some(order.descending));
    html! {
        <th
            key={column.id()} scope="col" role="columnheader" class={column.class()}
            aria-sort={aria_sort}
        >
            if column.can_sort() {
                <button
                    type="button" class="quiet" {onclick}
                    title={tr!(language, "results.sort", column = name)}
                >
                    { name }<span class="arrow" aria-hidden="true">{ arrow }</span>
                </button>
            } else {
                { name }
            }
        </th>
    }
}

#[derive(Properties, PartialEq)]
struct RowProps {
    entry: Entry,
    /// Whether the document is ticked for a comparison.
    is_ticked: bool,
    /// Whether the document is one of two that the page compares.
    leads_to_pair: bool,
    /// Whether the row is marked as new.
    is_highlighted: bool,
    /// The address of the list, for links to its documents.
    address: Rc<Address>,
    language: Language,
}

/// The largest number of contradictions that a row lists.
const MAX_CONTRADICTIONS: usize = 4;

/// The `<tbody>` of a document. A document with contradictions has a second row, so each document
/// needs a `<tbody>`.
#[component]
fn Row(props: &RowProps) -> Html {
    let RowProps { entry, is_ticked, leads_to_pair, is_highlighted, address, language } = props;
    let language = *language;
    let wrong = !entry.contradictions.is_empty();
    // The link is plain, because a component for each of hundreds of rows would be slow. The
    // element around the table follows links.
    let href = address.with_result(Some(entry.id.clone())).to_link();
    let n = entry.header.n;
    let (run, started) =
        (words::run_name(language, entry), Moment::new(&entry.header.started).local);
    let tick = tr!(language, "results.compare.tick", run = run, started = started);
    let label = link_label(language, entry);
    let cells = Column::ALL.into_iter().skip(1).map(|column| {
        html! {
            <td key={column.id()} role="cell" class={column.class()}>
                { cell(language, column, entry) }
            </td>
        }
    });
    let contradictions = entry.contradictions.iter().take(MAX_CONTRADICTIONS).map(|each| {
        html! { <li>{ words::contradiction(language, each) }</li> }
    });
    let all = entry.contradictions.len() + entry.further_contradictions;
    let more = all.saturating_sub(MAX_CONTRADICTIONS);
    html! {
        <tbody
            role="rowgroup"
            class={classes!(
                wrong.then_some("contradictory"), is_highlighted.then_some("just-loaded"),
                is_ticked.then_some("ticked")
            )}
            data-testid="result" data-n={n.to_string()} data-id={entry.id.clone()}
        >
            <tr role="row">
                <td class="tick" role="cell">
                    <label>
                        <input type="checkbox" value={entry.id.clone()} checked={*is_ticked} />
                        <span class="hidden-text">{ tick }</span>
                    </label>
                    if *leads_to_pair {
                        // The bar below the table is far away from the keyboard's focus.
                        { show_button(language, None, "to-pair") }
                    }
                </td>
                <th scope="row" role="rowheader">
                    <a {href} class="row-link" id={row_link(&entry.id)} aria-label={label}>
                        { n.to_string() }
                    </a>
                    if *is_highlighted {
                        <span class="arrived">{ tr!(language, "results.fresh") }</span>
                    }
                </th>
                { for cells }
            </tr>
            if wrong {
                <tr class="why-contradictory" role="row">
                    <td role="cell" colspan={(Column::ALL.len() + 1).to_string()}>
                        <strong>{ tr!(language, "results.contradictions") }</strong>
                        <ul>{ for contradictions }</ul>
                        if more > 0 {
                            { tr!(language, "results.and-more", count = grouped(more as u64)) }
                        }
                    </td>
                </tr>
            }
        </tbody>
    }
}

/// Returns the name of the link to a document: N, method and processor.
fn link_label(language: Language, entry: &Entry) -> String {
    let header = &entry.header;
    let (n, method) = (header.n, method_name(language, header.method));
    let mut label = tr!(language, "results.run-label", n = n, method = method);
    if !header.host.cpu.is_empty() {
        label += language.comma();
        label += &shown(&header.host.cpu);
    }
    label
}

fn cell(language: Language, column: Column, entry: &Entry) -> Html {
    let header = &entry.header;
    match column {
        Column::N => html! { header.n },
        Column::Method => {
            let shard = header
                .shard
                .as_ref()
                .map(|shard| tr!(language, "results.shard", index = shard.index, of = shard.of));
            html! {
                <>
                    { method_name(language, header.method) }
                    if let Some(shard) = shard { <span class="soft shard">{ shard }</span> }
                    <span class="soft row-more">
                        // Wide windows have columns for them.
                        <span class="not-desktop">
                            { header.backend.kind.id() }{ language.comma() }
                            { words::threads(language, header.host.threads) }
                        </span>
                        // Phones have no column for the source.
                        <span class="phone-only">
                            { language.dot() }{ words::sources(language, entry) }
                        </span>
                    </span>
                </>
            }
        }
        Column::Backend => html! {
            <span title={shown(&header.backend.device)}>{ header.backend.kind.id() }</span>
        },
        Column::Total => html! { grouped(header.total) },
        Column::Unique => html! { header.unique.map_or_else(|| "–".to_owned(), grouped) },
        Column::Time => html! { duration(language, header.seconds.get()) },
        Column::Form => html! { form_name(language, header.form) },
        Column::Threads => html! { header.host.threads },
        Column::Host => {
            let name = shown(&header.host.cpu);
            html! { <span class="two-lines" title={name.clone()}>{ name }</span> }
        }
        Column::Started => {
            let Moment { local, utc } = Moment::new(&header.started);
            html! { <time datetime={header.started.clone()} title={utc}>{ local }</time> }
        }
        Column::Checks if !entry.contradictions.is_empty() => html! {
            <strong>{ tr!(language, "results.contradictory") }</strong>
        },
        Column::Checks => checks(language, entry),
        Column::Source => source_cell(language, entry),
    }
}

/// Renders the origins of a document: its own and the loaded files that have the same document.
fn source_cell(language: Language, entry: &Entry) -> Html {
    let own = match &entry.source {
        Source::File(name) => file_name(name),
        source => html! { words::source(language, source) },
    };
    html! { <>{ own }{ for entry.copies.iter().map(|name| file_name(name)) }</> }
}

/// Renders the name of a file on a line of its own. A long name is shortened before its extension.
fn file_name(name: &str) -> Html {
    let name = shown(name);
    let (stem, extension) = match name.rfind('.') {
        Some(at) if at > 0 => name.split_at(at),
        _ => (&*name, ""),
    };
    html! {
        <span class="file-name" title={name.clone()}>
            <span>{ stem }</span>{ extension }
        </span>
    }
}

/// Renders the number of checks that the server or the page made, or a dash. A click on the number shows these checks in words, and
/// those that the sender claims.
fn checks(language: Language, entry: &Entry) -> Html {
    let list = |checks: Vec<&str>| match checks[..] {
        [] => "–".to_owned(),
        _ => {
            let checks = checks.into_iter().map(|check| words::short_check(language, check));
            checks.collect::<Vec<_>>().join(language.comma())
        }
    };
    let claimed = match &entry.header.checks[..] {
        [] => tr!(language, "results.none-claimed"),
        checks => shown(&list(checks.iter().map(String::as_str).collect())),
    };
    let (by, verified) = entry.verified;
    let summary = match verified.iter().count() {
        // A dash would be a button without a name. The open document lists what the sender claims.
        0 => return html! { "–" },
        1 => html! { <span class="good">{ tr!(language, "results.checks-one") }</span> },
        count => {
            html! { <span class="good">{ tr!(language, "results.checks-many", count = count) }</span> }
        }
    };
    let verified = list(verified.iter().map(Check::id).collect());
    let verified = match by {
        Verifier::Server => tr!(language, "results.checks-of-server", checks = verified),
        Verifier::Page => tr!(language, "results.checks-of-page", checks = verified),
    };
    html! {
        <details class="check-marks">
            <summary>{ summary }</summary>
            { verified }
            <br />
            { tr!(language, "results.checks-of-sender", checks = claimed) }
        </details>
    }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use queens_core::document::Checks;

    use super::*;
    use crate::parts::rendered::{elements, rendered, rendered_at, texts};
    use crate::views::results::entry::{contradictory, read_document};
    use crate::words::plain;

    #[test]
    fn a_row_shows_the_first_contradictions() {
        for (language, first) in [
            (Language::English, "tasks[0].id: task 1000 does not belong to this plan."),
            (Language::Japanese, "1000"),
        ] {
            let html =
                rendered(language, html! { <Table entries={Rc::from([contradictory(40)])} /> });
            assert_eq!(html.matches("<li>").count(), MAX_CONTRADICTIONS, "{html}");
            assert!(texts(&html).contains("78"), "the number of further ones: {html}");
            assert!(html.contains("class=\"contradictory\""), "{html}");
            assert!(texts(&html).contains(first), "{html}");
        }
    }

    #[test]
    fn ticked_and_loaded_rows_are_marked() {
        let text = include_str!("../../../../tests/data/results/eight.json");
        let entry = |id: &str, fresh| {
            let mut entry = Entry::of_file("x".into(), read_document(text)).unwrap();
            (entry.id, entry.fresh) = (id.into(), fresh);
            entry
        };
        let entries = Rc::from([entry("a", true), entry("b", false), entry("c", false)]);
        let address = Address::default().with_field(Field::Pair, "b,a");
        let html = rendered_at(Language::English, address, html! { <Table {entries} /> });
        let rows = elements(&html, "data-testid=\"result\"");
        let classes = rows.iter().map(|row| row.attribute("class").unwrap_or_default());
        assert_eq!(classes.collect::<Vec<_>>(), ["just-loaded ticked", "ticked", ""], "{html}");
        let boxes = elements(&html, "type=\"checkbox\"");
        let ids = boxes.iter().filter_map(|tick| tick.attribute("value"));
        assert_eq!(ids.collect::<Vec<_>>(), ["a", "b", "c"]);
        // A tick must not change the links of all rows.
        assert!(!html.contains("pair="), "{html}");
    }

    #[test]
    fn ticked_rows_have_a_stronger_colour_than_loaded_ones() {
        let style = include_str!("../../../style/views.css");
        let rules = |class: &str| {
            let selector = format!(".result-table .{class} > tr {{");
            let rules = style.split(&selector).skip(1);
            rules.filter_map(|rest| rest.split('}').next()).map(str::trim).collect::<Vec<_>>()
        };
        let [ticked, ticked_forced] = rules("ticked")[..] else { panic!("{style}") };
        let [loaded, loaded_forced] = rules("just-loaded")[..] else { panic!("{style}") };
        assert_eq!(ticked, "background: var(--accent-soft);");
        let part = "background: color-mix(in srgb, var(--accent-soft) ";
        let share = loaded.strip_prefix(part).and_then(|rest| rest.split_once('%')).unwrap().0;
        assert!(share.parse::<u32>().unwrap() <= 50, "{loaded}");
        // Backgrounds disappear with forced colours.
        assert!(ticked_forced.contains("solid") && loaded_forced.contains("dashed"), "{style}");
    }

    #[test]
    fn the_word_of_new_rows_keeps_its_background_with_forced_colours() {
        let style = include_str!("../../../style/views.css");
        let (_, rule) = style.split_once("  .arrived {").unwrap();
        assert!(rule.trim_start().starts_with("forced-color-adjust: none;"), "{style}");
    }

    #[test]
    fn the_first_rows_may_follow_the_rest_of_the_view() {
        let text = include_str!("../../../../tests/data/results/eight.json");
        let entry = |id: usize| {
            let mut entry = Entry::of_file("x".into(), read_document(text)).unwrap();
            entry.id = id.to_string();
            entry
        };
        let entries: Rc<[Entry]> = (0..120).map(entry).collect();
        for (rows_follow, expected) in [(false, SLICE), (true, 0)] {
            let entries = Rc::clone(&entries);
            let html = rendered(Language::English, html! { <Table {entries} {rows_follow} /> });
            assert_eq!(elements(&html, "data-testid=\"result\"").len(), expected);
            assert!(html.contains("id=\"all-rows\""), "{html}");
        }
    }

    #[test]
    fn columns_with_totals_fit_the_largest_total() {
        let text = include_str!("../../../../tests/data/results/eight.json");
        let entry = |total| {
            let mut entry = Entry::of_file("x".into(), read_document(text)).unwrap();
            Rc::make_mut(&mut entry.header).total = total;
            entry
        };
        let large = 234_907_967_154_122_528;
        assert_eq!(digits(&[entry(92), entry(large), entry(4)]), "234,907,967,154,122,528".len());
        assert_eq!(digits(&[entry(92)]), LEAST_DIGITS);
        assert_eq!(digits(&[]), LEAST_DIGITS);
    }

    #[test]
    fn every_column_has_a_name() {
        for language in Language::ALL {
            let names = Column::ALL.map(|column| column.name(language));
            assert_eq!(names[0], "N");
            assert!(names.iter().all(|name| !name.contains("results.")), "{names:?}");
        }
    }

    #[test]
    fn a_row_shows_the_number_of_checks_and_the_extension_of_its_file() {
        let text = include_str!("../../../../tests/data/results/eight.json");
        let mut entry = Entry::of_file("n15-symmetry.v2.json".into(), read_document(text)).unwrap();
        entry.id = "file-1".into();
        for (language, count, all) in [
            (Language::English, "✓ 3 checks", "this page: tasks add up"),
            (Language::Japanese, "✓ 検算 3 件", "このページ"),
        ] {
            let html = rendered(language, html! { <Table entries={Rc::from([entry.clone()])} /> });
            let checks = elements(&html, "class=\"check-marks\"");
            let summary = elements(checks[0].inner(), "summary")[0].content();
            assert_eq!(plain(&summary), count);
            assert!(checks[0].content().contains(all), "{html}");
            let name = &elements(&html, "class=\"file-name\"")[0];
            assert_eq!(name.attribute("title").unwrap(), "n15-symmetry.v2.json");
            let stem = elements(name.inner(), "span")[0].content();
            assert_eq!((&*stem, &*name.content()), ("n15-symmetry.v2", "n15-symmetry.v2.json"));
        }
    }

    #[test]
    fn a_row_names_the_server_and_the_files_with_the_same_document() {
        let text = include_str!("../../../../tests/data/results/eight.json");
        let mut entry = Entry::of_file("x".into(), read_document(text)).unwrap();
        (entry.source, entry.fresh_copies) = (Source::Server, 1);
        entry.copies = Rc::new(["a.json".to_owned(), "b.json".to_owned()]);
        for (language, server) in [(Language::English, "server"), (Language::Japanese, "サーバー")]
        {
            let html = rendered(language, cell(language, Column::Source, &entry));
            assert!(plain(&html).starts_with(server), "{html}");
            let names = elements(&html, "class=\"file-name\"");
            let names: Vec<_> = names.iter().map(|name| name.content()).collect();
            assert_eq!(names, ["a.json", "b.json"], "{html}");
            let html = rendered(language, html! { <Table entries={Rc::from([entry.clone()])} /> });
            assert!(html.contains("just-loaded"), "{html}");
        }
    }

    #[test]
    fn a_row_without_checks_has_no_details() {
        let text = include_str!("../../../../tests/data/results/eight.json");
        let mut entry = Entry::of_file("x".into(), read_document(text)).unwrap();
        let shown = |entry: &Entry| rendered(Language::English, checks(Language::English, entry));
        assert!(shown(&entry).contains("<summary>"));
        entry.verified.1 = Checks::NONE;
        assert_eq!(shown(&entry), "–");
    }

    #[test]
    fn a_row_says_that_the_sender_reports_no_checks() {
        let text = include_str!("../../../../tests/data/results/eight.json");
        let mut entry = Entry::of_file("x".into(), read_document(text)).unwrap();
        Rc::make_mut(&mut entry.header).checks.clear();
        for (language, part) in [
            (Language::English, "sender: none reported"),
            (Language::Japanese, "結果ファイルの記載：なし"),
        ] {
            let said = texts(&rendered(language, checks(language, &entry)));
            assert!(said.contains(part) && !said.contains('–'), "{said}");
        }
    }

    #[test]
    fn the_link_of_a_row_names_method_and_processor() {
        let text = include_str!("../../../../tests/data/results/eight.json");
        let entry = Entry::of_file("x".into(), read_document(text)).unwrap();
        for (language, label) in [
            (Language::English, "N = 8, Symmetry, Some Processor"),
            (Language::Japanese, "N = 8、対称解除法、Some Processor"),
        ] {
            let html = rendered(language, html! { <Table entries={Rc::from([entry.clone()])} /> });
            let link = &elements(&html, "class=\"row-link\"")[0];
            assert_eq!(plain(&link.attribute("aria-label").unwrap()), label);
            assert_eq!(link.content(), "8");
        }
    }

    #[test]
    fn the_column_of_the_boxes_has_a_visible_heading() {
        for (language, heading) in [(Language::English, "Compare"), (Language::Japanese, "比較")]
        {
            let html = rendered(language, html! { <Table entries={Rc::from([])} /> });
            assert_eq!(elements(&html, "class=\"compare-head\"")[0].inner().trim(), heading);
        }
    }

    #[test]
    fn both_ticked_rows_lead_to_the_comparison() {
        let text = include_str!("../../../../tests/data/results/eight.json");
        let entry = |id: &str| {
            let mut entry = Entry::of_file("x".into(), read_document(text)).unwrap();
            entry.id = id.into();
            entry
        };
        let entries: Rc<[Entry]> = ["a", "b", "c"].map(entry).into();
        let address = Address::default().with_field(Field::Pair, "c,a");
        for (has_pair, expected) in [(true, &["a", "c"][..]), (false, &[])] {
            let entries = Rc::clone(&entries);
            let table = html! { <Table {entries} {has_pair} /> };
            let html = rendered_at(Language::English, address.clone(), table);
            let rows = elements(&html, "data-testid=\"result\"");
            let leading = rows.iter().filter(|row| row.content().contains("side by side"));
            let ids: Vec<_> = leading.filter_map(|row| row.attribute("data-id")).collect();
            assert_eq!(ids, expected, "{html}");
        }
    }

    #[test]
    fn a_row_has_the_run_in_narrow_windows_and_the_full_name_of_the_processor() {
        let text = include_str!("../../../../tests/data/results/eight.json");
        let entry = Entry::of_file("x".into(), read_document(text)).unwrap();
        let html = rendered(Language::English, cell(Language::English, Column::Method, &entry));
        let run = &elements(&html, "not-desktop")[0];
        assert_eq!(plain(run.content().trim()), "cpu, 2 threads");
        let html = rendered(Language::English, cell(Language::English, Column::Host, &entry));
        let name = &elements(&html, "class=\"two-lines\"")[0];
        assert_eq!(name.attribute("title").unwrap(), "Some Processor");
    }

    #[test]
    fn clicking_a_header_sorts_then_reverses() {
        let by_n = Order::LATEST.after(Column::N);
        assert_eq!(by_n, Order { by: Column::N, descending: false });
        assert_eq!(by_n.after(Column::N), Order { by: Column::N, descending: true });
    }

    #[test]
    fn the_sort_order_round_trips_through_the_address() {
        for by in Column::ALL.into_iter().filter(|by| by.can_sort()) {
            for descending in [false, true] {
                let order = Order { by, descending };
                assert_eq!(Order::parse(&order.text()), order);
            }
        }
        for unknown in ["", "-", "checks", "no-such"] {
            assert_eq!(Order::parse(unknown), Order::LATEST);
        }
    }

    #[test]
    fn sorts_rows_by_start_and_by_time() {
        let text = include_str!("../../../../tests/data/results/eight.json");
        let entry = |id: &str, started: &str, seconds: &str| {
            let text = text.replace("2026-01-31T09:30:00Z", started);
            let text = text.replace("\"seconds\": 0.25", &format!("\"seconds\": {seconds}"));
            let mut entry = Entry::of_file("x".into(), read_document(&text)).unwrap();
            entry.id = id.into();
            entry
        };
        let early = entry("early", "2026-01-01T00:00:00Z", "9");
        let late = entry("late", "2026-02-01T00:00:00Z", "1");
        let mut entries = [&early, &late];
        Order::LATEST.sort(&mut entries);
        assert_eq!(entries[0].id, "late");
        Order { by: Column::Time, descending: true }.sort(&mut entries);
        assert_eq!(entries[0].id, "early");
    }

    #[test]
    fn sorts_by_start_across_time_zones() {
        let text = include_str!("../../../../tests/data/results/eight.json");
        // The second count started an hour later, but its local time is earlier.
        let [early, late] = ["2026-01-31T23:00:00+09:00", "2026-01-31T15:00:00Z"].map(|started| {
            let text = text.replace("2026-01-31T09:30:00Z", started);
            Entry::of_file("x".into(), read_document(&text)).unwrap()
        });
        let mut entries = [&early, &late];
        Order::LATEST.sort(&mut entries);
        assert!(std::ptr::eq(entries[0], &late));
    }
}
