//! The links at the top of a text.

use yew::prelude::*;

use super::link::Link;
use crate::address::{View, use_address};
use crate::words::{tr, use_language};

/// A link to the view from which the user came, in its earlier state, and links to the parts of Learn.
#[component]
pub fn Back() -> Html {
    let language = use_language();
    let (address, _) = use_address();
    let to = address.with_view(address.return_to);
    let view = address.return_to.name(language);
    let text = tr!(language, "back.view", view = view);
    let parts = View::LEARN.map(|part| {
        let name = match part {
            View::Learn => tr!(language, "view.course"),
            other => other.name(language),
        };
        html! {
            <Link to={address.with_view(part)} id={format!("to-{}", part.id())} current={part == address.view}>
                { name }
            </Link>
        }
    });
    html! {
        <nav class="back" aria-label={tr!(language, "back.name")}>
            <Link {to} id="back">{ "← " }{ text }</Link>
            <span class="parts-of-learn">{ for parts }</span>
        </nav>
    }
}
