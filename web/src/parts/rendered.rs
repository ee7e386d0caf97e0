//! Components rendered as HTML for tests on the host. Without a browser, effects do not run.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use yew::prelude::*;

use crate::place::{Address, Navigation};
use crate::words::{Language, plain};

/// The rendered part of the page, with its language and its address.
#[derive(Properties, PartialEq)]
struct Props {
    language: Language,
    navigation: Navigation,
    children: Html,
}

#[component]
fn Page(props: &Props) -> Html {
    html! {
        <ContextProvider<Language> context={props.language}>
            <ContextProvider<Navigation> context={props.navigation.clone()}>
                { props.children.clone() }
            </ContextProvider<Navigation>>
        </ContextProvider<Language>>
    }
}

/// Renders a part of the page at the default address.
pub fn rendered(language: Language, children: Html) -> String {
    rendered_at(language, Address::default(), children)
}

/// Renders a part of the page at an address.
pub fn rendered_at(language: Language, address: Address, children: Html) -> String {
    let props = Props { language, navigation: Navigation::at(address), children };
    let renderer = yew::LocalServerRenderer::<Page>::with_props(props).hydratable(false);
    let mut page = pin!(renderer.render());
    // Rendering waits for nothing, so it completes within a few polls.
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(html) = page.as_mut().poll(&mut context) {
            return plain(&html);
        }
    }
}

/// Returns the texts of an HTML part, one per line.
pub fn texts(html: &str) -> String {
    let texts = html.split('<').filter_map(|part| part.split_once('>'));
    let texts = texts.map(|(_, text)| text.trim()).filter(|text| !text.is_empty());
    let texts = texts.collect::<Vec<_>>().join("\n");
    [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&")]
        .into_iter()
        .fold(texts, |texts, (entity, sign)| texts.replace(entity, sign))
}
