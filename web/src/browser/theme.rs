//! Light and dark.

use super::storage;
use super::window::{fits, mark};

/// The key under which a chosen theme is remembered.
const THEME: &str = "queens-theme";

/// Light or dark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// Ink on paper.
    Light,
    /// Its dark twin.
    Dark,
}

impl Theme {
    /// The value of `data-theme`.
    pub const fn id(self) -> &'static str {
        match self {
            Theme::Light => "light",
            Theme::Dark => "dark",
        }
    }

    /// The other one.
    pub const fn other(self) -> Theme {
        match self {
            Theme::Light => Theme::Dark,
            Theme::Dark => Theme::Light,
        }
    }

    /// The theme chosen on an earlier visit, if one was.
    pub fn chosen() -> Option<Theme> {
        let chosen = storage::recall(THEME)?;
        [Theme::Light, Theme::Dark].into_iter().find(|theme| theme.id() == chosen)
    }

    /// The theme that is shown: the chosen one, else the system's.
    pub fn shown() -> Theme {
        Theme::chosen().unwrap_or_else(|| {
            if fits("(prefers-color-scheme: dark)") { Theme::Dark } else { Theme::Light }
        })
    }

    /// Shows this theme from now on.
    pub fn choose(self) {
        self.show();
        storage::remember(THEME, self.id());
    }

    /// Shows this theme.
    pub fn show(self) {
        mark("data-theme", self.id());
    }
}
