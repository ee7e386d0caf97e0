//! A drop-down list of the controls.

use std::str::FromStr;

use web_sys::HtmlSelectElement;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub struct ChoiceProps {
    pub id: &'static str,
    /// The id of the chosen option.
    pub value: &'static str,
    /// The options, each with its id and its name.
    pub options: Vec<(&'static str, String)>,
    pub onchange: Callback<Event>,
    pub label: String,
    pub title: String,
}

/// A drop-down list whose value can also change by other means, such as keys.
#[component]
pub fn Choice(props: &ChoiceProps) -> Html {
    let list = use_node_ref();
    {
        // The attribute `selected` has no effect once the user has chosen an option.
        let list = list.clone();
        use_effect_with(props.value, move |value| {
            if let Some(select) = list.cast::<HtmlSelectElement>() {
                select.set_value(value);
            }
        });
    }
    let options = props.options.iter().map(|(id, name)| {
        html! { <option key={*id} value={*id} selected={*id == props.value}>{ name }</option> }
    });
    html! {
        <select
            ref={list} id={props.id} onchange={props.onchange.clone()}
            aria-label={props.label.clone()} title={props.title.clone()}
        >
            { for options }
        </select>
    }
}

/// Returns the option that the user has chosen in a list.
pub fn chosen<T: FromStr>(event: &Event) -> Option<T> {
    let select: HtmlSelectElement = event.target_unchecked_into();
    select.value().parse().ok()
}
