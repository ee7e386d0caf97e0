//! The first visit: five short steps, shown once.

use yew::prelude::*;

use crate::browser::storage;
use crate::words::{Language, tr};

/// The key under which it is remembered that the tour has been seen.
const TOUR: &str = "queens-tour";

/// Whether the tour has been seen or skipped. Where nothing can be remembered it is not shown: it
/// would come back at every visit.
pub fn is_seen() -> bool {
    !storage::is_there() || storage::recall(TOUR).is_some()
}

/// Remembers that the tour has been seen.
pub fn remember() {
    storage::remember(TOUR, "seen");
}

/// The number of steps.
pub const STEPS: u8 = 5;

/// One step of the tour, from 1. Style sheets mark what it speaks of by `data-tour`. `go` goes on
/// to a step; beyond the last one the tour is over.
pub fn tour(language: Language, step: u8, go: &Callback<u8>) -> Html {
    let next = go.reform(move |_: MouseEvent| step + 1);
    let skip = go.reform(|_: MouseEvent| STEPS + 1);
    let last = step == STEPS;
    html! {
        <section id="tour" class="tour" aria-label={tr!(language, "tour.label", step = step, steps = STEPS)}>
            <p aria-live="polite"><strong>{ format!("{step}/{STEPS}") }</strong>{ " " }{ tr!(language, format!("tour.step-{step}")) }</p>
            <div class="button-line">
                <button id="tour-next" type="button" class="primary" onclick={next}>
                    { if last { tr!(language, "tour.done") } else { tr!(language, "tour.next") } }
                </button>
                if !last {
                    <button id="tour-skip" type="button" class="quiet" onclick={skip}>{ tr!(language, "tour.skip") }</button>
                }
            </div>
        </section>
    }
}
