//! The parts of Explore that its first screen does not need. Their code is loaded on demand, and
//! `App` provides it as a context.

use yew::prelude::*;

use super::controls::whole;
pub use super::controls::whole::WholeSearch;
use super::guide;
pub use super::guide::{Guide, MomentMarks};
use super::panels::compare::race;
pub use super::panels::compare::race::RaceTrack;
use super::share;
pub use super::share::Share;
use crate::words::{tr, use_language};

/// A part to render, with its properties.
#[derive(Clone, PartialEq)]
pub enum Part {
    /// The race of two methods.
    Race(race::Props),
    /// The picture of the whole search.
    WholeSearch(whole::Props),
    /// What a user carries away.
    Share(share::Props),
    /// What a link brings along.
    Guide(guide::Props),
    /// The marked moments on the timeline.
    MomentMarks(guide::MarksProps),
}

/// The state of the code of these parts.
#[derive(Clone, Debug, PartialEq)]
pub enum LaterParts {
    /// Not loaded yet. The callback asks for it.
    Loading(Callback<()>),
    /// Loading failed.
    Failed,
    /// Loaded. The callback renders a part.
    Loaded(Callback<Part, Html>),
}

impl Default for LaterParts {
    fn default() -> LaterParts {
        LaterParts::Loading(Callback::noop())
    }
}

#[derive(Properties, PartialEq)]
pub struct Props {
    pub part: Part,
}

/// A part, whose code is asked for when it is first rendered.
#[component]
pub fn LaterPart(props: &Props) -> Html {
    let language = use_language();
    let parts = use_context::<LaterParts>().unwrap_or_default();
    use_effect_with(parts.clone(), |parts| {
        if let LaterParts::Loading(ask) = parts {
            ask.emit(());
        }
    });
    match parts {
        LaterParts::Loaded(show) => show.emit(props.part.clone()),
        LaterParts::Loading(_) => html! {},
        LaterParts::Failed => {
            html! { <p class="soft">{ tr!(language, "explore.part-missing") }</p> }
        }
    }
}
