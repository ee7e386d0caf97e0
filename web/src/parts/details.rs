//! Elements `<details>` whose contents are rendered only while they are open.

use web_sys::HtmlDetailsElement;
use yew::prelude::*;

/// Returns whether a `<details>` element is open, and the callback for its event `toggle`.
#[hook]
pub fn use_is_open() -> (UseStateHandle<bool>, Callback<Event>) {
    let is_open = use_state_eq(|| false);
    let setter = is_open.setter();
    let ontoggle = Callback::from(move |event: Event| {
        let details = event.target_dyn_into::<HtmlDetailsElement>();
        setter.set(details.is_some_and(|details| details.open()));
    });
    (is_open, ontoggle)
}
