//! The format's name, its version and its schemas.

use serde::Serialize;

/// The value of the field `format`.
pub const FORMAT: &str = "queens-result";

/// The version that this program writes and reads.
pub const VERSION: u32 = 1;

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
