//! The table of results.

use std::rc::Rc;

use yew::prelude::*;

use super::compare::{on_tick, ticked};
use super::entry::Entry;
use super::filters;
use super::model::shown;
use super::moment::Moment;
use super::words;
use crate::address::{Address, Field, View, use_address};
use crate::parts::deferred::use_slices;
use crate::parts::pager::{Pager, items};
use crate::parts::table::{Column, Order, cells, sorting_heads};
use crate::words::{Language, contradiction, duration, grouped, method_name, tr, use_language};

/// What the cells of a row depend on, besides its document.
#[derive(Clone, PartialEq)]
struct Context {
    language: Language,
    /// The address of the list, for links to its documents.
    address: Rc<Address>,
    /// Whether the row is marked as new.
    is_highlighted: bool,
    /// The numbers of the columns that are shown. The values of the others are the same in all rows.
    columns: Rc<[usize]>,
}

/// The columns after that of the boxes to tick. A new column needs only its line here and its title.
static COLUMNS: [Column<Context, Entry>; 10] = [
    Column::new("results.column.n", "", link).sorted_by(|a, b| a.header.n.cmp(&b.header.n)),
    Column::new("results.column.method", "", method)
        .sorted_by(|a, b| a.header.method.number().cmp(&b.header.method.number()))
        .folding(|context, entry| {
            let name = method_name(context.language, entry.header.method);
            [name, shard(context.language, entry).unwrap_or_default()].join(" ").trim().to_owned()
        }),
    Column::new("results.column.backend", "desktop-only", |_, entry: &Entry| {
        let backend = &entry.header.backend;
        html! { <span title={shown(&backend.device)}>{ backend.kind.id() }</span> }
    })
    .sorted_by(|a, b| a.header.backend.kind.id().cmp(b.header.backend.kind.id()))
    .folding(|_, entry| entry.header.backend.kind.id().to_owned()),
    Column::new("results.column.threads", "number desktop-only", |_, entry: &Entry| {
        html! { entry.header.host.threads }
    })
    .sorted_by(|a, b| a.header.host.threads.cmp(&b.header.host.threads))
    .folding(|context, entry| words::threads(context.language, entry.header.host.threads)),
    Column::new("results.column.total", "number", |_, entry: &Entry| {
        html! { grouped(entry.header.total) }
    })
    .sorted_by(|a, b| a.header.total.cmp(&b.header.total)),
    Column::new("results.column.time", "number", |context: &Context, entry: &Entry| {
        html! { duration(context.language, entry.header.seconds.get()) }
    })
    .sorted_by(|a, b| a.header.seconds.get().total_cmp(&b.header.seconds.get())),
    Column::new("results.column.host", "desktop-only", |_, entry: &Entry| {
        let name = shown(&entry.header.host.cpu);
        html! { <span class="two-lines" title={name.clone()}>{ name }</span> }
    })
    .sorted_by(|a, b| a.header.host.cpu.cmp(&b.header.host.cpu))
    .folding(|_, entry| shown(&entry.header.host.cpu)),
    Column::new("results.column.started", "not-phone", |_, entry: &Entry| {
        let started = &entry.header.started;
        let Moment { local, utc } = Moment::new(started);
        html! { <time datetime={started.clone()} title={utc}>{ local }</time> }
    })
    .sorted_by(Entry::compare_starts),
    Column::new("results.column.checks", "desktop-only", |context: &Context, entry: &Entry| {
        checks(context.language, entry)
    }),
    Column::new("results.column.source", "not-phone", |context: &Context, entry: &Entry| {
        source(context.language, entry)
    })
    .folding(|context, entry| words::sources(context.language, entry)),
];

/// Returns the numbers of the columns that are shown, and the texts of those that are the same in all rows.
fn folded(context: &Context, entries: &[Entry]) -> (Rc<[usize]>, Vec<String>) {
    let mut texts: Vec<_> =
        COLUMNS.iter().map(|column| column.common_text(context, entries)).collect();
    // On narrow pages, only the cell of the method has the backend and the threads.
    let column = |id: &str| COLUMNS.iter().position(|column| column.id() == id);
    let is_folded = |id| column(id).and_then(|at| texts.get(at)).is_some_and(Option::is_some);
    if !["backend", "threads"].into_iter().all(is_folded)
        && let Some(method) = column("method").and_then(|at| texts.get_mut(at))
    {
        *method = None;
    }
    let shown = texts.iter().enumerate().filter(|(_, text)| text.is_none()).map(|(at, _)| at);
    (shown.collect(), texts.iter().flatten().filter(|text| !text.is_empty()).cloned().collect())
}

/// Returns the columns with these numbers.
fn shown_columns(columns: &[usize]) -> impl Iterator<Item = &'static Column<Context, Entry>> {
    columns.iter().filter_map(|&column| COLUMNS.get(column))
}

/// The latest result first.
const LATEST: Order = Order { by: "started", descending: true };

#[derive(Properties, PartialEq)]
pub struct Props {
    pub entries: Rc<[Entry]>,
    /// Whether all results of the list are new. Then none is highlighted.
    #[prop_or_default]
    pub all_fresh: bool,
    /// Whether the rows appear with the next animation frame, because the rest of the view appears now.
    #[prop_or_default]
    pub rows_follow: bool,
    /// Called before a tick opens a comparison.
    #[prop_or_default]
    pub on_leave: Callback<()>,
}

/// The id of the table.
const TABLE: &str = "results";

/// Returns the id of the link in the row of a document.
pub fn row_link(id: &str) -> String {
    format!("row-{id}")
}

/// The table of results, a page at a time.
#[component]
pub fn Table(props: &Props) -> Html {
    let language = use_language();
    let (address, navigate) = use_address();
    let order = Order::parse(&COLUMNS, address.results.get(Field::Sort), LATEST);
    let mut entries: Vec<Entry> = props.entries.to_vec();
    order.sort(&COLUMNS, &mut entries);
    // A new key recreates all rows when the filters, the order or the page change, which is faster than
    // updating the existing ones.
    let list = filters::key(&address.results) + address.results.get(Field::Sort);
    let page = use_state_eq(|| (String::new(), 0));
    // Other filters and another order begin with their first page.
    let current = if page.0 == list { page.1 } else { 0 };
    let on_page = {
        let (page, list) = (page.setter(), list.clone());
        Callback::from(move |to| page.set((list.clone(), to)))
    };
    let all = entries.len();
    let entries = entries.get(items(current, all)).unwrap_or_default().to_vec();
    let key = format!("{list} {current}");
    let on_order = {
        let (address, navigate) = (address.clone(), navigate.clone());
        Callback::from(move |order: String| {
            navigate.replace(address.with_field(Field::Sort, &order));
        })
    };
    // Rows that replace others are there at once, so that the page keeps its height.
    let rows_follow = use_mut_ref(|| props.rows_follow).replace(false);
    let onchange = on_tick(&address, &navigate, &props.on_leave);
    let ticked = ticked(&address.results).map(str::to_owned).collect::<Vec<_>>();
    // Links to single results depend neither on the ticks nor on the open result, so a tick renders one row only.
    let address = Rc::new(address.with_field(Field::Pair, "").with_result(None));
    let context = Context { language, address, is_highlighted: false, columns: Rc::new([]) };
    let (columns, common) = folded(&context, &props.entries);
    let heads = sorting_heads(language, shown_columns(&columns), [order, LATEST], &on_order);
    let context = Context { columns, ..context };
    // Every child of the table has a key, because otherwise all rows after a new one would be
    // recreated.
    html! {
        <>
            <Pager id={TABLE} {all} page={current} {on_page} />
            <div class="wide-frame" tabindex="0" role="region" aria-label={View::Results.name(language)}>
                <table class="result-table" id={TABLE} {onchange}>
                    <caption key="caption" class="soft">
                        { tr!(language, "results.table") }
                        if !common.is_empty() {
                            { language.space() }
                            <span id="all-equal">
                                { tr!(language, "results.all-equal", values = common.join(language.comma())) }
                            </span>
                        }
                    </caption>
                    <thead key="head"><tr>
                        <th key="tick" scope="col">
                            <span class="compare-head">{ tr!(language, "results.compare.column") }</span>
                        </th>
                        { heads }
                    </tr></thead>
                    <Rows
                        {key} {entries} {ticked} {context}
                        all_fresh={props.all_fresh} {rows_follow}
                    />
                </table>
            </div>
        </>
    }
}

/// The number of rows that are created at a time. With layout, they take about 20 ms on an old processor.
const SLICE: usize = 8;

#[derive(Properties, PartialEq)]
struct RowsProps {
    /// The documents in their order.
    entries: Vec<Entry>,
    /// The ids of the ticked documents.
    ticked: Vec<String>,
    all_fresh: bool,
    context: Context,
    /// Whether the first slice appears with the next animation frame.
    rows_follow: bool,
}

/// The rows, created in slices: the first slice immediately or with the next animation frame, another
/// slice with each further frame.
#[component]
fn Rows(props: &RowsProps) -> Html {
    let RowsProps { entries, ticked, all_fresh, context, rows_follow } = props;
    let first = use_memo((), |()| if *rows_follow { 0 } else { SLICE });
    let shown = use_slices(entries.len(), *first, SLICE);
    let rows = entries.iter().take(shown).map(|entry| {
        let is_ticked = ticked.contains(&entry.id);
        let is_highlighted = entry.fresh && !all_fresh;
        let context = Context { is_highlighted, ..context.clone() };
        html! {
            <Row
                key={entry.id.clone()} entry={entry.clone()} {is_ticked}
                {context}
            />
        }
    });
    html! { <>{ for rows }</> }
}

#[derive(Properties, PartialEq)]
struct RowProps {
    entry: Entry,
    /// Whether the document is ticked for a comparison.
    is_ticked: bool,
    context: Context,
}

/// The largest number of contradictions that a row lists.
const MAX_CONTRADICTIONS: usize = 4;

/// The `<tbody>` of a document. A document with contradictions has a second row, so each document
/// needs a `<tbody>`.
#[component]
fn Row(props: &RowProps) -> Html {
    let RowProps { entry, is_ticked, context } = props;
    let language = context.language;
    let wrong = !entry.contradictions.is_empty();
    let (run, started) =
        (words::run_name(language, entry), Moment::new(&entry.header.started).local);
    let tick = tr!(language, "results.compare.tick", run = run, started = started);
    html! {
        <tbody
            class={classes!(
                wrong.then_some("contradictory"), context.is_highlighted.then_some("just-loaded"),
                is_ticked.then_some("ticked")
            )}
            data-testid="result" data-n={entry.header.n.to_string()} data-id={entry.id.clone()}
        >
            <tr>
                <td class="tick">
                    <label>
                        <input type="checkbox" value={entry.id.clone()} checked={*is_ticked} />
                        <span class="hidden-text">{ tick }</span>
                    </label>
                </td>
                { cells(shown_columns(&context.columns), context, entry) }
            </tr>
            if wrong {
                <tr class="why-contradictory">
                    <td colspan={(context.columns.len() + 1).to_string()}>
                        { contradictions(language, entry, MAX_CONTRADICTIONS) }
                    </td>
                </tr>
            }
        </tbody>
    }
}

/// Renders the first contradictions of a document and the number of the others.
pub fn contradictions(language: Language, entry: &Entry, most: usize) -> Html {
    let lines = entry.contradictions.iter().take(most).map(|each| {
        html! { <li>{ contradiction(language, each) }</li> }
    });
    let all = entry.contradictions.len() + entry.further_contradictions;
    let more = all.saturating_sub(most.min(entry.contradictions.len()));
    html! {
        <>
            <strong>{ tr!(language, "results.contradictions") }</strong>
            <ul>{ for lines }</ul>
            if more > 0 {
                <p>{ tr!(language, "results.and-more", count = grouped(more as u64)) }</p>
            }
        </>
    }
}

/// Renders N as the link to a document. It is plain, because a component for each of hundreds of rows would be slow:
/// the element around the table follows links.
fn link(context: &Context, entry: &Entry) -> Html {
    let href = context.address.with_result(Some(entry.id.clone())).to_link();
    let label = link_label(context.language, entry);
    html! {
        <>
            <a {href} class="row-link" id={row_link(&entry.id)} aria-label={label}>{ entry.header.n.get() }</a>
            if context.is_highlighted {
                <span class="arrived">{ tr!(context.language, "results.fresh") }</span>
            }
        </>
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

/// Returns which shard of a count a result is, if it is one.
fn shard(language: Language, entry: &Entry) -> Option<String> {
    let shard = entry.header.shard.as_ref()?;
    Some(tr!(language, "results.shard", index = shard.index, of = shard.of))
}

/// Renders the method and, on narrow pages, what wide ones have in other columns.
fn method(context: &Context, entry: &Entry) -> Html {
    let (language, header) = (context.language, &entry.header);
    html! {
        <>
            { method_name(language, header.method) }
            if let Some(shard) = shard(language, entry) { <span class="soft shard">{ shard }</span> }
            <span class="soft row-more">
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

/// Renders the origins of a document: its own and the loaded files that have the same document.
fn source(language: Language, entry: &Entry) -> Html {
    let names = entry.copies.iter().map(|name| shown(name));
    let own = std::iter::once(words::source(language, &entry.source));
    own.chain(names)
        .map(|name| html! { <span class="file-name" title={name.clone()}>{ name }</span> })
        .collect()
}

/// Returns the number of checks that the server or the page made; a dash without checks. The open document lists them.
fn checks(language: Language, entry: &Entry) -> Html {
    if !entry.contradictions.is_empty() {
        return html! { <strong>{ tr!(language, "results.contradictory") }</strong> };
    }
    let (_, verified) = entry.verified;
    match verified.iter().count() {
        0 => html! { "–" },
        1 => html! { tr!(language, "results.checks-one") },
        count => html! { tr!(language, "results.checks-many", count = count) },
    }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use queens_core::Method;
    use queens_core::document::Checks;

    use super::*;
    use crate::parts::rendered::{elements, rendered, rendered_at, texts};
    use crate::views::results::entry::{Source, contradictory, counted, read_document};
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
            assert!(html.contains("id=\"results-next\""), "{html}");
        }
    }

    #[test]
    fn every_column_has_a_name() {
        for language in Language::ALL {
            let html = rendered(language, html! { <Table entries={Rc::from([])} /> });
            assert!(!texts(&html).contains("results."), "{html}");
        }
    }

    #[test]
    fn a_row_shows_the_number_of_checks_that_were_made() {
        let text = include_str!("../../../../tests/data/results/eight.json");
        let mut entry = Entry::of_file("n15-symmetry.v2.json".into(), read_document(text)).unwrap();
        // The claims of the sender are not counted.
        Rc::make_mut(&mut entry.header).checks.clear();
        for (language, count) in
            [(Language::English, "✓ 3 checks"), (Language::Japanese, "✓ 検算 3 件")]
        {
            assert_eq!(plain(&rendered(language, checks(language, &entry))), count);
        }
        entry.verified.1 = Checks::NONE;
        assert_eq!(rendered(Language::English, checks(Language::English, &entry)), "–");
    }

    #[test]
    fn a_row_names_the_server_and_the_files_with_the_same_document() {
        let text = include_str!("../../../../tests/data/results/eight.json");
        let mut entry = Entry::of_file("x".into(), read_document(text)).unwrap();
        (entry.source, entry.fresh) = (Source::Server, true);
        entry.copies = Rc::new(["a.json".to_owned(), "b.json".to_owned()]);
        for (language, server) in [(Language::English, "server"), (Language::Japanese, "サーバー")]
        {
            let html = rendered(language, source(language, &entry));
            let names = elements(&html, "class=\"file-name\"");
            let names: Vec<_> = names.iter().map(|name| name.content()).collect();
            assert_eq!(names, [server, "a.json", "b.json"], "{html}");
            let html = rendered(language, html! { <Table entries={Rc::from([entry.clone()])} /> });
            assert!(html.contains("just-loaded"), "{html}");
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
    fn values_that_are_the_same_in_all_rows_are_said_once() {
        let entries: Rc<[Entry]> =
            [12, 13].map(|n| counted(&n.to_string(), n, Method::Colours, 1.0)).into();
        let shown = |entries: Rc<[Entry]>| {
            let html = rendered(Language::English, html! { <Table {entries} /> });
            let line = elements(&html, "id=\"all-equal\"");
            let line = line.first().map(|line| plain(line.content().trim()));
            (line, elements(&html, "scope=\"col\"").len())
        };
        let (line, columns) = shown(Rc::clone(&entries));
        let expected = "In all rows: Colour join, cpu, 2 threads, Some Processor, x.";
        assert_eq!(line.as_deref(), Some(expected));
        // The column of the boxes is another one.
        assert_eq!(columns, COLUMNS.len() + 1 - 5);
        let mut other = entries.to_vec();
        Rc::make_mut(&mut other[0].header).host.threads = 1;
        let (line, _) = shown(other.into());
        assert_eq!(line.as_deref(), Some("In all rows: cpu, Some Processor, x."));
        assert_eq!(shown(entries[..1].into()), (None, COLUMNS.len() + 1));
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
    fn a_row_has_the_run_in_narrow_windows_and_the_full_name_of_the_processor() {
        let text = include_str!("../../../../tests/data/results/eight.json");
        let entry = Entry::of_file("x".into(), read_document(text)).unwrap();
        let html = rendered(Language::English, html! { <Table entries={Rc::from([entry])} /> });
        let run = &elements(&html, "not-desktop")[0];
        assert_eq!(plain(run.content().trim()), "cpu, 2 threads");
        let name = &elements(&html, "class=\"two-lines\"")[0];
        assert_eq!(name.attribute("title").unwrap(), "Some Processor");
    }

    #[test]
    fn sorts_by_start_across_time_zones() {
        let text = include_str!("../../../../tests/data/results/eight.json");
        // The second count started an hour later, but its local time is earlier.
        let [early, late] = ["2026-01-31T23:00:00+09:00", "2026-01-31T15:00:00Z"].map(|started| {
            let text = text.replace("2026-01-31T09:30:00Z", started);
            Entry::of_file("x".into(), read_document(&text)).unwrap()
        });
        let mut entries = [early, late.clone()];
        LATEST.sort(&COLUMNS, &mut entries);
        assert_eq!(entries[0].header, late.header);
    }
}
