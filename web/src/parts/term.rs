//! A word that leads to its explanation.

use yew::prelude::*;

use super::link::Link;
use crate::place::{View, use_address};
use crate::words::{Language, Word, use_language};

#[derive(Properties, PartialEq)]
pub struct Props {
    /// The word that is explained.
    pub word: Word,
    /// What is shown.
    pub children: Html,
}

/// A word as a link to its explanation, which says what it means and who uses it as soon as it is
/// pointed at or has the focus; a screen reader hears what it means with its name.
#[component]
pub fn Term(props: &Props) -> Html {
    let language = use_language();
    let (address, _) = use_address();
    let Props { word, children } = props;
    let tip = word.tip(language);
    html! {
        <span class="term">
            <Link to={address.reading(View::Learn, word.id())}>
                { children.clone() }
                <span class="hidden-text">{ language.aside(&tip) }</span>
            </Link>
            <span class="term-tip" aria-hidden="true">
                <span>{ tip }</span>
                <span>{ word.more(language) }</span>
            </span>
        </span>
    }
}

/// A sentence in which the word, where it first stands, leads to its explanation.
pub fn with_term(language: Language, sentence: &str, word: Word) -> Html {
    let name = word.name(language);
    let Some((before, after)) = sentence.split_once(&name) else { return html! { sentence } };
    html! { <>{ before }<Term {word}>{ &name }</Term>{ after }</> }
}
