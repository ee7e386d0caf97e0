//! The view Results.

use yew::prelude::*;

use crate::i18n::use_language;
use crate::views::View;

/// The view Results.
#[component]
pub fn Results() -> Html {
    let language = use_language();
    html! { <h1>{ View::Results.name(language) }</h1> }
}
