//! The link with which a result is shared.

use queens_state::results::link;
use yew::prelude::*;

use super::entry::{Entry, LINKED, Source};
use crate::browser::link_to;
use crate::parts::share_link::ShareLink;
use crate::place::{Address, View, use_address};
use crate::words::{tr, use_language};

#[derive(Properties, PartialEq)]
pub struct Props {
    pub entry: Entry,
}

/// A field with the link, and a button that copies it. The link to a document that is not on the server
/// contains the document without its tasks.
#[component]
pub fn Share(props: &Props) -> Html {
    let language = use_language();
    let (address, _) = use_address();
    let Some(query) = shared(&address, &props.entry) else {
        return html! { <p class="soft" id="no-share">{ tr!(language, "results.share.too-long") }</p> };
    };
    let hint = match props.entry.source {
        Source::Server => tr!(language, "results.share.server"),
        Source::File(_) | Source::Link => tr!(language, "results.share.file"),
    };
    html! {
        <ShareLink
            link={link_to(&query)} label={tr!(language, "results.share.label")} {hint}
            copy={[tr!(language, "results.share.copy"), tr!(language, "results.share.copied")].map(AttrValue::from)}
        />
    }
}

/// Returns the query and the fragment of the link to a document; `None` if it would be too long.
fn shared(address: &Address, entry: &Entry) -> Option<String> {
    let open = |id: &str| Address {
        view: View::Results,
        result: Some(id.to_owned()),
        language: address.language,
        ..Address::default()
    };
    Some(match entry.source {
        Source::Server => open(&entry.id).to_link(),
        Source::File(_) | Source::Link => {
            Address { section: Some(link::to_fragment(&[&entry.header])?), ..open(LINKED) }
                .to_link()
        }
    })
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use std::rc::Rc;

    use queens_core::{Check, Checks, Method};

    use super::*;
    use crate::views::results::entry::{counted, read_document};

    const EIGHT: &str = include_str!("../../../../tests/data/results/eight.json");

    #[test]
    fn a_link_opens_the_same_result() {
        let mut entry = counted("file-1", 12, Method::Mirror, 2.5);
        let link = shared(&Address::default(), &entry).unwrap();
        let (address, problems) = Address::parse(&link);
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
        assert_eq!(eight.verified.1, Checks::NONE.with(Check::Known));
        assert_eq!(shared(&Address::default(), &linked), Some(link));
        Rc::make_mut(&mut entry.header).backend.detail = "x".repeat(5000);
        assert_eq!(shared(&Address::default(), &entry), None);
        entry.source = Source::Server;
        assert_eq!(
            shared(&Address::default(), &entry).as_deref(),
            Some("?view=results&result=file-1")
        );
    }
}
