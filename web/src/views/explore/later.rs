//! The parts of Explore that its first screen does not need. Their code is loaded on demand, and
//! `App` provides it as a context.

use yew::prelude::*;

use super::controls::whole;
pub use super::controls::whole::WholeSearch;
use super::panels::compare::race;
pub use super::panels::compare::race::RaceTrack;

/// A part to render, with its properties.
pub enum Part {
    /// The race of two methods.
    Race(race::Props),
    /// The picture of the whole search.
    WholeSearch(whole::Props),
}

/// The state of the code of these parts.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum LaterParts {
    /// Not loaded yet.
    #[default]
    Loading,
    /// Loading failed.
    Failed,
    /// Loaded. The callback renders a part.
    Loaded(Callback<Part, Html>),
}
