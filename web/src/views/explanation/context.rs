//! The parts that all figures share: the context, the caption and its link.

use yew::prelude::*;

use crate::parts::link::Link;
use crate::place::Address;
use crate::words::{Language, tr};

/// The context that every figure needs.
#[derive(Clone, Copy)]
pub struct FigureContext<'a> {
    pub language: Language,
    pub address: &'a Address,
}

impl FigureContext<'_> {
    /// Renders a caption and a link to the same state in its view.
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
