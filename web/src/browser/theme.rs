//! The light and the dark theme.

use queens_core::words;

use super::storage;
use super::window::{media_matches, set_page_attribute};

/// The storage key of the chosen theme.
const THEME: &str = "queens-theme";

words! {
    /// A theme: the value of `data-theme`.
    pub enum Theme {
        /// Dark text on a light background.
        Light = "light",
        Dark = "dark",
    }
}

impl Theme {
    /// Returns the theme that the user chose, on this visit or an earlier one.
    pub fn chosen() -> Option<Theme> {
        storage::recall(THEME)?.parse().ok()
    }

    /// Returns the current theme: the chosen theme or, without a choice, the system's theme.
    pub fn shown() -> Theme {
        Theme::chosen().unwrap_or_else(|| {
            if media_matches("(prefers-color-scheme: dark)") { Theme::Dark } else { Theme::Light }
        })
    }

    /// Shows this theme and stores the choice.
    pub fn choose(self) {
        self.show();
        storage::remember(THEME, self.id());
    }

    pub fn show(self) {
        set_page_attribute("data-theme", self.id());
    }
}
