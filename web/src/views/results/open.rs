//! An open result, which is fetched if the page does not have it with its tasks.

use yew::prelude::*;

use super::archive::{Archive, Change, Server};
use super::detail::Detail;
use super::entry::{Entry, LINKED, LINKED_SECOND, is_linked};
use super::list::server_line;
use super::model::link;
use super::publish::store_published;
use super::{compare, server, stored_files};
use crate::address::{Address, Navigate, use_address};
use crate::parts::link::Link;
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
    server::use_documents(archive, &[&props.id]);
    let missing = !server::is_id(&props.id) || archive.missing.contains(&props.id);
    let other = compare::other_of_pair(&address.results, &props.id);
    let mut list = address.with_result(None);
    // A comparison may be with the result of the link.
    if is_linked(&props.id) && other.is_none() {
        list.section = None;
    }
    let back = if other.is_some() { "results.compare.title" } else { "results.back" };
    let back = tr!(language, back);
    let on_close = {
        let after_close = after_close(&list, archive, &props.id);
        let (archive, entry) = (archive.dispatcher(), entry.cloned());
        let navigate = navigate.clone();
        Callback::from(move |()| {
            if let Some(entry) = &entry {
                stored_files::remove(entry);
                archive.dispatch(Change::Close(entry.id.clone()));
            }
            navigate.push(after_close.clone());
        })
    };
    let on_published = on_published(archive, entry, &navigate);
    html! {
        <>
            <nav class="links way-back" aria-label={tr!(language, "back.name")}>
                <Link id="back" to={list}>{ "← " }{ back }</Link>
            </nav>
            if let Some(entry) = entry {
                <Detail entry={entry.clone()} {on_close} {on_published} />
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

/// Returns the address of the list after the result `id` was closed. The fragment loses a result that came in it,
/// because a reload would add that again. The other one is then the only one of the fragment.
fn after_close(list: &Address, archive: &Archive, id: &str) -> Address {
    let list = compare::without_tick(list, id);
    if !is_linked(id) || list.section.is_none() {
        return list;
    }
    if id == LINKED_SECOND {
        let section = archive.find(LINKED).and_then(|first| link::to_fragment(&[&first.header]));
        return Address { section, ..list };
    }
    let section =
        archive.find(LINKED_SECOND).and_then(|second| link::to_fragment(&[&second.header]));
    Address { section, ..compare::with_tick_moved(&list, LINKED_SECOND, LINKED) }
}

/// Returns the callback that replaces a published file with the server's document. The browser keeps the
/// file. `None` if the page has no server.
fn on_published(
    archive: &UseReducerHandle<Archive>,
    entry: Option<&Entry>,
    navigate: &Navigate,
) -> Option<Callback<String>> {
    let has_server = !matches!(archive.server, Server::Unknown | Server::Absent);
    let entry = entry.filter(|_| has_server)?.clone();
    let archive = archive.dispatcher();
    let navigate = navigate.clone();
    Some(Callback::from(move |listed: String| {
        let Some(published) = store_published(&archive, &entry.id, &listed) else { return };
        // The address may have changed while the file was sent.
        let address = navigate.address();
        let moved = compare::with_tick_moved(&address, &entry.id, &published);
        if address.result.as_ref() == Some(&entry.id) {
            navigate.replace(moved.with_result(Some(published)));
        } else if moved != address {
            navigate.replace(moved);
        }
    }))
}

/// Says that neither the page nor its server has a result with this id.
pub fn absent(language: Language, id: &str) -> String {
    match id {
        LINKED | LINKED_SECOND => tr!(language, "results.absent-link"),
        _ => tr!(language, "results.absent-document"),
    }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use queens_core::Method;

    use super::*;
    use crate::address::Field;
    use crate::views::results::archive::archive_of;
    use crate::views::results::entry::counted;

    #[test]
    fn a_closed_result_of_a_link_leaves_the_fragment() {
        let header = |n| (*counted("x", n, Method::Mirror, 1.0).header).clone();
        let (first, second) = (header(12), header(13));
        let entries = vec![
            Entry::of_link(LINKED, first.clone()),
            Entry::of_link(LINKED_SECOND, second.clone()),
        ];
        let archive = archive_of(entries, Server::Live);
        let fragment = link::to_fragment(&[&first, &second]);
        let after = |pair: &str, archive: &Archive, id: &str| {
            let list = Address { section: fragment.clone(), ..Address::default() };
            let list = after_close(&list.with_field(Field::Pair, pair), archive, id);
            let sizes = list.section.as_deref().and_then(link::from_fragment).map(|found| {
                found.into_iter().map(|header| header.unwrap().n.get()).collect::<Vec<_>>()
            });
            (list.results.get(Field::Pair).to_owned(), sizes.unwrap_or_default())
        };
        // The only result of a fragment has the first id.
        assert_eq!(after("linked,linked-2", &archive, LINKED), ("linked".into(), vec![13]));
        assert_eq!(after("linked,linked-2", &archive, LINKED_SECOND), ("linked".into(), vec![12]));
        assert_eq!(after("linked,aa", &archive, "aa"), ("linked".into(), vec![12, 13]));
        let one = archive_of(archive.entries[..1].to_vec(), Server::Live);
        assert_eq!(after("aa,linked", &one, LINKED), ("aa".into(), vec![]));
    }
}
