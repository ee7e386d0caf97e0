//! The view Classes.

use yew::prelude::*;

use crate::i18n::use_language;
use crate::views::View;

/// The view Classes.
#[component]
pub fn Classes() -> Html {
    let language = use_language();
    html! { <h1>{ View::Classes.name(language) }</h1> }
}
