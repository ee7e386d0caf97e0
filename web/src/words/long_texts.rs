//! The long texts in two languages, which build.rs copies from web/text.

use std::sync::LazyLock;

use serde_json::Value;

use super::language::Language;

macro_rules! long_text {
    ($name:literal, $language:literal) => {
        // A test parses both files.
        LazyLock::new(|| {
            serde_json::from_str(include_str!(concat!(
                env!("OUT_DIR"),
                "/",
                $name,
                ".",
                $language,
                ".json"
            )))
            .unwrap_or_default()
        })
    };
}

/// Returns the texts of all lessons.
pub fn lessons(language: Language) -> &'static Value {
    static ENGLISH: LazyLock<Value> = long_text!("lessons", "en");
    static JAPANESE: LazyLock<Value> = long_text!("lessons", "ja");
    match language {
        Language::English => &ENGLISH,
        Language::Japanese => &JAPANESE,
    }
}

/// Returns the text of the article.
pub fn article(language: Language) -> &'static Value {
    static ENGLISH: LazyLock<Value> = long_text!("explanation", "en");
    static JAPANESE: LazyLock<Value> = long_text!("explanation", "ja");
    match language {
        Language::English => &ENGLISH,
        Language::Japanese => &JAPANESE,
    }
}
