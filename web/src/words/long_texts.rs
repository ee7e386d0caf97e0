//! The long texts in two languages, which build.rs copies from web/text.

use std::sync::LazyLock;

use serde_json::Value;

use super::language::Language;

/// Defines a function that returns a long text. The text is parsed when it is first used.
macro_rules! long_text {
    ($(#[$doc:meta])* $name:ident, $file:literal) => {
        $(#[$doc])*
        pub fn $name(language: Language) -> &'static Value {
            static ENGLISH: LazyLock<Value> =
                LazyLock::new(|| read(include_str!(concat!(env!("OUT_DIR"), "/", $file, ".en.json"))));
            static JAPANESE: LazyLock<Value> =
                LazyLock::new(|| read(include_str!(concat!(env!("OUT_DIR"), "/", $file, ".ja.json"))));
            match language {
                Language::English => &ENGLISH,
                Language::Japanese => &JAPANESE,
            }
        }
    };
}

long_text!(
    /// Returns the texts of all lessons.
    lessons,
    "lessons"
);
long_text!(
    /// Returns the text of the article.
    article,
    "explanation"
);

/// Parses a text. Tests parse all of them.
fn read(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_default()
}
