//! The light and the dark theme, and the high contrast.

use queens_core::words;

use super::storage;
use super::window::{media_matches, set_page_attribute};

/// The storage keys of the chosen theme and of the chosen contrast.
const THEME: &str = "queens-theme";
const CONTRAST: &str = "queens-contrast";

words! {
    /// A theme: the value of `data-theme`.
    pub enum Theme {
        /// Dark text on a light background.
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

words! {
    /// A contrast: the value of `data-contrast`.
    pub enum Contrast {
        /// The contrast of the themes without changes.
        Normal = "normal",
        /// Stronger colours and thicker lines, for poor projectors and users with low vision.
        More = "more",
    }
}

impl Contrast {
    /// Returns the contrast that the user chose, on this visit or an earlier one, or else the contrast
    /// that the system's settings prefer.
    pub fn shown() -> Contrast {
        let chosen = storage::recall(CONTRAST).and_then(|id| id.parse().ok());
        chosen.unwrap_or_else(|| match media_matches("(prefers-contrast: more)") {
            true => Contrast::More,
            false => Contrast::Normal,
        })
    }

    /// Shows this contrast and stores the choice.
    pub fn choose(self) {
        self.show();
        storage::remember(CONTRAST, self.id());
    }

    pub fn show(self) {
        set_page_attribute("data-contrast", self.id());
    }
}
