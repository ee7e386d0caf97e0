//! The patterns that mark squares, so that colour is never the only mark.

use yew::prelude::*;

/// The SVG definitions of the patterns, for the board and the legend.
#[component]
pub fn Patterns() -> Html {
    let lines = |id: &'static str, step: u32, path: &'static str| {
        html! {
            <pattern {id} width={step.to_string()} height={step.to_string()} patternUnits="userSpaceOnUse">
                <path d={path} class={classes!("pattern", id)} />
            </pattern>
        }
    };
    html! {
        <defs>
            { lines("x-attacked", 8, "M-2 2 2-2M0 8 8 0M6 10 10 6") }
            { lines("x-upper-side", 8, "M-2 6 2 10M0 0 8 8M6-2 10 2") }
            { lines("x-lower-side", 5, "M0 2.5H5") }
            { lines("x-last-row", 5, "M2.5 0V5") }
            { lines("x-corner", 8, "M0 0 8 8M8 0 0 8") }
            { lines("x-half", 8, "M3 4H5") }
        </defs>
    }
}
