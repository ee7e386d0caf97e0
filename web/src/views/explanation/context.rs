//! The parts that all figures share: the context, the caption and its link, the slider.

use web_sys::HtmlInputElement;
use yew::prelude::*;

use crate::address::Address;
use crate::parts::link::Link;
use crate::words::{Language, tr};

/// The page's language and address, which every figure needs.
#[derive(Clone, Copy)]
pub struct FigureContext<'a> {
    pub language: Language,
    pub address: &'a Address,
}

impl FigureContext<'_> {
    /// Renders a caption with a link to `to`, where a view of the page shows the figure's state.
    pub fn caption(self, text: &str, to: Address) -> Html {
        let view = to.view.name(self.language);
        html! {
            <figcaption>
                { text }{ " " }
                <Link {to} class="figure-link">
                    { tr!(self.language, "explanation.open", view = view) }
                </Link>
            </figcaption>
        }
    }
}

/// Renders the slider below a figure: its name, the least and the largest value, the value and what it means.
pub fn slider(
    name: String,
    [least, most]: [i64; 2],
    value: i64,
    meaning: Option<String>,
    set: UseStateSetter<i64>,
) -> Html {
    let oninput = Callback::from(move |event: InputEvent| {
        let slider: HtmlInputElement = event.target_unchecked_into();
        set.set(slider.value_as_number() as i64);
    });
    html! {
        <input
            class="figure-slider" type="range" min={least.to_string()} max={most.to_string()}
            value={value.to_string()} aria-label={name} aria-valuetext={meaning} {oninput}
        />
    }
}
