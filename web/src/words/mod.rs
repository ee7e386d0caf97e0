//! What the page says, in two languages.

mod i18n;
mod language;
mod names;
mod time;
pub mod transforms;
mod word;

pub(crate) use i18n::tr;
pub use i18n::{Part, is_here, lines, text, use_texts};
pub use language::{Language, use_language};
pub use names::{form_name, method_name, numbered_method, size_error, transform_name};
pub use queens_core::notation::grouped;
pub use time::duration;
pub use word::Word;

/// A text as web/locales has it: without what the build puts in, see web/typography.rs.
#[cfg(test)]
pub fn plain(text: &str) -> String {
    text.replace('\u{a0}', " ").replace('\u{2060}', "")
}
