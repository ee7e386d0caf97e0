//! Serializes documents.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use serde_json::Value;

use super::{Document, Header, escape_json_control_characters};

impl Document {
    /// The document as a JSON value.
    #[must_use]
    pub fn to_value(&self) -> Value {
        // Serialization can fail only for keys that are not strings and for types that return their
        // own errors. A document has neither.
        serde_json::to_value(self).unwrap_or(Value::Null)
    }

    /// The document as JSON for people: indented, with the fields in the order of the format's
    /// description, the tasks last and one line per task. The text is safe to show in a terminal:
    /// control and invisible characters are [escaped](escape_json_control_characters).
    #[must_use]
    pub fn to_json(&self) -> String {
        let header = serde_json::to_string_pretty(&self.header).unwrap_or_default();
        let tasks = self.tasks.iter().filter_map(|task| serde_json::to_string(task).ok());
        let tasks: Vec<String> = tasks.map(|task| format!("    {task}")).collect();
        let header = header.strip_suffix("\n}").unwrap_or_default();
        escape_json_control_characters(&format!(
            "{header},\n  \"tasks\": [\n{}\n  ]\n}}",
            tasks.join(",\n")
        ))
    }

    /// The document as JSON with sorted keys and without white space. Equal documents have equal
    /// canonical JSON, so its SHA-256 identifies the document.
    #[must_use]
    pub fn canonical_json(&self) -> String {
        let mut value = self.to_value();
        // serde_json's maps are sorted by default. If any crate in the build enables its
        // `preserve_order` feature, they are not, so sort here.
        value.sort_all_objects();
        value.to_string()
    }
}

impl Header {
    /// The header as a JSON value: a document without its tasks.
    #[must_use]
    pub fn to_value(&self) -> Value {
        // Serialization cannot fail; see [`Document::to_value`].
        serde_json::to_value(self).unwrap_or(Value::Null)
    }
}
