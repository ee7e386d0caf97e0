//! The message below a field.

use yew::prelude::*;

use crate::browser::bring_into_view;

#[derive(Properties, PartialEq)]
pub struct Props {
    pub id: &'static str,
    /// The sentence, if the entry is invalid.
    pub message: Option<String>,
}

/// A message that is announced and scrolled into view when it appears.
#[component]
pub fn FieldError(props: &Props) -> Html {
    let id = props.id;
    use_effect_with(props.message.clone(), move |message| {
        if message.is_some() {
            bring_into_view(id);
        }
    });
    html! { <p {id} class="field-error" role="alert">{ props.message.clone() }</p> }
}
