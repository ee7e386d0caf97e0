//! The list of all results: what was loaded, the chart, the table, and how to get further results.

use std::rc::Rc;

use queens_core::{Method, Size};
use queens_state::results::shown;
use yew::prelude::*;

use super::archive::{Archive, Change, Entry, Server, Source};
use super::chart::{self, Chart};
use super::compare::{self, CompareLoaded, Compared};
use super::deferred::use_deferred;
use super::files::Picker;
use super::filters::{self, Filters, is_listed};
use super::last_opened::{self, Start};
use super::overview;
use super::table::Table;
use super::{scroll_anchor, server, words};
use crate::board::mini_board::MiniBoard;
use crate::browser::{focus, has_element, media_matches, window};
use crate::parts::command::command;
use crate::parts::link::{Link, follow, follow_to, is_plain};
use crate::place::{Address, Field, Navigate, View, use_address, use_navigation_count};
use crate::words::{Language, grouped, method_name, tr, use_language};

#[derive(Properties, PartialEq)]
pub struct ListProps {
    pub archive: UseReducerHandle<Archive>,
    pub on_file: Callback<Change>,
    /// Asks the server again.
    pub on_retry: Callback<()>,
    /// Whether the user has just closed an open document.
    pub returns: bool,
}

/// The list of all documents.
#[component]
pub fn List(props: &ListProps) -> Html {
    let language = use_language();
    let (address, navigate) = use_address();
    let archive = &props.archive;
    let listed = |entry: &&Entry| is_listed(&address.results, entry);
    let entries: Rc<[Entry]> = archive.entries.iter().filter(listed).cloned().collect();
    let all: Rc<[Entry]> = archive.entries.as_slice().into();
    // The chart follows the rows, also when the filters change, because drawing both would be a long task.
    let for_chart = (all, filters::only(&address.results));
    let (in_chart, chart_filters) = use_deferred(&for_chart, |(all, filters)| {
        !all.iter().any(|entry| chart::is_comparable(entry) && is_listed(filters, entry))
    });
    // The first rows follow the chart, which would otherwise push them down.
    let rows_follow = *use_memo((), |()| archive.entries.is_empty());
    // The deferred chart above the rows changes its height when only this component is rendered again,
    // so the anchor of the whole view does not suffice.
    scroll_anchor::use_scroll_anchor();
    use_start(props.returns, &address);
    // The mark whose link the user followed is chosen again.
    let chosen = use_memo((), |()| props.returns.then(last_opened::mark).flatten());
    let pair: Vec<_> =
        compare::ticked(&address.results).filter_map(|id| archive.find(id)).collect();
    let unlisted = compare::ticked(&address.results).filter(|id| archive.find(id).is_none());
    let failed = server::use_unlisted(archive, unlisted.map(str::to_owned).collect());
    let absence = compare::absence(&address.results, archive, &failed);
    let onclick = {
        let navigate = navigate.clone();
        Callback::from(move |event: MouseEvent| {
            last_opened::record(&event);
            follow_to(&navigate, &event, |to| compare::with_ticks(&to, &navigate.address()));
        })
    };
    let more = archive.next.clone().map(|next| {
        let archive = archive.dispatcher();
        Callback::from(move |_| server::fetch_more(archive.clone(), next.clone()))
    });
    html! {
        <>
            <div class="results-head">
                <p class="soft lead">{ tr!(language, "results.lead") }</p>
                <Picker on_file={props.on_file.clone()} />
                { loaded(language, archive, &address, &navigate) }
                { contradictory(language, &archive.entries, &address, &navigate) }
                { server_line(language, archive.server, &props.on_retry) }
                { overview::line(language, &entries, archive.entries.len(), archive.next.is_some()) }
                { for compare::nothing_to_compare(language, pair.len(), absence) }
            </div>
            if archive.entries.is_empty() {
                { empty(language, archive.server, &address, &navigate) }
            } else {
                <div class="chart" {onclick}>
                    <Filters archive={archive.clone()} />
                    { next_count(language, archive.server, &archive.entries) }
                    if entries.is_empty() {
                        <p class="statement" data-testid="none-fits">{ tr!(language, "results.none-fits") }</p>
                    } else {
                        <Chart
                            entries={in_chart} filters={chart_filters}
                            narrow={media_matches("(max-width: 40rem)")} chosen={(*chosen).clone()}
                        />
                        if let [first, second] = pair[..] {
                            <Compared
                                pair={[first.clone(), second.clone()]} archive={archive.clone()}
                            />
                        }
                        <div class="table-part">
                            <Table
                                entries={Rc::clone(&entries)} has_pair={pair.len() == 2} {rows_follow}
                            />
                            { compare::bar(language, &pair, absence, &address, &navigate) }
                        </div>
                    }
                </div>
            }
            if let Some(onclick) = more {
                <button id="more" type="button" {onclick}>{ tr!(language, "results.more") }</button>
            }
        </>
    }
}

/// Scrolls to the link with which the user opened a document, from which the view `returns`, or, when the page has just
/// been loaded, to the comparison that its address names.
#[hook]
fn use_start(returns: bool, address: &Address) {
    let is_loaded_now = use_navigation_count() == 0;
    let has_pair = compare::ticked(&address.results).count() == 2;
    last_opened::use_start(if returns {
        Start::LastOpened
    } else if is_loaded_now && has_pair {
        Start::Element(compare::TITLE)
    } else {
        Start::Top
    });
}

/// Says how many files the user has just opened, with links to their rows, which the chart may push out of the
/// window. The rows are highlighted, unless the filters of the address hide them. Once one of the files is published
/// or removed, the number is out of date, and nothing is shown.
fn loaded(language: Language, archive: &Archive, address: &Address, navigate: &Navigate) -> Html {
    let is_loaded = |entry: &&Entry| archive.has_all_loaded && entry.loaded_files() > 0;
    let loaded: Vec<_> = archive.entries.iter().filter(is_loaded).collect();
    let files = |entry: &&Entry| entry.loaded_files();
    let all = loaded.iter().map(files).sum();
    let is_hidden = |entry: &&&Entry| !is_listed(&address.results, entry);
    let hidden = loaded.iter().filter(is_hidden).map(files).sum();
    let text = match (all, hidden) {
        (0, _) => String::new(),
        (1, 0) => tr!(language, "results.loaded-one"),
        (1, _) => tr!(language, "results.loaded-hidden-one"),
        (count, hidden) => {
            let key = match hidden {
                0 => "results.loaded",
                hidden if hidden == count => "results.loaded-hidden",
                _ => "results.loaded-some-hidden",
            };
            let [count, hidden] = [count, hidden].map(|number| grouped(number as u64));
            tr!(language, key, count = count, hidden = hidden)
        }
    };
    let name = |entry: &Entry| {
        let (n, method) = (entry.header.n, method_name(language, entry.header.method));
        let board = tr!(language, "results.loaded-name", n = n, method = method);
        // Several files may have the same board and method.
        [entry.file_name().map(shown).as_deref().unwrap_or_default(), &board]
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join(language.dot())
    };
    html! {
        <p id="loaded" class="soft" role="status">
            { text }
            if !loaded.is_empty() {
                { language.space() }{ tr!(language, "results.loaded-rows") }{ language.colon() }
                { row_links(language, &loaded, name, address, navigate) }
            }
            if let ([first, second], 2, 0) = (&loaded[..], all, hidden) {
                if first.header.n == second.header.n {
                    { language.space() }
                    <CompareLoaded ids={[first.id.clone(), second.id.clone()]} />
                }
            }
        </p>
    }
}

/// The largest number of loaded and of contradictory results that are named above the list.
const MAX_NAMED: usize = 3;

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
        let (row, navigate) = (last_opened::row_link(&entry.id), navigate.clone());
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
                    { tr!(language, "explanation.again") }
                </button>
            }
        </>
    }
}

/// Renders instructions for getting a first result.
fn empty(language: Language, server: Server, address: &Address, navigate: &Navigate) -> Html {
    let sentence = match server {
        Server::Unknown => return html! {},
        Server::Absent => tr!(language, "results.empty-absent"),
        Server::Live | Server::Strange | Server::Lost => tr!(language, "results.empty-live"),
    };
    // Results of the view Count stay there until the user sends or saves them.
    let counted = match server {
        Server::Live => tr!(language, "results.post-from-count"),
        _ => tr!(language, "results.save-from-count"),
    };
    let line = format!("queens count 12 {}", result_options(server));
    let example = {
        let (address, navigate) = (address.with_field(Field::Load, EXAMPLES), navigate.clone());
        Callback::from(move |_: MouseEvent| navigate.push(address.clone()))
    };
    let eight = Size::new(8).ok();
    html! {
        <div class="empty-state" data-testid="no-results">
            if let Some(size) = eight { <MiniBoard {size} queens={None} /> }
            <p>{ sentence }</p>
            <p>{ command(&line) }</p>
            <p id="from-count">
                { counted }{ language.space() }
                <Link to={address.with_view(View::Count)}>{ View::Count.name(language) }</Link>
            </p>
            <p>
                <button id="examples" type="button" onclick={example}>
                    { tr!(language, "results.examples") }
                </button>
            </p>
        </div>
    }
}

/// Example results for an empty list. They come with the page.
const EXAMPLES: &str = "examples/symmetry-12.json,examples/symmetry-13.json,\
    examples/symmetry-14.json,examples/halves-12.json,examples/halves-13.json,\
    examples/halves-14.json";

/// Returns the options with which a command makes its result available to this page.
fn result_options(server: Server) -> String {
    match server {
        Server::Unknown | Server::Absent => "-o result.json".to_owned(),
        Server::Live | Server::Strange | Server::Lost => format!("--post {}", base()),
    }
}

/// Renders the command that counts the board after the largest one of all results, including those that the
/// filters hide.
fn next_count(language: Language, server: Server, entries: &[Entry]) -> Html {
    let next = next_board(entries).map(|(n, method)| {
        format!("queens count {n} --method {} {}", method.id(), result_options(server))
    });
    html! {
        if let Some(line) = next {
            <p class="next-count" id="next-count">
                { tr!(language, "results.next-count") }{ " " }{ command(&line) }
            </p>
        }
    }
}

/// Returns the N after the largest one of these results, and the method that was fastest for the largest one.
/// The time of a result that cannot be compared counts only if no other result has that N.
fn next_board(entries: &[Entry]) -> Option<(u32, Method)> {
    let largest = entries.iter().map(|entry| entry.header.n).max()?;
    let next = largest.get() + 1;
    let can_count =
        |entry: &&Entry| entry.header.n == largest && next <= entry.header.method.largest();
    let rank = |entry: &Entry| (!chart::is_comparable(entry), entry.header.seconds.get());
    let fastest = entries.iter().filter(can_count).min_by(|a, b| {
        let ((other_a, a), (other_b, b)) = (rank(a), rank(b));
        other_a.cmp(&other_b).then(a.total_cmp(&b))
    });
    Some((next, fastest?.header.method))
}

/// Returns the page's address without its query, which is the base URL of the server.
fn base() -> String {
    let location = window().map(|window| window.location());
    location.map_or_else(String::new, |location| {
        let origin = location.origin().unwrap_or_default();
        origin + &location.pathname().unwrap_or_default()
    })
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use queens_core::document::{Checks, Document, Shard, Summary};

    use super::*;
    use crate::parts::rendered::{elements, rendered, rendered_at, texts};
    use crate::views::results::archive;
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
        let (on_file, on_retry) = (Callback::noop(), Callback::noop());
        html! { <List {archive} {on_file} {on_retry} returns=false /> }
    }

    fn list(language: Language, entries: &[Entry], fields: &[(Field, &str)]) -> String {
        let address = fields
            .iter()
            .fold(Address::default(), |address, (field, value)| address.with_field(*field, value));
        rendered_at(language, address, html! { <Filled entries={entries.to_vec()} /> })
    }

    #[test]
    fn the_bar_of_ticked_results_stays_at_the_table() {
        let entries = ["a", "b"].map(|id| archive::counted(id, 12, Method::Mirror, 2.0));
        let html = list(Language::English, &entries, &[(Field::Pair, "a,b")]);
        // A sticky element stays in its container.
        let container = elements(&html, "class=\"table-part\"")[0].inner();
        let has = |part: &str| container.contains(part);
        assert!(has("class=\"pair-bar\"") && has("id=\"results\""), "{container}");
        assert!(!has("two-results") && html.contains("two-results"), "{container}");
    }

    #[test]
    fn the_next_count_follows_the_largest_board_of_all_results() {
        let entries =
            [16, 18, 15].map(|n| archive::counted(&n.to_string(), n, Method::Halves, 2.0));
        for filter in ["", "16"] {
            let html = list(Language::English, &entries, &[(Field::N, filter)]);
            let next = elements(&html, "id=\"next-count\"")[0].content();
            assert!(next.contains("queens count 19 --method halves"), "{next}");
        }
    }

    #[test]
    fn the_next_count_uses_the_fastest_method_of_the_largest_board() {
        let counted = |n: u32, method, seconds| {
            archive::counted(&format!("{n}-{method:?}"), n, method, seconds)
        };
        let mut entries = vec![
            counted(17, Method::Bitmap, 0.1),
            counted(18, Method::Symmetry, 54.0),
            counted(18, Method::Halves, 2.0),
            counted(18, Method::Mirror, 90.0),
        ];
        assert_eq!(next_board(&entries), Some((19, Method::Halves)));
        // A shard takes a part of the time of a whole count.
        let mut shard = counted(18, Method::Symmetry, 0.5);
        Rc::make_mut(&mut shard.header).shard =
            Some(Shard { index: 0, of: 200, extra: Default::default() });
        entries.push(shard.clone());
        assert_eq!(next_board(&entries), Some((19, Method::Halves)));
        assert_eq!(next_board(&[shard]), Some((19, Method::Symmetry)));
        assert_eq!(next_board(&[]), None);
    }

    #[test]
    fn loaded_files_whose_rows_are_hidden_are_not_called_highlighted() {
        let loaded = |n: u32, fresh| {
            let mut entry = archive::counted(&n.to_string(), n, Method::Mirror, 2.0);
            entry.fresh = fresh;
            entry
        };
        let entries = [loaded(10, true), loaded(11, true), loaded(12, false)];
        let all = &entries[..];
        for (entries, n, english, japanese) in [
            (&all[1..], "", "1 result loaded. Its row is highlighted.", "その行を強調"),
            (&all[1..], "12", "1 result loaded. The filters hide its row.", "絞り込み"),
            (all, "12", "2 results loaded. The filters hide their rows.", "絞り込み"),
            (
                all,
                "11",
                "2 results loaded. The filters hide 1 of the rows; the others are highlighted.",
                "そのうち 1 件の行は",
            ),
        ] {
            for (language, part) in [(Language::English, english), (Language::Japanese, japanese)] {
                let html = list(language, entries, &[(Field::N, n)]);
                let said = elements(&html, "id=\"loaded\"")[0].content();
                assert!(said.contains(part), "{said}");
                assert_eq!(said.contains("強調"), n != "12" && language == Language::Japanese);
            }
        }
    }

    #[test]
    fn loaded_files_have_links_to_their_rows() {
        let entry = |n: u32, method| {
            let mut entry = archive::counted(&format!("file-{n}"), n, method, 2.0);
            entry.fresh = true;
            entry
        };
        let mut entries = vec![entry(14, Method::Symmetry), entry(16, Method::Halves)];
        let said = |language, entries: &[Entry]| {
            let html = list(language, entries, &[]);
            let line = &elements(&html, "id=\"loaded\"")[0];
            let targets = elements(line.inner(), "href");
            let targets = targets.iter().filter_map(|link| link.attribute("href"));
            (plain(&line.content()), targets.collect::<Vec<_>>())
        };
        let [english, japanese] = Language::ALL;
        let (text, targets) = said(english, &entries);
        let names = "Rows of these files: x · N = 14 (Symmetry), x · N = 16 (Half-board matching)";
        assert!(text.ends_with(names), "{text}");
        assert!(targets.len() == 2 && targets[1].contains("result=file-16"), "{targets:?}");
        let (text, _) = said(japanese, &entries);
        assert!(text.contains("x・N = 14・対称解除法、x・N = 16・"), "{text}");
        entries.extend((1..=4).map(|n| entry(n, Method::Mirror)));
        let (text, targets) = said(english, &entries);
        assert!(targets.len() == MAX_NAMED && text.ends_with(", and 3 more"), "{text}");
        entries.iter_mut().for_each(|entry| entry.fresh = false);
        assert_eq!(said(english, &entries), (String::new(), vec![]));
    }

    #[test]
    fn two_files_that_were_loaded_together_can_be_compared_at_once() {
        let entry = |id: &str, n| {
            let mut entry = archive::counted(id, n, Method::Mirror, 2.0);
            entry.fresh = true;
            entry
        };
        let entries = [("a", 12), ("b", 12), ("c", 12), ("d", 13)].map(|(id, n)| entry(id, n));
        let offers = |entries: &[Entry], pair: &str, n: &str| {
            let html = list(Language::English, entries, &[(Field::Pair, pair), (Field::N, n)]);
            let line = &elements(&html, "id=\"loaded\"")[0];
            line.content().contains("Compare these two")
        };
        assert!(offers(&entries[..2], "", "") && offers(&entries[..2], "a,c", ""));
        // They are compared, the filters hide them, there are three, or the boards differ.
        assert!(!offers(&entries[..2], "b,a", "") && !offers(&entries[..2], "", "14"));
        assert!(!offers(&entries[..3], "", "") && !offers(&entries[2..], "", ""));
    }

    #[test]
    fn a_published_or_removed_file_ends_the_announcement_of_the_load() {
        let file =
            |name: &str, text: &str| Entry::of_file(name.into(), archive::read_document(text));
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
            let mut entry = Entry::of_file(name.into(), archive::read_document(text)).unwrap();
            entry.id = id.into();
            entry
        };
        let shown = |language, entries: &[Entry]| {
            let (address, navigate) = (Address::default(), Navigate::default());
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
        assert!(html.contains("6 results") && html.contains("and 3 more"), "{html}");
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
