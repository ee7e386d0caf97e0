//! The format's name, its version and its schemas.

use serde::Serialize;

/// The value of the field `format`.
pub const FORMAT: &str = "queens-result";

/// The version that this program writes and reads.
pub const VERSION: u32 = 1;

/// The application id of a journal, "Qunj" in ASCII, which SQLite keeps in the file's header.
pub const JOURNAL: i32 = i32::from_be_bytes(*b"Qunj");

/// Whether a file that starts with these bytes, at least 72, is a journal of any version.
///
/// ```
/// let mut start = *b"SQLite format 3\0                                                    Qunj";
/// assert!(queens_core::document::is_journal(&start));
/// start[71] = b's';
/// assert!(!queens_core::document::is_journal(&start));
/// ```
#[must_use]
pub fn is_journal(start: &[u8]) -> bool {
    start.starts_with(b"SQLite format 3\0") && start.get(68..72) == Some(&JOURNAL.to_be_bytes())
}

/// The JSON Schema of the format.
pub const SCHEMA: &str = include_str!("../../schema/queens-result-1.json");

/// The JSON Schema of a [`Summary`](super::Summary).
pub const SUMMARY_SCHEMA: &str = include_str!("../../schema/queens-summary-1.json");

/// The format's name and version, the same in every document that this program writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Format {
    #[serde(rename = "format")]
    name: &'static str,
    version: u32,
}

impl Default for Format {
    fn default() -> Format {
        Format { name: FORMAT, version: VERSION }
    }
}
