//! Light and dark.

use queens_core::words;

use super::storage;
use super::window::{fits, mark};

/// The key under which a chosen theme is remembered.
const THEME: &str = "queens-theme";

words! {
    /// Light or dark: the value of `data-theme`.
    pub enum Theme {
        /// Ink on paper.
        Light = "light",
        Dark = "dark",
    }
}

impl Theme {
    pub const fn other(self) -> Theme {
        match self {
            Theme::Light => Theme::Dark,
            Theme::Dark => Theme::Light,
        }
    }

    /// The theme chosen on an earlier visit, if one was.
    pub fn chosen() -> Option<Theme> {
        storage::recall(THEME)?.parse().ok()
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
