//! The Results view: documents of counts from the server, from files and from links, and the running
//! counts that report to the server.

mod archive;
mod chart;
mod compare;
mod detail;
mod entry;
mod files;
mod filters;
pub mod from_count;
mod latest;
mod list;
pub mod model;
mod moment;
mod open;
mod overview;
mod publish;
mod recount;
mod rejections;
mod runs;
mod server;
mod shards;
mod share;
mod stored_files;
mod table;
mod tasks;
mod words;

use std::rc::Rc;

use yew::prelude::*;

use crate::address::{Field, View, use_address};
use crate::browser::{current_place, return_to};
use crate::words::{Language, grouped, tr, use_language};
use model::link;

use archive::{Archive, Change, News, use_archive};
use compare::{Compared, use_pair};
use files::{DropArea, Picker};
use list::{List, has_nothing, server_line};
use open::Open;
use rejections::rejections;
use words::{run_name, source_name};

#[component]
pub fn Results() -> Html {
    let language = use_language();
    let (address, _) = use_address();
    let archive = use_archive();
    let on_retry = server::use_server(archive.dispatcher());
    stored_files::use_files(archive.dispatcher(), address.results.get(Field::Load));
    use_linked(archive.dispatcher(), address.section.as_deref());
    let on_file = {
        let archive = archive.dispatcher();
        Callback::from(move |change| archive.dispatch(change))
    };
    {
        let archive = archive.dispatcher();
        use_effect_with(address.result.clone(), move |open| {
            if open.is_some() {
                archive.dispatch(Change::DocumentOpened);
            }
        });
    }
    let pair = use_pair(&archive);
    let has_open = address.result.is_some() || pair.is_some();
    // Once shown, the list stays in the page behind an open document, so that it is as the user left it.
    let has_list = use_mut_ref(|| false);
    *has_list.borrow_mut() |= !has_open;
    let has_list = *has_list.borrow();
    let left = use_place(has_open);
    let head = html! {
        <div class="results-top">
            <h1>{ View::Results.name(language) }</h1>
            if !has_open {
                <Picker on_file={on_file.clone()} />
                if !has_nothing(&archive) { { files::button(language, "") } }
                { server_line(language, archive.server, &on_retry) }
            }
        </div>
    };
    let rejections = rejections(language, &archive.rejected, &on_file);
    html! {
        <DropArea {on_file}>
            { head }
            <p class={news_class(&archive.news)} role="status" id="news">{ news(language, &archive) }</p>
            { runs::runs(language, &archive.runs) }
            { rejections }
            if let Some(id) = &address.result {
                <Open id={id.clone()} archive={archive.clone()} {on_retry} />
            }
            if let Some(pair) = pair {
                <Compared {pair} missing={archive.missing.clone()} />
            }
            if has_list {
                <div hidden={has_open}><List archive={archive.clone()} on_leave={left} /></div>
            }
        </DropArea>
    }
}

/// Returns the callback that the list calls before a click opens a document or a comparison. After the user has closed
/// it, the page is scrolled to where it was, and the clicked element has the focus again.
#[hook]
fn use_place(has_open: bool) -> Callback<()> {
    let place = use_mut_ref(|| None);
    {
        let place = Rc::clone(&place);
        use_effect_with(has_open, move |&has_open| {
            if let Some(place) = place.borrow_mut().take_if(|_| !has_open) {
                return_to(place);
            }
        });
    }
    Callback::from(move |()| drop(place.replace(current_place())))
}

/// Adds the results in the fragment of the address, if there are any.
#[hook]
fn use_linked(archive: UseReducerDispatcher<Archive>, section: Option<&str>) {
    use_effect_with(section.map(str::to_owned), move |section| {
        if let Some(found) = section.as_deref().and_then(link::from_fragment) {
            archive.dispatch(Change::Linked(found));
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

/// Returns the announcement of the last arrival or removal.
fn news(language: Language, archive: &Archive) -> Option<String> {
    Some(match &archive.news {
        News::None => return None,
        News::Closed(name) => {
            tr!(language, "results.closed", name = source_name(language, name))
        }
        News::Removed(entry) => {
            tr!(language, "results.removed", name = run_name(language, entry))
        }
        News::Arrived(id) => {
            let header = &archive.find(id)?.header;
            let (n, total) = (header.n, grouped(header.total));
            tr!(language, "results.new-result", n = n, total = total)
        }
    })
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use queens_core::document::{Checks, Document, Summary};

    use super::*;
    use crate::views::results::entry::{Entry, read_document};
    use crate::words::plain;

    const EIGHT: &str = include_str!("../../../../tests/data/results/eight.json");
    const ONE: &str = include_str!("../../../../tests/data/results/one.json");

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
        let parts = |n: u32| {
            [
                format!("Deleted from the server: N = {n}, "),
                format!("サーバーから削除しました：N = {n}、"),
            ]
        };
        for (id, parts) in [("aa", parts(8)), ("bb", parts(1))] {
            let said = after(Change::Removed(id.to_owned())).map(Option::unwrap);
            assert!(said.iter().zip(parts).all(|(said, part)| said.contains(&part)), "{said:?}");
        }
        // An open document has nothing to do with earlier removals.
        assert_eq!(after(Change::DocumentOpened), [None, None]);
        assert_eq!(after(arrival(EIGHT, "aa")), eight);
        assert_eq!(after(Change::LoadStarts), [None, None]);
        let file = Entry::of_file("a.json".into(), read_document(ONE)).unwrap();
        let id = file.id.clone();
        assert_eq!(after(Change::Loaded(vec![Ok(file)])), [None, None]);
        let closed = said("a.json is no longer in the list.", "a.json を一覧から外しました。");
        assert_eq!(after(Change::Close(id)), closed);
    }

    #[test]
    fn removals_are_announced_visibly() {
        assert_eq!(news_class(&News::Arrived("aa".into())), "hidden-text");
        let file = Entry::of_file("a.json".into(), read_document(ONE)).unwrap();
        for news in [News::Removed(Box::new(file)), News::Closed("a.json".into())] {
            assert_eq!(news_class(&news), "soft");
        }
    }
}
