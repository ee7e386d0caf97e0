//! Links within the page.

use web_sys::Element;
use yew::prelude::*;

use crate::place::{Address, Navigate, use_address};

#[derive(Properties, PartialEq)]
pub struct Props {
    /// Where it leads.
    pub to: Address,
    /// What is shown.
    pub children: Html,
    #[prop_or_default]
    pub class: Classes,
    #[prop_or_default]
    /// Its id, for tests.
    pub id: Option<AttrValue>,
    #[prop_or_default]
    /// Whether it leads to the view that is open.
    pub current: bool,
}

/// A link to another address of the page: a true link, so that it can be copied or opened in a
/// tab of its own, that a plain click follows without loading the page again.
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

/// A click that asks for no tab or window of its own.
fn is_plain(event: &MouseEvent) -> bool {
    let with_key = event.ctrl_key() || event.meta_key() || event.shift_key() || event.alt_key();
    event.button() == 0 && !with_key
}

/// Follows whichever link of the page was clicked below an element: for hundreds of them, that
/// need not be components.
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
