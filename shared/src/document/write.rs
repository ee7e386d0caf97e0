//! From a document to JSON.

use alloc::string::{String, ToString};

use serde_json::Value;

use super::Document;

impl Document {
    /// The document as a JSON value.
    #[must_use]
    pub fn to_value(&self) -> Value {
        // Only keys that are no text and errors of a type's own could make this fail; there are
        // neither.
        serde_json::to_value(self).unwrap_or(Value::Null)
    }

    /// The document as JSON for people: fields in the order of the format's description, the long
    /// list of tasks last, indented.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    /// The document as JSON with sorted keys and without white space: equal documents give equal
    /// texts, so its SHA-256 names the document.
    #[must_use]
    pub fn canonical_json(&self) -> String {
        let mut value = self.to_value();
        // Does nothing while maps are trees; keeps the promise if a crate of the build asks
        // serde_json for maps in order of insertion.
        value.sort_all_objects();
        value.to_string()
    }
}
