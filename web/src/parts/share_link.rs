//! A link to send to others, with a button that copies it.

use wasm_bindgen_futures::spawn_local;
use web_sys::HtmlInputElement;
use yew::prelude::*;

use crate::browser::copy;

#[derive(Properties, PartialEq)]
pub struct Props {
    /// The id of the button. The field's id has the suffix `-link`.
    #[prop_or(AttrValue::Static("share"))]
    pub id: AttrValue,
    /// The whole link, or code that contains it.
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
    let Props { id, link, label, hint, copy: [before, after] } = props;
    let field_id = format!("{id}-link");
    // The link that was copied last, which may have changed since.
    let copied = use_state_eq(|| None::<AttrValue>);
    let field = use_node_ref();
    let onclick = {
        let (link, copied, field) = (link.clone(), copied.setter(), field.clone());
        Callback::from(move |_: MouseEvent| {
            let (link, copied, field) = (link.clone(), copied.clone(), field.clone());
            spawn_local(async move {
                if copy(&link).await {
                    copied.set(Some(link));
                } else if let Some(field) = field.cast::<HtmlInputElement>() {
                    // Some browsers do not focus a clicked button. If the field still has the focus,
                    // `focus` sends no event that would select the text.
                    let _ = field.focus();
                    field.select();
                }
            });
        })
    };
    // If the browser does not let the page copy, the user can copy the selected text.
    let onfocus = Callback::from(|event: FocusEvent| {
        if let Some(field) = event.target_dyn_into::<HtmlInputElement>() {
            field.select();
        }
    });
    html! {
        <div class="share">
            <label for={field_id.clone()}>{ label }</label>
            <input ref={field} id={field_id} type="text" readonly=true value={link} {onfocus} />
            <button {id} type="button" {onclick}>
                { if copied.as_ref() == Some(link) { after } else { before } }
            </button>
            <p class="hint">{ hint }</p>
        </div>
    }
}
