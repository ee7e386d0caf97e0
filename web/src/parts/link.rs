//! Links within the page.

use web_sys::Element;
use yew::prelude::*;

use crate::place::{Address, Navigate, use_address};

#[derive(Properties, PartialEq)]
pub struct Props {
    /// The target.
    pub to: Address,
    pub children: Html,
    #[prop_or_default]
    pub class: Classes,
    #[prop_or_default]
    /// The id, for tests.
    pub id: Option<AttrValue>,
    #[prop_or_default]
    /// Whether the link leads to the current view.
    pub current: bool,
}

/// A link to another address of the page. It has a URL, so that it can be copied or opened in a new
/// tab. A plain click follows it without reloading the page.
#[component]
pub fn Link(props: &Props) -> Html {
    let (_, navigate) = use_address();
    let onclick = {
        let to = props.to.clone();
        Callback::from(move |event: MouseEvent| {
            if is_plain(&event) {
                event.prevent_default();
                navigate.push(to.clone());
            }
        })
    };
    let href = props.to.to_link();
    let current = props.current.then_some("page");
    html! {
        <a {href} {onclick} id={props.id.clone()} class={props.class.clone()} aria-current={current}>
            { props.children.clone() }
        </a>
    }
}

/// Whether a click is to open the link in the same tab.
fn is_plain(event: &MouseEvent) -> bool {
    let with_key = event.ctrl_key() || event.meta_key() || event.shift_key() || event.alt_key();
    event.button() == 0 && !with_key
}

/// Follows the link that was clicked within an element. One click handler serves hundreds of links,
/// so that they need no components.
pub fn follow(navigate: &Navigate, event: &MouseEvent) {
    let clicked = event.target_dyn_into::<Element>();
    let link = clicked.and_then(|clicked| clicked.closest("a[href^='?']").ok().flatten());
    let Some(query) = link.and_then(|link| link.get_attribute("href")) else {
        return;
    };
    if is_plain(event) {
        event.prevent_default();
        navigate.push(Address::parse(&query).0);
    }
}
