//! The parts of Explore that its first screen does not need. Their code is loaded on demand, and
//! `App` provides it as a context.

use yew::prelude::*;

use super::board::branches::{self, Branches};
use super::board::legend;
use super::controls::help::{self, Help};
use super::panels::numbers;
use super::panels::pruned::{self, PrunedSolution};
use super::panels::race::{self, RaceTrack};
use super::share::{self, Share};
use crate::words::{tr, use_language};

/// A part to render, with its properties.
#[derive(Clone, PartialEq)]
pub enum ExplorePart {
    /// The race of two methods.
    Race(Box<race::Props>),
    /// A solution of a pruned branch.
    Pruned(pruned::Props),
    /// The dialog with what can be shared.
    Share(Box<share::Props>),
    /// The list of keyboard shortcuts.
    Help(help::Props),
    /// The dialog with the signs on the board and the map.
    Signs(legend::Props),
    /// The dialog with the work counters.
    Numbers(numbers::Props),
    /// The dialog with the masks of each branch.
    Branches(branches::Props),
}

impl ExplorePart {
    /// Renders the part.
    pub fn show(self) -> Html {
        match self {
            ExplorePart::Race(props) => {
                let key = props.key();
                html! { <RaceTrack {key} ..*props /> }
            }
            ExplorePart::Pruned(props) => html! { <PrunedSolution ..props /> },
            ExplorePart::Share(props) => html! { <Share ..*props /> },
            ExplorePart::Help(props) => html! { <Help ..props /> },
            ExplorePart::Signs(props) => legend::signs(&props),
            ExplorePart::Numbers(props) => numbers::numbers(&props),
            ExplorePart::Branches(props) => html! { <Branches ..props /> },
        }
    }
}

/// The state of the code of these parts.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum LaterCode {
    /// Not loaded yet.
    #[default]
    Loading,
    /// Loading failed.
    Failed,
    /// Loaded. The callback renders a part.
    Loaded(Callback<ExplorePart, Html>),
}

/// The code of the parts of Explore, and how to request it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LaterParts {
    pub code: LaterCode,
    /// Called when a part is likely to be shown.
    pub expect: Callback<()>,
    /// Fetches the code again after a failure.
    pub try_again: Callback<MouseEvent>,
}

#[derive(Properties, PartialEq)]
pub struct LaterProps {
    pub part: ExplorePart,
    /// Whether nothing is shown until the code is loaded.
    #[prop_or_default]
    pub is_quiet: bool,
}

/// A part, or, until its code is loaded, a message.
#[component]
pub fn LaterPart(props: &LaterProps) -> Html {
    let language = use_language();
    let LaterParts { code, expect, try_again } = use_context().unwrap_or_default();
    use_effect_with((), move |()| expect.emit(()));
    match code {
        LaterCode::Loaded(show) => show.emit(props.part.clone()),
        LaterCode::Loading if props.is_quiet => html! {},
        LaterCode::Loading => html! { <p class="soft">{ tr!(language, "tab.loading") }</p> },
        LaterCode::Failed => html! {
            <p class="soft">
                { tr!(language, "tab.missing") }{ " " }
                <button type="button" class="try-part-again" onclick={try_again}>{ tr!(language, "explanation.again") }</button>
            </p>
        },
    }
}
