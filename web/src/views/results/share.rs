//! The link with which a result, or a comparison of two results, is shared.

use yew::prelude::*;

use super::entry::{Entry, LINKED, LINKED_SECOND, Source};
use super::model::link;
use crate::address::{Address, Field, View};
use crate::browser::link_to;
use crate::parts::share_link::ShareLink;
use crate::words::{Language, tr};

/// Renders the closed part “Share”: the link to a result, or to the comparison of two, with a button that copies it, and
/// `other` ways.
pub fn share(language: Language, address: &Address, results: &[&Entry], other: Html) -> Html {
    let is_one = results.len() == 1;
    let id = if is_one { "share" } else { "pair-share" };
    let text = |key: &str| match is_one {
        true => tr!(language, format!("results.share.{key}")),
        false => tr!(language, format!("results.compare.share.{key}")),
    };
    let is_on_server = results.iter().all(|entry| entry.source == Source::Server);
    let copy = ["results.share.copy", "results.share.copied"];
    html! {
        <details id={format!("{id}-open")} class="share-open">
            <summary class="button">{ tr!(language, "results.share.open") }</summary>
            if let Some(link) = link_of(address, results) {
                <ShareLink
                    {id} link={link_to(&link)} label={text("label")}
                    hint={text(if is_on_server { "server" } else { "file" })}
                    copy={copy.map(|key| AttrValue::from(tr!(language, key)))}
                />
            } else {
                <p class="soft" id={format!("no-{id}")}>{ text("too-long") }</p>
            }
            { other }
        </details>
    }
}

/// Returns the query and the fragment of the link. Results that are not on the server are in the fragment, without
/// their tasks; `None` if it would be too long.
fn link_of(address: &Address, results: &[&Entry]) -> Option<String> {
    let mut linked = [LINKED, LINKED_SECOND].into_iter();
    let mut headers = vec![];
    let ids = results.iter().map(|entry| {
        if entry.source == Source::Server {
            return &*entry.id;
        }
        headers.push(&*entry.header);
        linked.next().unwrap_or_default()
    });
    let ids: Vec<&str> = ids.collect();
    let section = if headers.is_empty() { None } else { Some(link::to_fragment(&headers)?) };
    let page =
        Address { view: View::Results, language: address.language, section, ..Address::default() };
    Some(match ids[..] {
        [id] => page.with_result(Some(id.to_owned())).to_link(),
        _ => page.with_field(Field::Pair, &ids.join(",")).to_link(),
    })
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use std::rc::Rc;

    use queens_core::{Check, Checks, Method};

    use super::*;
    use crate::views::results::entry::{counted, read_document};

    const EIGHT: &str = include_str!("../../../../tests/data/results/eight.json");

    fn file(id: &str, seconds: f64) -> Entry {
        counted(id, 12, Method::Mirror, seconds)
    }

    fn on_server(id: &str) -> Entry {
        let mut entry = file(id, 1.0);
        entry.source = Source::Server;
        entry
    }

    #[test]
    fn a_link_opens_the_same_result() {
        let mut entry = file("file-1", 2.5);
        let link = |entry: &Entry| link_of(&Address::default(), &[entry]);
        let (address, problems) = Address::parse(&link(&entry).unwrap());
        assert!(problems.is_empty(), "{problems:?}");
        assert_eq!((address.view, address.result.as_deref()), (View::Results, Some(LINKED)));
        let section = address.section.as_deref().unwrap();
        let header = link::from_fragment(section).unwrap().remove(0).unwrap();
        assert_eq!(header, *entry.header);
        let linked = Entry::of_link(LINKED, header);
        // The total belongs to N = 12, but the class counts belong to N = 8. The page detects this
        // without the tasks.
        assert!(!linked.contradictions.is_empty());
        assert_eq!(linked.verified.1, Checks::NONE);
        let eight = Entry::of_file("x".into(), read_document(EIGHT)).unwrap();
        let eight = Entry::of_link(LINKED, (*eight.header).clone());
        assert_eq!(eight.contradictions.len(), 0);
        let compared = Checks::NONE.with(Check::Divisibility).with(Check::Known);
        assert_eq!(eight.verified.1, compared);
        assert_eq!(link(&linked), link(&entry));
        Rc::make_mut(&mut entry.header).backend.detail = "x".repeat(5000);
        assert_eq!(link(&entry), None);
        assert_eq!(link(&on_server("aa")).as_deref(), Some("?view=results&result=aa"));
    }

    #[test]
    fn a_link_to_a_comparison_has_the_results_that_the_server_lacks() {
        let open = |pair: [Entry; 2]| {
            let link = link_of(&Address::default(), &pair.each_ref()).unwrap();
            let (address, problems) = Address::parse(&link);
            assert!(problems.is_empty() && address.result.is_none(), "{link}");
            let headers = address.section.as_deref().and_then(link::from_fragment);
            let times = headers.unwrap_or_default().into_iter().map(|header| header.unwrap());
            let times: Vec<_> = times.map(|header| header.seconds.get()).collect();
            (address.results.get(Field::Pair).to_owned(), times)
        };
        assert_eq!(open([on_server("aa"), on_server("bb")]), ("aa,bb".to_owned(), vec![]));
        let mixed = open([file("file-1", 3.0), on_server("bb")]);
        assert_eq!(mixed, ("linked,bb".to_owned(), vec![3.0]));
        let both = open([file("file-1", 3.0), file("file-2", 4.0)]);
        assert_eq!(both, ("linked,linked-2".to_owned(), vec![3.0, 4.0]));
    }
}
