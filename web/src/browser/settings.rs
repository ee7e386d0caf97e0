//! What the browser remembers between visits: language, theme, and that the tour was seen.

use crate::words::Language;

const LANGUAGE: &str = "queens-language";
const THEME: &str = "queens-theme";
const TOUR: &str = "queens-tour";

fn storage() -> Option<web_sys::Storage> {
    // Absent where cookies are blocked; the page then forgets.
    web_sys::window()?.local_storage().ok()?
}

/// The language chosen on an earlier visit, else the browser's own.
pub fn language() -> Language {
    let chosen = storage().and_then(|storage| storage.get_item(LANGUAGE).ok()?);
    chosen.as_deref().and_then(Language::parse).unwrap_or_else(|| {
        let tag = web_sys::window().and_then(|window| window.navigator().language());
        Language::of_tag(&tag.unwrap_or_default())
    })
}

/// Remembers a language.
pub fn remember_language(language: Language) {
    if let Some(storage) = storage() {
        // A full or blocked store only means that the choice is not remembered.
        let _ = storage.set_item(LANGUAGE, language.id());
    }
}

/// Whether the tour of the first visit has been seen or skipped. Where nothing can be remembered it
/// is not shown: it would come back at every visit.
pub fn tour_seen() -> bool {
    storage().is_none_or(|storage| storage.get_item(TOUR).ok().flatten().is_some())
}

/// Remembers that the tour has been seen.
pub fn remember_tour() {
    if let Some(storage) = storage() {
        // A full or blocked store only means that it is shown again.
        let _ = storage.set_item(TOUR, "seen");
    }
}

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
        let chosen = storage()?.get_item(THEME).ok()??;
        [Theme::Light, Theme::Dark].into_iter().find(|theme| theme.id() == chosen)
    }

    /// The theme that is shown: the chosen one, else the system's.
    pub fn shown() -> Theme {
        Theme::chosen().unwrap_or_else(|| {
            let dark = web_sys::window()
                .and_then(|window| window.match_media("(prefers-color-scheme: dark)").ok()?)
                .is_some_and(|query| query.matches());
            if dark { Theme::Dark } else { Theme::Light }
        })
    }

    /// Shows this theme from now on.
    pub fn choose(self) {
        self.show();
        if let Some(storage) = storage() {
            let _ = storage.set_item(THEME, self.id());
        }
    }

    /// Shows this theme.
    pub fn show(self) {
        if let Some(root) = root() {
            let _ = root.set_attribute("data-theme", self.id());
        }
    }
}

/// Tells the browser, and with it screen readers, the language of the page.
pub fn mark_language(language: Language) {
    if let Some(root) = root() {
        let _ = root.set_attribute("lang", language.id());
    }
}

fn root() -> Option<web_sys::Element> {
    web_sys::window()?.document()?.document_element()
}
