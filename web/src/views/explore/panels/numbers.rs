//! The tab with the work: the counters of the search, and the work of all methods. Its code is loaded on
//! demand.

use queens_core::{Size, Stepped, Work};
use yew::prelude::*;

use super::compare::all::All;
use super::counters::counters;
use crate::words::{Language, tr};

#[derive(Clone, Properties, PartialEq)]
pub struct Props {
    pub language: Language,
    pub method: Stepped,
    pub size: Size,
    /// The work up to the current step.
    pub work: Work,
    /// Whether the table of all methods is open.
    pub is_open: bool,
    /// Whether to scroll the table into view.
    pub scroll_to_work: bool,
    /// Opens or closes the table.
    pub open: Callback<bool>,
}

/// Renders the tab. The work of all methods is counted while its table is open.
pub fn numbers(props: &Props) -> Html {
    let &Props { language, method, size, is_open, scroll_to_work, .. } = props;
    let toggle = props.open.reform(move |event: MouseEvent| {
        event.prevent_default();
        !is_open
    });
    html! {
        <>
            { counters(language, &props.work, method.facts()) }
            <details class="panel" open={is_open}>
                <summary id="efforts-summary" onclick={toggle}>{ tr!(language, "compare.all", n = size) }</summary>
                if is_open {
                    <All {method} {size} {language} scroll_into_view={scroll_to_work} />
                }
            </details>
        </>
    }
}
