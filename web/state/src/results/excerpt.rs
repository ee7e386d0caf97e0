//! Texts from documents, for a line of the page.

use queens_core::document::harmless;

/// A text from a document, for a line of the page: at most 60 characters, without those that change
/// the direction of the text around them.
pub fn shown(text: &str) -> String {
    harmless(&shortened(text))
}

/// The first 60 characters of a text.
pub fn shortened(text: &str) -> String {
    const MOST: usize = 60;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or(text)),
        None => text.to_owned(),
    }
}
