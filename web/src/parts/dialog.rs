//! A modal dialog.

use web_sys::HtmlDialogElement;
use yew::prelude::*;

use crate::words::{tr, use_language};

#[derive(Properties, PartialEq)]
pub struct Props {
    /// The id of the dialog. The ids of its title and of the button that closes it begin with it.
    pub id: &'static str,
    pub title: String,
    /// Called when the user closes the dialog.
    pub closed: Callback<()>,
    pub children: Html,
}

/// A modal dialog that is open from its first rendering. A press outside closes it. The browser keeps the
/// focus inside until the dialog is closed, and then returns it to the element that had it.
#[component]
pub fn Dialog(props: &Props) -> Html {
    let language = use_language();
    let dialog = use_node_ref();
    {
        let dialog = dialog.clone();
        use_effect_with((), move |()| {
            if let Some(dialog) = dialog.cast::<HtmlDialogElement>() {
                // Fails only if the dialog is already open.
                let _ = dialog.show_modal();
            }
        });
    }
    let &Props { id, ref title, ref closed, ref children } = props;
    let onclose = closed.reform(|_: Event| ());
    // The browser returns the focus when it closes the dialog.
    let onclick = {
        let dialog = dialog.clone();
        Callback::from(move |_: MouseEvent| {
            if let Some(dialog) = dialog.cast::<HtmlDialogElement>() {
                dialog.close();
            }
        })
    };
    let title_id = format!("{id}-title");
    html! {
        <dialog ref={dialog} {id} {onclose} closedby="any" aria-labelledby={title_id.clone()}>
            // Focus the title first: otherwise a dialog longer than the window opens scrolled down to
            // the button.
            <h2 id={title_id} class="dialog-title" tabindex="-1" autofocus=true>{ title }</h2>
            { children.clone() }
            <button id={format!("{id}-close")} type="button" {onclick}>{ tr!(language, "keys.close") }</button>
        </dialog>
    }
}
