//! The parts of Explore that its first screen does not need. The page's frame knows their code.

use yew::prelude::*;

use super::controls::whole;
pub use super::controls::whole::WholeSearch;
use super::panels::compare::race;
pub use super::panels::compare::race::RaceTrack;

/// A part with its properties.
pub enum Part {
    /// The race of two methods.
    Race(race::Props),
    /// The picture of the whole search.
    WholeSearch(whole::Props),
}

/// The code of these parts.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum LaterParts {
    /// Not loaded yet.
    #[default]
    Loading,
    /// Loading failed.
    Failed,
    /// Renders a part.
    Loaded(Callback<Part, Html>),
}
