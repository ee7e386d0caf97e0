//! The view Explore: step through a method on a board.

mod marks;
mod picture;
mod state;
mod why;

use yew::prelude::*;

use crate::i18n::use_language;
use crate::views::View;

/// The view Explore.
#[component]
pub fn Explore() -> Html {
    let language = use_language();
    html! { <h1>{ View::Explore.name(language) }</h1> }
}
