//! The dialog with the work: the counters of the search, and the work of all methods.

use queens_core::{Size, Stepped, Work};
use yew::prelude::*;

use super::all::All;
use super::counters::counters;
use crate::parts::dialog::Dialog;
use crate::words::{Language, tr};

#[derive(Clone, Properties, PartialEq)]
pub struct Props {
    pub language: Language,
    pub method: Stepped,
    pub size: Size,
    /// The work up to the current step.
    pub work: Work,
    /// Called when the user closes the dialog.
    pub closed: Callback<()>,
}

/// Renders the dialog. The work of all methods is counted while it is open.
#[component]
pub fn Numbers(props: &Props) -> Html {
    let &Props { language, method, size, ref closed, .. } = props;
    html! {
        <Dialog id="work" title={tr!(language, "explore.numbers")} {closed}>
            { counters(language, &props.work, method.facts()) }
            <h3 id="efforts-title">{ tr!(language, "compare.all", n = size) }</h3>
            <All {method} {size} {language} />
        </Dialog>
    }
}
