//! The view Symmetries.

use yew::prelude::*;

use crate::i18n::use_language;
use crate::views::View;

/// The view Symmetries.
#[component]
pub fn Symmetries() -> Html {
    let language = use_language();
    html! { <h1>{ View::Symmetries.name(language) }</h1> }
}
