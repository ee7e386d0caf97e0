//! Links within the page.

use web_sys::Element;
use yew::prelude::*;

use crate::address::{Address, Navigate, use_address};

#[derive(Properties, PartialEq)]
pub struct Props {
    /// The target.
    pub to: Address,
    pub children: Html,
    #[prop_or_default]
    pub class: Classes,
    /// The id, for tests.
    #[prop_or_default]
    pub id: Option<AttrValue>,
    /// Whether the link leads to the current view.
    #[prop_or_default]
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

/// Returns whether a click should open the link in the same tab.
pub fn is_plain(event: &MouseEvent) -> bool {
    let with_key = event.ctrl_key() || event.meta_key() || event.shift_key() || event.alt_key();
    event.button() == 0 && !with_key
}

/// Follows the link on which the user clicked. As the click handler of an element, it serves
/// hundreds of plain links inside, so that they need not be components.
pub fn follow(navigate: &Navigate, event: &MouseEvent) {
    follow_to(navigate, event, |to| to);
}

/// Like [`follow`], but navigates to the address that `change` returns for that of the link.
pub fn follow_to(navigate: &Navigate, event: &MouseEvent, change: impl FnOnce(Address) -> Address) {
    // A link that is a component has navigated already.
    if event.default_prevented() {
        return;
    }
    let clicked = event.target_dyn_into::<Element>();
    let link = clicked.and_then(|clicked| clicked.closest("a[href^='?']").ok().flatten());
    let Some(query) = link.and_then(|link| link.get_attribute("href")) else {
        return;
    };
    if is_plain(event) {
        event.prevent_default();
        let to = Address::parse(&query).0.over(&navigate.address());
        navigate.push(change(to));
    }
}
