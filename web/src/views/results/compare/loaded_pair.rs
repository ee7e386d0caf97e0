//! The button that compares two results that the user has just loaded.

use std::rc::Rc;

use yew::prelude::*;

use super::ticks::{TITLE, other_of_pair};
use crate::browser::jump_to;
use crate::place::{Field, use_address};
use crate::words::{tr, use_language};

#[derive(Properties, PartialEq)]
pub struct Props {
    pub ids: [String; 2],
}

/// A button that ticks both results and leads to their comparison; nothing while they are compared.
#[component]
pub fn CompareLoaded(props: &Props) -> Html {
    let language = use_language();
    let (address, navigate) = use_address();
    let [first, second] = &props.ids;
    let is_compared = other_of_pair(&address.results, first) == Some(second);
    let is_clicked = use_mut_ref(|| false);
    let onclick = {
        let (is_clicked, ids) = (Rc::clone(&is_clicked), props.ids.join(","));
        Callback::from(move |_: MouseEvent| {
            is_clicked.replace(true);
            navigate.push(address.with_field(Field::Pair, &ids));
        })
    };
    // The comparison is on the page once it is rendered.
    use_effect_with(is_compared, move |is_compared| {
        if *is_compared && is_clicked.take() {
            jump_to(TITLE);
        }
    });
    html! {
        if !is_compared {
            <button id="compare-loaded" type="button" {onclick}>
                { tr!(language, "results.compare.loaded") }
            </button>
        }
    }
}
