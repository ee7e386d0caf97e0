//! The list of keyboard shortcuts.

use yew::prelude::*;

use crate::parts::dialog::Dialog;
use crate::words::{tr, use_language};

#[derive(Clone, Properties, PartialEq)]
pub struct Props {
    /// Called when the user closes the dialog.
    pub closed: Callback<()>,
}

/// The list of keyboard shortcuts as a modal dialog.
#[component]
pub fn Help(props: &Props) -> Html {
    let language = use_language();
    let [space, escape] = [tr!(language, "explore.space-bar"), tr!(language, "keys.escape-key")];
    let keys: [(&[&str], String); 13] = [
        (&[&space], tr!(language, "keys.space")),
        (&["←", "→"], tr!(language, "keys.arrows")),
        (&["Shift+←", "Shift+→"], tr!(language, "keys.shift-arrows")),
        (&["Home", "End"], tr!(language, "keys.home-end")),
        (&["D", "Shift+D"], tr!(language, "keys.d")),
        (&["S", "Shift+S"], tr!(language, "keys.s")),
        (&["R", "Shift+R"], tr!(language, "keys.r")),
        (&["C", "Shift+C"], tr!(language, "keys.c")),
        (&["+", "−"], tr!(language, "keys.plus-minus")),
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
        <Dialog id="keys" title={tr!(language, "explore.keys")} closed={&props.closed}>
            <p class="soft">{ tr!(language, "keys.where") }</p>
            <dl class="keys">{ for list }</dl>
        </Dialog>
    }
}
