//! An open result, which is fetched if the page does not have it with its tasks.

use std::cell::Cell;
use std::rc::Rc;

use yew::prelude::*;

use super::archive::{Archive, Change, Entry, LINKED, Server};
use super::detail::Detail;
use super::list::server_line;
use super::{compare, server, stored_files};
use crate::parts::link::Link;
use crate::place::{Navigate, use_address};
use crate::words::{Language, tr, use_language};

#[derive(Properties, PartialEq)]
pub struct OpenProps {
    pub id: String,
    pub archive: UseReducerHandle<Archive>,
    /// Asks the server again.
    pub on_retry: Callback<()>,
}

/// One document, which is fetched if the page does not have it with its tasks.
#[component]
pub fn Open(props: &OpenProps) -> Html {
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
pub fn absent(language: Language, id: &str) -> String {
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
