//! The list of keyboard shortcuts.

use web_sys::HtmlDialogElement;
use yew::prelude::*;

use crate::words::{tr, use_language};

#[derive(Clone, Properties, PartialEq)]
pub struct Props {
    /// Called when the user closes the dialog.
    pub closed: Callback<()>,
}

/// The list of keyboard shortcuts as a modal dialog. Its code is loaded on demand. The browser keeps the
/// focus inside until the dialog is closed, and then returns it to the element that had it.
#[component]
pub fn Help(props: &Props) -> Html {
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
    let onclose = props.closed.reform(|_: Event| ());
    // The browser returns the focus when it closes the dialog.
    let onclick = {
        let dialog = dialog.clone();
        Callback::from(move |_: MouseEvent| {
            if let Some(dialog) = dialog.cast::<HtmlDialogElement>() {
                dialog.close();
            }
        })
    };
    let [space, escape] = [tr!(language, "explore.space-bar"), tr!(language, "keys.escape-key")];
    let keys: [(&[&str], String); 15] = [
        (&[&space], tr!(language, "keys.space")),
        (&["←", "→"], tr!(language, "keys.arrows")),
        (&["Shift+←", "Shift+→"], tr!(language, "keys.shift-arrows")),
        (&["PgUp", "PgDn"], tr!(language, "keys.page")),
        (&["Home", "End"], tr!(language, "keys.home-end")),
        (&["S", "Shift+S"], tr!(language, "keys.s")),
        (&["R", "Shift+R"], tr!(language, "keys.r")),
        (&["C", "Shift+C"], tr!(language, "keys.c")),
        (&["D", "Shift+D"], tr!(language, "keys.d")),
        (&["+", "−"], tr!(language, "keys.plus-minus")),
        (&["Shift+End"], tr!(language, "keys.shift-end")),
        (&["F"], tr!(language, "keys.f")),
        (&["Enter"], tr!(language, "keys.enter")),
        (&[&escape], tr!(language, "keys.escape")),
        (&["?"], tr!(language, "keys.question")),
    ];
    let list = keys.into_iter().map(|(keys, what)| {
        html! {
            <div>
                <dt>{ for keys.iter().map(|key| html! { <kbd>{ *key }</kbd> }) }</dt>
                <dd>{ what }</dd>
            </div>
        }
    });
    html! {
        <dialog ref={dialog} id="keys" {onclose} aria-labelledby="keys-title">
            // Focus the title first: otherwise a list longer than the window opens scrolled down to
            // the button.
            <h2 id="keys-title" tabindex="-1" autofocus=true>{ tr!(language, "explore.keys") }</h2>
            <p class="soft">{ tr!(language, "keys.where") }</p>
            <dl class="keys">{ for list }</dl>
            <button id="keys-close" type="button" {onclick}>{ tr!(language, "keys.close") }</button>
        </dialog>
    }
}
