//! Texts from documents, for a line of the page.

use queens_core::document::harmless;
use queens_core::notation::excerpt;

/// Returns a text from a document for a line of the page: at most 60 characters, without characters
/// that change the direction of the surrounding text.
pub fn shown(text: &str) -> String {
    harmless(&excerpt(text, 60))
}
