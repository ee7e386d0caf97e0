//! The Results view: documents of counts from the server, from files and from links, and the running
//! counts that report to the server.

mod archive;
mod chart;
mod compare;
mod deferred;
mod detail;
mod files;
mod filters;
pub mod from_count;
mod last_opened;
mod moment;
mod publish;
mod recount;
mod remove;
mod runs;
mod saving;
mod scroll_anchor;
mod server;
mod share;
mod stored_files;
mod table;
mod tasks;
mod words;

use std::cell::Cell;
use std::rc::Rc;

use queens_core::{Method, Size};
use queens_state::results::{link, shown};
use yew::prelude::*;

use crate::board::mini_board::MiniBoard;
use crate::browser::{focus, has_element, media_matches, window};
use crate::parts::command::command;
use crate::parts::link::{Link, follow, follow_to, is_plain};
use crate::place::{Address, Field, Navigate, View, use_address};
use crate::words::{Language, grouped, method_name, tr, use_language};

use archive::{
    Archive, Change, Entry, LINKED, News, RejectedDocument, Server, Source, use_archive,
};
use chart::Chart;
use compare::Compared;
use deferred::use_deferred;
use detail::Detail;
use files::{DropArea, Picker};
use filters::{Filters, is_listed};
use table::Table;

#[component]
pub fn Results() -> Html {
    let language = use_language();
    let (address, _) = use_address();
    let archive = use_archive();
    let on_retry = server::use_server(archive.dispatcher());
    stored_files::use_files(archive.dispatcher(), address.results.get(Field::Load));
    scroll_anchor::use_scroll_anchor();
    use_linked(archive.dispatcher(), address.section.as_deref());
    let on_file = {
        let archive = archive.dispatcher();
        Callback::from(move |change| archive.dispatch(change))
    };
    {
        let archive = archive.dispatcher();
        use_effect_with(address.result.clone(), move |open| {
            if let Some(id) = open {
                last_opened::keep_only(id);
                archive.dispatch(Change::DocumentOpened);
            }
        });
    }
    let has_open = address.result.is_some();
    let was_open = use_mut_ref(|| has_open);
    let returns = was_open.replace(has_open) && !has_open;
    let content = match &address.result {
        Some(id) => html! { <Open id={id.clone()} archive={archive.clone()} {on_retry} /> },
        None => {
            html! { <List archive={archive.clone()} on_file={on_file.clone()} {on_retry} {returns} /> }
        }
    };
    let rejections = rejections(language, &archive.rejected, &on_file);
    html! {
        <DropArea {on_file}>
            <h1>{ View::Results.name(language) }</h1>
            <p class={news_class(&archive.news)} role="status" id="news">{ news(language, &archive) }</p>
            { runs::runs(language, &archive.runs) }
            { rejections }
            { content }
        </DropArea>
    }
}

/// Adds the result in the fragment of the address, if there is one.
#[hook]
fn use_linked(archive: UseReducerDispatcher<Archive>, section: Option<&str>) {
    use_effect_with(section.map(str::to_owned), move |section| {
        if let Some(found) = section.as_deref().and_then(link::from_fragment) {
            archive.dispatch(Change::Linked(Box::new(found)));
        }
    });
}

/// Returns the class of the announcement. A new row is highlighted, so only removals are announced visibly.
fn news_class(news: &News) -> &'static str {
    match news {
        News::None | News::Arrived(_) => "hidden-text",
        News::Removed(_) | News::Closed(_) => "soft",
    }
}

/// Returns the announcement of the last arrival or of the removals since then. The
/// number of removals changes the text, so that each is announced.
fn news(language: Language, archive: &Archive) -> Option<String> {
    Some(match &archive.news {
        News::None => return None,
        News::Closed(name) => {
            tr!(language, "results.closed", name = source_name(language, name))
        }
        News::Removed(1) => tr!(language, "results.removed"),
        News::Removed(count) => tr!(language, "results.removed-many", count = count),
        News::Arrived(id) => {
            let header = &archive.find(id)?.header;
            let (n, total) = (header.n, grouped(header.total));
            tr!(language, "results.new-result", n = n, total = total)
        }
    })
}

/// Returns the name of a file or document for the user. The result of a link has no name.
fn source_name(language: Language, name: &str) -> String {
    match name {
        LINKED => tr!(language, "results.link-source"),
        name => shown(name),
    }
}

/// The largest number of rejections that are shown. A server may have many unreadable documents, so only
/// the latest rejections are shown.
const MAX_SHOWN_REJECTIONS: usize = 8;

/// Renders the rejected files and documents, with the reasons. The user can remove those that the browser
/// stores.
fn rejections(
    language: Language,
    rejected: &[RejectedDocument],
    on_change: &Callback<Change>,
) -> Html {
    let (removed, rejected): (Vec<_>, Vec<_>) =
        rejected.iter().partition(|rejection| rejection.is_removed());
    let removed = removed_files(language, &removed);
    let on_dismiss = on_change.reform(|_: MouseEvent| Change::DismissRejections);
    let dismiss = html! {
        <button id="forget" type="button" onclick={on_dismiss}>{ tr!(language, "results.forget") }</button>
    };
    if rejected.is_empty() {
        return html! { if let Some(removed) = removed { <>{ removed }{ dismiss }</> } };
    }
    let more = rejected.len().saturating_sub(MAX_SHOWN_REJECTIONS);
    let lines = rejected.iter().skip(more).map(|rejection| {
        let name = source_name(language, &rejection.name);
        html! {
            <li data-testid="refusal">
                <strong>{ &name }</strong>{ language.colon() }
                { words::rejection_reason(language, &rejection.why) }
                { for rejection.key().map(|key| remove_button(language, &name, key, on_change)) }
            </li>
        }
    });
    html! {
        <>
            { for removed }
            <div class="refused" role="alert">
                <h2>{ tr!(language, "results.refused") }</h2>
                <ul>{ for lines }</ul>
                if more > 0 {
                    <p data-testid="more-refusals">{ tr!(language, "results.and-more", count = more) }</p>
                }
                { dismiss }
            </div>
        </>
    }
}

/// Renders the button that removes a rejected file from the browser's storage.
fn remove_button(language: Language, name: &str, key: &str, on_change: &Callback<Change>) -> Html {
    let (key, on_change) = (key.to_owned(), on_change.clone());
    let onclick = Callback::from(move |_: MouseEvent| {
        stored_files::remove_key(key.clone());
        // The button disappears, and so does the one that dismisses all if this was the last file.
        focus(if has_element("files") { "files" } else { "back" });
        on_change.emit(Change::RejectedRemoved(key.clone()));
    });
    html! {
        <>
            { " " }
            <button
                class="remove-copy" type="button" {onclick}
                aria-label={tr!(language, "results.remove-copy-of", name = name)}
            >
                { tr!(language, "results.remove-copy") }
            </button>
        </>
    }
}

/// Names the files that were removed from the browser while the page read them, which is no fault.
fn removed_files(language: Language, removed: &[&RejectedDocument]) -> Option<Html> {
    let more = removed.len().saturating_sub(MAX_SHOWN_REJECTIONS);
    let shown_files = removed.iter().skip(more).map(|file| shown(&file.name));
    let more = (more > 0).then(|| tr!(language, "results.and-more", count = more));
    let names: Vec<String> = shown_files.chain(more).collect();
    let names = names.join(language.comma());
    (!names.is_empty()).then(|| {
        html! {
            <p id="removed-files" class="soft" role="status">
                { tr!(language, "results.removed-files", names = names) }
            </p>
        }
    })
}

#[derive(Properties, PartialEq)]
struct ListProps {
    archive: UseReducerHandle<Archive>,
    on_file: Callback<Change>,
    /// Asks the server again.
    on_retry: Callback<()>,
    /// Whether the user has just closed an open document.
    returns: bool,
}

/// The list of all documents.
#[component]
fn List(props: &ListProps) -> Html {
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
    last_opened::use_return(props.returns);
    let pair: Vec<_> =
        compare::ticked(&address.results).filter_map(|id| archive.find(id)).collect();
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
                            narrow={media_matches("(max-width: 40rem)")}
                        />
                        if let [first, second] = pair[..] {
                            // The key keeps answers about another pair from being shown.
                            <Compared
                                key={[first, second].map(Entry::version).join(",")}
                                pair={[first.clone(), second.clone()]} archive={archive.dispatcher()}
                            />
                        }
                        <Table
                            entries={Rc::clone(&entries)} has_pair={pair.len() == 2} {rows_follow}
                        />
                        { compare::bar(language, &pair, &address, &navigate) }
                    }
                </div>
            }
            if let Some(onclick) = more {
                <button id="more" type="button" {onclick}>{ tr!(language, "results.more") }</button>
            }
        </>
    }
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
        tr!(language, "results.loaded-name", n = n, method = method)
    };
    html! {
        <p id="loaded" class="soft" role="status">
            { text }
            if !loaded.is_empty() {
                { language.space() }{ tr!(language, "results.loaded-rows") }{ language.colon() }
                { row_links(language, &loaded, name, address, navigate) }
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

fn server_line(language: Language, server: Server, on_retry: &Callback<()>) -> Html {
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

#[derive(Properties, PartialEq)]
struct OpenProps {
    id: String,
    archive: UseReducerHandle<Archive>,
    /// Asks the server again.
    on_retry: Callback<()>,
}

/// One document, which is fetched if the page does not have it with its tasks.
#[component]
fn Open(props: &OpenProps) -> Html {
    let language = use_language();
    let (address, navigate) = use_address();
    let archive = &props.archive;
    let entry = archive.find(&props.id);
    let missing =
        use_missing(&props.id, archive, entry.is_some_and(|entry| entry.document.is_some()));
    let mut list = address.with_result(None);
    if props.id == LINKED {
        list.section = None;
    }
    let after_removal = compare::without_tick(&list, &props.id);
    let on_close = {
        let (archive, entry) = (archive.dispatcher(), entry.cloned());
        let (navigate, after_removal) = (navigate.clone(), after_removal.clone());
        Callback::from(move |()| {
            if let Some(entry) = &entry {
                stored_files::remove(entry);
                archive.dispatch(Change::Close(entry.id.clone()));
            }
            navigate.push(after_removal.clone());
        })
    };
    let on_removed = {
        let (archive, id, navigate) = (archive.dispatcher(), props.id.clone(), navigate.clone());
        Callback::from(move |()| {
            archive.dispatch(Change::Removed(id.clone()));
            navigate.push(after_removal.clone());
        })
    };
    let is_open = use_is_open(&props.id);
    let on_published = on_published(archive, entry, &navigate, &is_open);
    html! {
        <>
            <p class="links"><Link to={list} id={"back"}>
                { "← " }{ tr!(language, "results.back") }
            </Link></p>
            if let Some(entry) = entry {
                <Detail entry={entry.clone()} {on_close} {on_removed} {on_published} />
            } else if missing && archive.server == Server::Lost {
                { server_line(language, archive.server, &props.on_retry) }
            } else if missing {
                <p class="statement" data-testid="absent">{ absent(language, &props.id) }</p>
            } else {
                <p class="soft" role="status">{ tr!(language, "results.fetching") }</p>
            }
        </>
    }
}

/// Returns a flag that is cleared when the view of this result is closed.
#[hook]
fn use_is_open(id: &str) -> Rc<Cell<bool>> {
    let is_open = use_memo(id.to_owned(), |_| Cell::new(true));
    let flag = Rc::clone(&is_open);
    use_effect_with(id.to_owned(), move |_| move || flag.set(false));
    is_open
}

/// Returns the callback that replaces a published file with the server's document. The browser keeps the
/// file. `None` if the page has no server.
fn on_published(
    archive: &UseReducerHandle<Archive>,
    entry: Option<&Entry>,
    navigate: &Navigate,
    is_open: &Rc<Cell<bool>>,
) -> Option<Callback<String>> {
    let has_server = !matches!(archive.server, Server::Unknown | Server::Absent);
    let entry = entry.filter(|_| has_server)?.clone();
    let archive = archive.dispatcher();
    let (navigate, is_open) = (navigate.clone(), Rc::clone(is_open));
    Some(Callback::from(move |listed: String| {
        let listed = serde_json::from_str(&listed).unwrap_or_default();
        let published = match Entry::of_summary(listed) {
            Ok(published) => published,
            Err(rejection) => return archive.dispatch(Change::Files(vec![Err(rejection)])),
        };
        // The address may have changed while the file was sent.
        let address = navigate.address();
        let moved = compare::with_tick_moved(&address, &entry.id, &published.id);
        let shown = moved.with_result(Some(published.id.clone()));
        archive.dispatch(Change::Published(entry.id.clone(), Box::new(published)));
        if is_open.get() {
            navigate.replace(shown);
        } else if moved != address {
            navigate.replace(moved);
        }
    }))
}

/// Says that neither the page nor its server has a result with this id.
fn absent(language: Language, id: &str) -> String {
    match id {
        LINKED => tr!(language, "results.absent-link"),
        _ => tr!(language, "results.absent-document"),
    }
}

/// Fetches a document with its tasks unless the page has it (`whole`), and fetches it again once a
/// lost server answers. Returns whether the document is not available.
#[hook]
fn use_missing(id: &str, archive: &UseReducerHandle<Archive>, whole: bool) -> bool {
    let missing = use_state_eq(|| false);
    let setter = missing.setter();
    let is_lost = archive.server == Server::Lost;
    let archive = archive.dispatcher();
    use_effect_with((id.to_owned(), whole, is_lost), move |(id, whole, _)| {
        setter.set(!whole && !server::is_id(id));
        if !whole && server::is_id(id) {
            let on_missing = Callback::from(move |()| setter.set(true));
            server::fetch_document(archive, id.clone(), on_missing);
        }
    });
    *missing
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use queens_core::document::{Checks, Document, Shard, Summary};

    use super::*;
    use crate::parts::rendered::{elements, rendered, rendered_at, texts};
    use crate::words::plain;
    use crate::worker::{FileAccessError, FileError};

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
            (&all[1..], "", "1 file loaded. Its row is highlighted.", "その行を強調"),
            (&all[1..], "12", "1 file loaded. The filters hide its row.", "絞り込み"),
            (all, "12", "2 files loaded. The filters hide their rows.", "絞り込み"),
            (
                all,
                "11",
                "2 files loaded. The filters hide 1 of the rows; the others are highlighted.",
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
        assert!(text.ends_with("Go to: N = 14 (Symmetry), N = 16 (Half-board matching)"), "{text}");
        assert!(targets.len() == 2 && targets[1].contains("result=file-16"), "{targets:?}");
        let (text, _) = said(japanese, &entries);
        assert!(text.contains("N = 14（対称解除法）、N = 16（"), "{text}");
        entries.extend((1..=4).map(|n| entry(n, Method::Mirror)));
        let (text, targets) = said(english, &entries);
        assert!(targets.len() == MAX_NAMED && text.ends_with(", and 3 more"), "{text}");
        entries.iter_mut().for_each(|entry| entry.fresh = false);
        assert_eq!(said(english, &entries), (String::new(), vec![]));
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
        assert!(said(&before).contains("2 files loaded"));
        let summary = Summary::of(&Document::parse(EIGHT).unwrap(), "aa".into(), Checks::NONE);
        let published = Box::new(Entry::of_summary(summary.to_value()).unwrap());
        let [a, b] = [file("a.json", EIGHT), file("b.json", ONE)].map(|file| file.unwrap().id);
        for change in [Change::Published(a, published), Change::Close(b)] {
            let after = reduced(before.clone(), change);
            assert_eq!(said(&after), "");
            // The remaining rows are still highlighted.
            assert!(after.entries.iter().any(|entry| entry.fresh));
            let again = reduced(reduced(after, Change::LoadStarts), files());
            assert!(said(&again).contains("2 files loaded"));
        }
    }

    fn reduced(archive: Archive, change: Change) -> Archive {
        Rc::unwrap_or_clone(Rc::new(archive).reduce(change))
    }

    /// Returns the texts about rejected files, which are given with their names and contents.
    fn rejection_texts(language: Language, files: &[(&str, String)]) -> String {
        let rejection = |(name, text): &(&str, String)| {
            Entry::of_file((*name).into(), archive::read_document(text)).err()
        };
        let rejected: Vec<_> = files.iter().filter_map(rejection).collect();
        assert_eq!(rejected.len(), files.len());
        texts(&rendered(language, rejections(language, &rejected, &Callback::noop())))
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
    fn lists_damaged_files_with_their_reason() {
        let later = EIGHT.replacen("\"version\": 1", "\"version\": 7", 1);
        let number = EIGHT.replacen("\"total\": \"16\"", "\"total\": 16", 1);
        for (name, text, english, japanese) in [
            ("truncated.json", EIGHT[..200].to_owned(), "truncated", "途中で"),
            ("empty.json", String::new(), "empty", "空"),
            ("picture.json", "\u{fffd}PNG".to_owned(), "not valid JSON", "JSON"),
            ("other.json", "{\"a\": 1}".to_owned(), "not a result of queens", "queens の結果"),
            ("later.json", later, "version: unsupported version 7", "7"),
            (
                "large.json",
                EIGHT.replace("\"n\": 8", "\"n\": 99"),
                "n: 99 is out of range",
                "99 は範囲外です",
            ),
            ("task.json", number, "tasks[6].total", "tasks[6].total"),
        ] {
            for (language, reason) in [(Language::English, english), (Language::Japanese, japanese)]
            {
                let text = rejection_texts(language, &[(name, text.clone())]);
                let (_, text) = text.split_once(name).unwrap();
                assert!(text.contains(reason), "{name}: {text}");
            }
        }
    }

    #[test]
    fn a_damaged_link_is_named_in_the_pages_language() {
        for (language, name, sentence) in [
            (Language::English, "link", "The link may be incomplete"),
            (Language::Japanese, "リンク", "リンクが途中で切れている"),
        ] {
            let text = rejection_texts(language, &[(LINKED, EIGHT[..200].to_owned())]);
            assert!(text.contains(name) && !text.contains(LINKED), "{text}");
            assert!(absent(language, LINKED).contains(sentence));
            assert!(!absent(language, "aa").contains(sentence));
        }
    }

    #[test]
    fn a_damaged_copy_has_a_button_that_removes_it() {
        let damaged = || FileError::Access(FileAccessError::Damaged);
        let file = |name: &str, why| RejectedDocument { name: name.to_owned(), why, is_file: true };
        let files = [
            file("a.json", FileError::Stored("key".to_owned(), Box::new(damaged()))),
            // A file that the user has just opened is not stored.
            file("b.json", FileError::Unreadable),
        ];
        for (language, sentence, name) in [
            (Language::English, "is damaged", "Remove a.json from this browser"),
            (Language::Japanese, "壊れています", "a.json をこのブラウザーから削除"),
        ] {
            let html = rendered(language, rejections(language, &files, &Callback::noop()));
            assert!(texts(&html).contains(sentence), "{html}");
            let buttons = elements(&html, "remove-copy");
            let names: Vec<_> =
                buttons.iter().filter_map(|button| button.attribute("aria-label")).collect();
            assert_eq!(names, [name]);
        }
    }

    #[test]
    fn files_that_another_tab_has_removed_are_named_without_alarm() {
        let removed = |name: &str| RejectedDocument {
            name: name.to_owned(),
            why: FileError::Access(FileAccessError::Removed),
            is_file: true,
        };
        for (language, sentence) in [
            (Language::English, "Removed in another tab or by the browser: a.json, b.json."),
            (Language::Japanese, "別のタブまたはブラウザーによって削除されました：a.json、b.json"),
        ] {
            let files = [removed("a.json"), removed("b.json")];
            let html = rendered(language, rejections(language, &files, &Callback::noop()));
            assert!(plain(texts(&html).trim()).starts_with(sentence), "{html}");
            assert!(!html.contains("alert") && html.contains("forget"), "{html}");
        }
    }

    #[test]
    fn lists_only_the_latest_rejections() {
        let files: Vec<_> = (0..43).map(|_| ("a.json", String::new())).collect();
        for (language, more) in
            [(Language::English, "and 35 more"), (Language::Japanese, "ほか 35 件")]
        {
            let texts = rejection_texts(language, &files);
            assert_eq!(texts.matches("a.json").count(), MAX_SHOWN_REJECTIONS);
            assert!(texts.contains(more), "{texts}");
        }
    }

    /// A document with one random change, determined by `number`.
    fn mutated(number: usize) -> String {
        let mut bytes = EIGHT.as_bytes().to_vec();
        // A linear congruential generator gives the same changes in every run.
        let mut state = number as u64 + 1;
        let mut below = |limit: usize| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % limit
        };
        match number % 4 {
            0 => bytes.truncate(below(EIGHT.len())),
            1 => bytes[below(EIGHT.len())] = b"0123456789-.e\"{}[],: x"[below(22)],
            2 => {
                let (from, length) = (below(EIGHT.len() - 40), below(40));
                bytes.drain(from..from + length);
            }
            _ => {
                let (from, to) = (below(EIGHT.len() - 60), below(EIGHT.len()));
                let piece = bytes[from..from + 60].to_vec();
                bytes.splice(to..to, piece);
            }
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }

    #[test]
    fn a_thousand_mutated_documents_are_shown_or_rejected() {
        let (mut accepted, mut rejected) = (vec![], vec![]);
        for number in 0..1000 {
            let name = format!("m-{number}.json");
            match Entry::of_file(name, archive::read_document(&mutated(number))) {
                Ok(entry) => accepted.push(entry),
                Err(rejection) => rejected.push(rejection),
            }
        }
        assert!((20..900).contains(&accepted.len()), "{}", accepted.len());
        for (number, entry) in accepted.into_iter().enumerate() {
            let language = Language::ALL[number % 2];
            let html = rendered(
                language,
                html! { <Detail {entry} on_close={Callback::noop()} on_removed={Callback::noop()} /> },
            );
            assert!(html.contains("data-testid=\"detail\""), "{html}");
        }
        for part in rejected.chunks(MAX_SHOWN_REJECTIONS) {
            let html =
                rendered(Language::English, rejections(Language::English, part, &Callback::noop()));
            let shown = texts(&html);
            for RejectedDocument { name, .. } in part {
                let (_, reason) = shown.split_once(name.as_str()).unwrap();
                assert!(reason.lines().nth(1).unwrap().len() > 10, "{shown}");
            }
        }
    }

    #[test]
    fn announces_the_last_arrival_and_each_removal() {
        let arrival = |text: &str, id: &str| {
            let document = Document::parse(text).unwrap();
            Change::Result(Summary::of(&document, id.to_owned(), Checks::NONE).to_value())
        };
        let earlier = ONE.replace("\"started\": \"2026", "\"started\": \"2025");
        assert_ne!(earlier, ONE);
        let mut archive = Rc::new(Archive::default());
        let mut after = |change| {
            archive = Rc::clone(&archive).reduce(change);
            Language::ALL.map(|language| news(language, &archive).as_deref().map(plain))
        };
        let said =
            |english: &str, japanese: &str| [english, japanese].map(|text| Some(text.to_owned()));
        assert_eq!(after(Change::LoadStarts), [None, None]);
        let eight = said("New result: N = 8, total 92.", "新しい結果：N = 8、解は 92 個。");
        assert_eq!(after(arrival(EIGHT, "aa")), eight);
        // It started before the earlier arrival.
        let one = said("New result: N = 1, total 1.", "新しい結果：N = 1、解は 1 個。");
        assert_eq!(after(arrival(&earlier, "bb")), one);
        let removed = said("A result was deleted.", "結果を 1 件削除しました。");
        assert_eq!(after(Change::Removed("aa".to_owned())), removed);
        let removed = said("2 results were deleted.", "結果を 2 件削除しました。");
        assert_eq!(after(Change::Removed("bb".to_owned())), removed);
        // An open document has nothing to do with earlier removals.
        assert_eq!(after(Change::DocumentOpened), [None, None]);
        assert_eq!(after(arrival(EIGHT, "aa")), eight);
        assert_eq!(after(Change::LoadStarts), [None, None]);
        let file = Entry::of_file("a.json".into(), archive::read_document(ONE)).unwrap();
        let id = file.id.clone();
        assert_eq!(after(Change::Loaded(vec![Ok(file)])), [None, None]);
        let closed = said("a.json is no longer in the list.", "a.json を一覧から外しました。");
        assert_eq!(after(Change::Close(id)), closed);
    }

    #[test]
    fn removals_are_announced_visibly() {
        assert_eq!(news_class(&News::Arrived("aa".into())), "hidden-text");
        for news in [News::Removed(1), News::Closed("a.json".into())] {
            assert_eq!(news_class(&news), "soft");
        }
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
