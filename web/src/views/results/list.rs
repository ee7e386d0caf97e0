//! The list of all results: what was loaded, the chart, the table, and how to get further results.

use std::rc::Rc;

use yew::prelude::*;

use super::archive::{Archive, Server};
use super::chart::{self, Chart};
use super::compare;
use super::entry::{Entry, Source};
use super::files;
use super::filters::{self, Filters, is_listed};
use super::model::shown;
use super::overview;
use super::table::{Table, row_link};
use super::{server, shards, words};
use crate::address::{Address, Field, Navigate, View, use_address};
use crate::browser::{focus, has_element, link_to};
use crate::parts::command::command;
use crate::parts::deferred::use_deferred;
use crate::parts::link::{Link, follow, follow_to, is_plain};
use crate::words::{Language, grouped, method_name, tr, use_language};

#[derive(Properties, PartialEq)]
pub struct ListProps {
    pub archive: UseReducerHandle<Archive>,
    /// Called before a click opens a document or a comparison.
    pub on_leave: Callback<()>,
}

/// The list of all documents.
#[component]
pub fn List(props: &ListProps) -> Html {
    let (language, archive) = (use_language(), &props.archive);
    let (address, navigate) = use_address();
    let listed = |entry: &&Entry| is_listed(&address.results, entry);
    let entries: Rc<[Entry]> = archive.entries.iter().filter(listed).cloned().collect();
    let all: Rc<[Entry]> = archive.entries.as_slice().into();
    // The chart follows the rows, also when the filters change, because drawing both would be a long task.
    let for_chart = (all, filters::only(&address.results));
    let (in_chart, chart_filters) = use_deferred(&for_chart, |(all, filters)| {
        !all.iter().any(|entry| chart::is_comparable(entry) && is_listed(filters, entry))
    });
    let compared = chart::use_comparison(&in_chart, &chart_filters);
    // The first rows follow the chart, which would otherwise push them down.
    let rows_follow = *use_memo((), |()| archive.entries.is_empty());
    let has_ticks = compare::ticked(&address.results).any(|id| archive.find(id).is_some());
    let is_incomplete = compare::is_incomplete(&address.results, archive);
    let onclick = {
        let (navigate, on_leave) = (navigate.clone(), props.on_leave.clone());
        Callback::from(move |event: MouseEvent| {
            on_leave.emit(());
            follow_to(&navigate, &event, |to| compare::with_ticks(&to, &navigate.address()));
        })
    };
    html! {
        <>
            <div class="results-head">
                { overview::line(language, &entries, archive.entries.len(), archive.next.is_some()) }
                { loaded(language, archive, &address, &navigate) }
                { contradictory(language, &archive.entries, &address, &navigate) }
                { shards::sums(&archive.entries) }
                if is_incomplete && !has_ticks {
                    <p class="statement" id="pair-missing" role="status">
                        { tr!(language, "results.compare.absent") }
                    </p>
                }
            </div>
            if archive.entries.is_empty() {
                { empty(language, archive.server, &address, &navigate) }
            } else {
                <div class="chart" {onclick}>
                    <p class="choosers results-choosers">
                        <Filters archive={archive.clone()} />
                        { chart::control(language, &address, &navigate, &compared) }
                    </p>
                    if entries.is_empty() {
                        <p class="statement" data-testid="none-fits">{ tr!(language, "results.none-fits") }</p>
                    } else {
                        <Chart {compared} filters={chart_filters} />
                        <div class="table-part">
                            <Table
                                entries={Rc::clone(&entries)} {rows_follow}
                                all_fresh={are_all_fresh(&archive.entries)} on_leave={props.on_leave.clone()}
                            />
                            if has_ticks {
                                { compare::bar(language, is_incomplete, &address, &navigate) }
                            }
                        </div>
                    }
                </div>
            }
            { for archive.next.as_ref().map(|next| more(language, archive, next)) }
        </>
    }
}

/// Renders the button that fetches the part of the server's list at the cursor `next`.
fn more(language: Language, archive: &UseReducerHandle<Archive>, next: &str) -> Html {
    let (archive, next) = (archive.dispatcher(), next.to_owned());
    let onclick =
        Callback::from(move |_: MouseEvent| server::fetch_more(archive.clone(), next.clone()));
    html! { <button id="more" type="button" {onclick}>{ tr!(language, "results.more") }</button> }
}

/// Whether the server has answered, or is absent, and there is no result.
pub fn has_nothing(archive: &Archive) -> bool {
    archive.entries.is_empty() && archive.server != Server::Unknown
}

/// Whether every result of the list is new, so that marks of new rows would tell nothing apart.
fn are_all_fresh(entries: &[Entry]) -> bool {
    entries.iter().all(|entry| entry.fresh)
}

/// Says how many results the user has just loaded. If the list has other results, links lead to the rows of these files,
/// which the chart may push out of the window. Once one of the files is published or removed, the number is out of date,
/// and nothing is shown.
fn loaded(language: Language, archive: &Archive, address: &Address, navigate: &Navigate) -> Html {
    let is_loaded = |entry: &&Entry| archive.has_all_loaded && entry.is_loaded();
    let loaded: Vec<_> = archive.entries.iter().filter(is_loaded).collect();
    let text = match loaded.len() {
        0 => String::new(),
        1 => tr!(language, "results.loaded-one"),
        all => tr!(language, "results.loaded", count = grouped(all as u64)),
    };
    let all_fresh = are_all_fresh(&archive.entries);
    let name = |entry: &Entry| {
        let (n, method) = (entry.header.n, method_name(language, entry.header.method));
        let board = || tr!(language, "results.loaded-name", n = n, method = method);
        entry.file_name().map(shown).filter(|name| !name.is_empty()).unwrap_or_else(board)
    };
    html! {
        <p id="loaded" class="soft" role="status">
            // If the list has no other results, the line about all results says the same, so only screen readers get this.
            <span class={all_fresh.then_some("hidden-text")}>{ text }</span>
            if !loaded.is_empty() && !all_fresh {
                { language.colon() }{ row_links(language, &loaded, name, address, navigate) }
            }
            if let [first, second] = loaded[..] {
                if first.header.n == second.header.n {
                    { language.space() }
                    <Link
                        id="compare-loaded" class="button"
                        to={address.with_field(Field::Pair, &[&*first.id, &*second.id].join(","))}
                    >
                        { tr!(language, "results.compare.loaded") }
                    </Link>
                }
            }
        </p>
    }
}

/// The largest number of loaded and of contradictory results that are named above the list.
const MAX_NAMED: usize = 2;

/// Names the results that contradict themselves, which the chart leaves out.
fn contradictory(
    language: Language,
    entries: &[Entry],
    address: &Address,
    navigate: &Navigate,
) -> Html {
    let wrong: Vec<_> = entries.iter().filter(|entry| !entry.contradictions.is_empty()).collect();
    let text = match wrong.len() {
        0 => return html! {},
        1 => tr!(language, "results.contradictory-one"),
        count => tr!(language, "results.contradictory-many", count = grouped(count as u64)),
    };
    let name = |entry: &Entry| match &entry.source {
        Source::File(name) => shown(name),
        Source::Server | Source::Link => words::source(language, &entry.source),
    };
    html! {
        <p id="contradictory" class="bad" role="status">
            { text }{ language.colon() }{ row_links(language, &wrong, name, address, navigate) }
        </p>
    }
}

/// Renders a link to each of the first few of these results. It leads to the row or, if the row is not on the page,
/// to the document.
fn row_links(
    language: Language,
    entries: &[&Entry],
    name: impl Fn(&Entry) -> String,
    address: &Address,
    navigate: &Navigate,
) -> Html {
    let links = entries.iter().take(MAX_NAMED).enumerate().map(|(index, entry)| {
        let (row, navigate) = (row_link(&entry.id), navigate.clone());
        let onclick = Callback::from(move |event: MouseEvent| {
            if is_plain(&event) && has_element(&row) {
                event.prevent_default();
                focus(&row);
            } else {
                follow(&navigate, &event);
            }
        });
        let href = address.with_result(Some(entry.id.clone())).to_link();
        html! {
            <>
                { if index > 0 { language.comma() } else { "" } }
                <a key={entry.id.clone()} {href} {onclick}>{ name(entry) }</a>
            </>
        }
    });
    let more = entries.len().saturating_sub(MAX_NAMED);
    html! {
        <>
            { for links }
            if more > 0 {
                { language.comma() }{ tr!(language, "results.and-more", count = grouped(more as u64)) }
            }
        </>
    }
}

pub fn server_line(language: Language, server: Server, on_retry: &Callback<()>) -> Html {
    let (id, text) = match server {
        Server::Unknown => ("unknown", tr!(language, "results.server.unknown")),
        Server::Absent => ("absent", tr!(language, "results.server.absent")),
        Server::Live => ("live", tr!(language, "results.server.live")),
        Server::Strange => ("strange", tr!(language, "results.server.strange")),
        Server::Lost => ("lost", tr!(language, "results.server.lost")),
    };
    let onclick = on_retry.reform(|_| ());
    html! {
        <>
            <p id="server" class="server-line" role="status" data-state={id}>{ text }</p>
            if matches!(server, Server::Strange | Server::Lost) {
                <button id="ask-server" type="button" {onclick}>
                    { tr!(language, "results.server.retry") }
                </button>
            }
        </>
    }
}

/// Renders the example results and the other ways to get a first result.
fn empty(language: Language, server: Server, address: &Address, navigate: &Navigate) -> Html {
    if server == Server::Unknown {
        return html! {};
    }
    // Results of the view Count stay there until the user shows them here.
    let counted = tr!(language, "results.save-from-count");
    let line = format!("queens count 12 {}", result_options(server));
    let example = {
        let (address, navigate) = (address.with_field(Field::Load, EXAMPLES), navigate.clone());
        Callback::from(move |_: MouseEvent| navigate.push(address.clone()))
    };
    html! {
        <div class="empty-state" data-testid="no-results">
            <p>{ tr!(language, "results.lead") }</p>
            <button id="examples" type="button" class="primary" onclick={example}>
                { tr!(language, "results.examples") }
            </button>
            <p>{ tr!(language, "results.examples-are") }</p>
            { files::button(language, "") }
            <p id="from-count">
                { counted }{ language.space() }
                <Link to={address.with_view(View::Count)}>{ View::Count.name(language) }</Link>
            </p>
            <details>
                <summary>{ tr!(language, "results.from-command") }</summary>
                { command(&line) }
            </details>
        </div>
    }
}

/// Example results for an empty list. They come with the page.
const EXAMPLES: &str = "examples/symmetry-12.json,examples/symmetry-13.json,\
    examples/symmetry-14.json,examples/colours-12.json,examples/colours-13.json,\
    examples/colours-14.json";

/// Returns the options with which a command makes its result available to this page.
fn result_options(server: Server) -> String {
    match server {
        Server::Unknown | Server::Absent => "-o result.json".to_owned(),
        Server::Live | Server::Strange | Server::Lost => format!("--post {}", link_to("")),
    }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use queens_core::Method;
    use queens_core::document::{Checks, Document, Summary};

    use super::*;
    use crate::parts::rendered::{elements, rendered, rendered_at, texts};
    use crate::views::results::archive::Change;
    use crate::views::results::entry::{counted, read_document};
    use crate::words::plain;

    const EIGHT: &str = include_str!("../../../../tests/data/results/eight.json");
    const ONE: &str = include_str!("../../../../tests/data/results/one.json");

    /// A list that has some results from the start.
    #[derive(Properties, PartialEq)]
    struct FilledProps {
        entries: Vec<Entry>,
    }

    #[component]
    fn Filled(props: &FilledProps) -> Html {
        let entries = props.entries.clone();
        let archive = use_reducer(|| {
            let mut archive = Archive::default();
            (archive.entries, archive.has_all_loaded) = (entries, true);
            archive
        });
        html! { <List {archive} on_leave={Callback::noop()} /> }
    }

    fn list(language: Language, entries: &[Entry], fields: &[(Field, &str)]) -> String {
        let results = Address::default().with_view(View::Results);
        let address = fields
            .iter()
            .fold(results, |address, (field, value)| address.with_field(*field, value));
        rendered_at(language, address, html! { <Filled entries={entries.to_vec()} /> })
    }

    #[test]
    fn the_bar_of_a_ticked_result_stays_at_the_table() {
        let entries = ["a", "b"].map(|id| counted(id, 12, Method::Mirror, 2.0));
        let html = list(Language::English, &entries, &[(Field::Pair, "a")]);
        // A sticky element stays in its container.
        let container = elements(&html, "class=\"table-part\"")[0].inner();
        let has = |part: &str| container.contains(part);
        assert!(has("class=\"pair-bar\"") && has("id=\"results\""), "{container}");
    }

    #[test]
    fn loaded_files_have_links_to_their_rows() {
        let entry = |n: u32, method| {
            let mut entry = counted(&format!("file-{n}"), n, method, 2.0);
            entry.fresh = true;
            entry
        };
        let mut entries = vec![entry(14, Method::Symmetry), entry(16, Method::Colours)];
        let mut earlier = entry(8, Method::Mirror);
        earlier.fresh = false;
        let said = |language, entries: &[Entry]| {
            let html = list(language, entries, &[]);
            let line = &elements(&html, "id=\"loaded\"")[0];
            let targets = elements(line.inner(), "href");
            let targets = targets.iter().filter_map(|link| link.attribute("href"));
            (plain(&line.content()), targets.collect::<Vec<_>>())
        };
        let [english, japanese] = Language::ALL;
        // They are the only results.
        assert_eq!(said(english, &entries), ("2 results loaded".to_owned(), vec![]));
        entries.push(earlier);
        let (text, targets) = said(english, &entries);
        assert_eq!(text, "2 results loaded: x, x");
        assert!(targets.len() == 2 && targets[1].contains("result=file-16"), "{targets:?}");
        // Results of Count have no file name.
        entries[0].source = Source::File(String::new());
        let (text, _) = said(japanese, &entries);
        assert!(text.ends_with("：N = 14・対称解除法、x"), "{text}");
        entries.extend((1..=4).map(|n| entry(n, Method::Mirror)));
        let (text, targets) = said(english, &entries);
        assert!(targets.len() == MAX_NAMED && text.ends_with(", and 4 more"), "{text}");
        entries.iter_mut().for_each(|entry| entry.fresh = false);
        assert_eq!(said(english, &entries), (String::new(), vec![]));
    }

    #[test]
    fn an_empty_list_offers_the_examples_first() {
        let (address, navigate) = (Address::default(), Navigate::default());
        for language in Language::ALL {
            let html = rendered(language, empty(language, Server::Absent, &address, &navigate));
            let examples = &elements(&html, "id=\"examples\"")[0];
            assert_eq!(examples.attribute("class").as_deref(), Some("primary"));
            assert!(html.find("id=\"examples\"") < html.find("for=\"files\""), "{html}");
        }
        let mut archive = Archive::default();
        assert!(!has_nothing(&archive), "the server has not answered yet");
        archive.server = Server::Absent;
        assert!(has_nothing(&archive));
    }

    #[test]
    fn the_filters_and_the_controls_of_the_chart_are_in_one_row() {
        let entries = [12, 12, 13].map(|n| counted(&n.to_string(), n, Method::Mirror, 2.0));
        let html = list(Language::English, &entries, &[]);
        let row = elements(&html, "results-choosers")[0].inner();
        let ids = ["only-n", "published"];
        assert!(ids.iter().all(|id| row.contains(&format!("id=\"{id}\""))), "{row}");
    }

    #[test]
    fn two_files_that_were_loaded_together_can_be_compared_at_once() {
        let entry = |id: &str, n| {
            let mut entry = counted(id, n, Method::Mirror, 2.0);
            entry.fresh = true;
            entry
        };
        let entries = [("a", 12), ("b", 12), ("c", 12), ("d", 13)].map(|(id, n)| entry(id, n));
        let offers = |entries: &[Entry]| {
            let html = list(Language::English, entries, &[]);
            let line = &elements(&html, "id=\"loaded\"")[0];
            line.content().contains("Compare these two")
        };
        assert!(offers(&entries[..2]));
        // There are three, or the boards differ.
        assert!(!offers(&entries[..3]) && !offers(&entries[2..]));
    }

    #[test]
    fn a_published_or_removed_file_ends_the_announcement_of_the_load() {
        let file = |name: &str, text: &str| Entry::of_file(name.into(), read_document(text));
        let said = |archive: &Archive| {
            let (address, navigate) = (Address::default(), Navigate::default());
            let html = loaded(Language::English, archive, &address, &navigate);
            texts(&rendered(Language::English, html))
        };
        let files = || Change::Loaded(vec![file("a.json", EIGHT), file("b.json", ONE)]);
        let before = reduced(Archive::default(), files());
        assert!(said(&before).contains("2 results loaded"));
        let summary = Summary::of(&Document::parse(EIGHT).unwrap(), "aa".into(), Checks::NONE);
        let published = Box::new(Entry::of_summary(summary.to_value()).unwrap());
        let [a, b] = [file("a.json", EIGHT), file("b.json", ONE)].map(|file| file.unwrap().id);
        for change in [Change::Published(a, published), Change::Close(b)] {
            let after = reduced(before.clone(), change);
            assert_eq!(said(&after), "");
            // The remaining rows are still highlighted.
            assert!(after.entries.iter().any(|entry| entry.fresh));
            let again = reduced(reduced(after, Change::LoadStarts), files());
            assert!(said(&again).contains("2 results loaded"));
        }
    }

    fn reduced(archive: Archive, change: Change) -> Archive {
        Rc::unwrap_or_clone(Rc::new(archive).reduce(change))
    }

    #[test]
    fn contradictory_files_are_named_above_the_list() {
        let wrong = EIGHT.replacen("\"total\": \"92\"", "\"total\": \"93\"", 1);
        let entry = |name: &str, text: &str, id: &str| {
            let mut entry = Entry::of_file(name.into(), read_document(text)).unwrap();
            entry.id = id.into();
            entry
        };
        let shown = |language, entries: &[Entry]| {
            let results = Address::default().with_view(View::Results);
            let (address, navigate) = (results, Navigate::default());
            rendered(language, contradictory(language, entries, &address, &navigate))
        };
        let good = entry("good.json", EIGHT, "file-1");
        assert_eq!(shown(Language::English, std::slice::from_ref(&good)), "");
        let mut all = vec![good, entry("bad-total.json", &wrong, "file-2")];
        for (language, text) in [
            (Language::English, "1 result contradicts itself and is not in the chart: "),
            (Language::Japanese, "矛盾"),
        ] {
            let html = shown(language, &all);
            assert!(plain(&texts(&html).replace('\n', " ")).contains(text.trim()), "{html}");
            let links = elements(&html, "href");
            assert_eq!(links.len(), 1);
            assert_eq!(links[0].content(), "bad-total.json");
            assert!(links[0].attribute("href").unwrap().contains("file-2"), "{html}");
        }
        all.extend((3..8).map(|id| entry("more.json", &wrong, &format!("file-{id}"))));
        let html = shown(Language::English, &all);
        assert_eq!(elements(&html, "href").len(), MAX_NAMED);
        assert!(html.contains("6 results") && html.contains("and 4 more"), "{html}");
    }

    #[test]
    fn server_states_have_texts_in_both_languages() {
        for language in Language::ALL {
            let states = ["unknown", "absent", "live", "strange", "lost"];
            let texts = states.map(|state| tr!(language, format!("results.server.{state}")));
            assert!(texts.iter().all(|text| !text.contains("results.")), "{texts:?}");
        }
    }
}
