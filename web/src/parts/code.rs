//! Text with code in it.

use yew::prelude::*;

/// Renders a text, with the parts between backquotes as code.
pub fn with_code(text: &str) -> Html {
    let parts = text.split('`').enumerate().map(|(index, part)| {
        if index % 2 == 1 {
            html! { <code>{ part }</code> }
        } else {
            html! { { part } }
        }
    });
    html! { <>{ for parts }</> }
}
