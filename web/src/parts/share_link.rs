//! A link to send to others, with a button that copies it.

use web_sys::HtmlInputElement;
use yew::prelude::*;

use crate::browser::copy;

#[derive(Properties, PartialEq)]
pub struct Props {
    /// The whole link.
    pub link: AttrValue,
    /// The label of the field.
    pub label: AttrValue,
    /// A sentence below the field.
    pub hint: AttrValue,
    /// The texts of the button, before and after the link was copied.
    pub copy: [AttrValue; 2],
}

/// A field with the link, and the button.
#[component]
pub fn ShareLink(props: &Props) -> Html {
    let Props { link, label, hint, copy: [before, after] } = props;
    // The link that was copied last, which may have changed since.
    let copied = use_state_eq(|| None::<AttrValue>);
    let onclick = {
        let (link, copied) = (link.clone(), copied.setter());
        Callback::from(move |_: MouseEvent| {
            copy(&link);
            copied.set(Some(link.clone()));
        })
    };
    // Where the browser does not let the page copy, the user can.
    let onfocus = Callback::from(|event: FocusEvent| {
        if let Some(field) = event.target_dyn_into::<HtmlInputElement>() {
            field.select();
        }
    });
    html! {
        <div class="share">
            <label for="share-link">{ label }</label>
            <input id="share-link" type="text" readonly=true value={link} {onfocus} />
            <button id="share" type="button" {onclick}>
                { if copied.as_ref() == Some(link) { after } else { before } }
            </button>
            <p class="hint">{ hint }</p>
        </div>
    }
}
