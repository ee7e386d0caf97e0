//! The first visit: five short steps, shown once.

use yew::prelude::*;

use crate::i18n::{tr, use_language};

/// The number of steps.
pub const STEPS: u8 = 5;

/// What the tour needs.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// The step that is shown, from 1. Style sheets mark what it speaks of by `data-tour`.
    pub step: u8,
    /// Goes on to a step; beyond the last one the tour is over.
    pub go: Callback<u8>,
}

/// One step of the tour.
#[component]
pub fn Tour(props: &Props) -> Html {
    let language = use_language();
    let step = props.step;
    let next = props.go.reform(move |_: MouseEvent| step + 1);
    let skip = props.go.reform(|_: MouseEvent| STEPS + 1);
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
