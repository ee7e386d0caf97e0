//! The link to a comparison, with the results that the server does not have.

use queens_state::results::link;
use yew::prelude::*;

use crate::browser::link_to;
use crate::parts::share_link::ShareLink;
use crate::place::{Address, Field, View};
use crate::views::results::entry::{Entry, LINKED, LINKED_SECOND, Source};
use crate::words::{Language, tr};

/// Renders the link to the comparison, with a button that copies it.
pub fn share(language: Language, address: &Address, pair: &[Entry; 2]) -> Html {
    let Some(link) = link_of(address, pair) else {
        let text = tr!(language, "results.compare.link-too-long");
        return html! { <p class="soft" id="no-pair-share">{ text }</p> };
    };
    let is_on_server = pair.iter().all(|entry| entry.source == Source::Server);
    let hint =
        if is_on_server { "results.compare.link-server" } else { "results.compare.link-files" };
    let copy = ["results.share.copy", "results.share.copied"];
    html! {
        <ShareLink
            id="pair-share" link={link_to(&link)} label={tr!(language, "results.compare.link")}
            hint={tr!(language, hint)} copy={copy.map(|key| AttrValue::from(tr!(language, key)))}
        />
    }
}

/// Returns the query and the fragment of the link to a comparison. Results that are not on the server are in the
/// fragment; `None` if it would be too long.
fn link_of(address: &Address, pair: &[Entry; 2]) -> Option<String> {
    let mut linked = [LINKED, LINKED_SECOND].into_iter();
    let mut headers = vec![];
    let ids = pair.each_ref().map(|entry| {
        if entry.source == Source::Server {
            return &*entry.id;
        }
        headers.push(&*entry.header);
        linked.next().unwrap_or_default()
    });
    let section = if headers.is_empty() { None } else { Some(link::to_fragment(&headers)?) };
    let page =
        Address { view: View::Results, language: address.language, section, ..Address::default() };
    Some(page.with_field(Field::Pair, &ids.join(",")).to_link())
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use std::rc::Rc;

    use queens_core::Method;

    use super::*;
    use crate::views::results::entry::counted;

    fn file(id: &str, seconds: f64) -> Entry {
        counted(id, 8, Method::Symmetry, seconds)
    }

    fn on_server(id: &str) -> Entry {
        let mut entry = file(id, 1.0);
        entry.source = Source::Server;
        entry
    }

    #[test]
    fn a_link_has_the_results_that_the_server_lacks() {
        let open = |pair: [Entry; 2]| {
            let link = link_of(&Address::default(), &pair).unwrap();
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
        let mut long = file("file-1", 3.0);
        Rc::make_mut(&mut long.header).backend.detail = "x".repeat(5000);
        assert_eq!(link_of(&Address::default(), &[long, on_server("bb")]), None);
    }
}
