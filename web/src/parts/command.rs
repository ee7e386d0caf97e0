//! A command for the terminal.

use yew::prelude::*;

/// Renders a command. Its options are marked, so that styles can prevent line breaks after their
/// dashes.
pub fn command(words: &str) -> Html {
    let words = words.split_inclusive(' ').map(|word| match word.trim_end() {
        option if option.starts_with('-') => {
            html! { <><span class="option">{ option }</span>{ &word[option.len()..] }</> }
        }
        _ => html! { word },
    });
    html! { <code>{ for words }</code> }
}
