//! The page's frame.

use yew::prelude::*;

/// The whole page.
#[component]
pub fn App() -> Html {
    html! {
        <main>
            <h1>{ "queens" }</h1>
            <p>{ "An N-Queens workbench." }</p>
        </main>
    }
}
