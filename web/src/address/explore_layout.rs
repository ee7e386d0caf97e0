//! The layout of Explore.

use queens_core::Square;

/// Everything that Explore shows in addition to its search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExploreLayout {
    /// Whether the registers are shown in hexadecimal, too.
    pub hex: bool,
    /// The square whose explanation is open.
    pub selected_square: Option<Square>,
    /// Whether the presentation layout is on.
    pub presenting: bool,
    /// Whether the table of the work of all methods is open.
    pub work: bool,
}

impl ExploreLayout {
    /// Returns the layout for a search on another board or with another method.
    pub fn for_other_search(self) -> ExploreLayout {
        ExploreLayout { selected_square: None, ..self }
    }
}
