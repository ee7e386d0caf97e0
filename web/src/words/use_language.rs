//! The language of the page, and the language that the user prefers.

use yew::prelude::*;

use super::language::Language;
use crate::browser::{language_tag, set_page_attribute, storage};

/// The storage key of the selected language.
const LANGUAGE: &str = "queens-language";

/// Returns the language that the user chose, on this visit or an earlier one, otherwise the
/// browser's.
pub fn preferred_language() -> Language {
    let chosen = storage::recall(LANGUAGE);
    let chosen = chosen.and_then(|id| id.parse().ok());
    chosen.unwrap_or_else(|| Language::of_tag(&language_tag()))
}

/// Stores the language that the user chose.
pub fn remember_language(language: Language) {
    storage::remember(LANGUAGE, language.id());
}

/// Sets the language of the document, for the browser and for screen readers.
pub fn mark_language(language: Language) {
    set_page_attribute("lang", language.id());
}

/// Returns the language of the page.
#[hook]
pub fn use_language() -> Language {
    use_context::<Language>().unwrap_or_default()
}
