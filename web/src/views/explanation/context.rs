//! The parts that all figures share: the context, the caption and its link.

use yew::prelude::*;

use crate::parts::link::Link;
use crate::place::Address;
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
