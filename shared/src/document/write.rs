//! From a document to JSON.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use serde_json::Value;

use super::{Document, Header, harmless_json};

impl Document {
    /// The document as a JSON value.
    #[must_use]
    pub fn to_value(&self) -> Value {
        // Only keys that are no text and errors of a type's own could make this fail; there are
        // neither.
        serde_json::to_value(self).unwrap_or(Value::Null)
    }

    /// The document as JSON for people: fields in the order of the format's description, the long
    /// list of tasks last, indented, with a line for each task. A terminal may show it: characters that
    /// it would obey or hide are [escaped](harmless_json).
    #[must_use]
    pub fn to_json(&self) -> String {
        let header = serde_json::to_string_pretty(&self.header).unwrap_or_default();
        let tasks = self.tasks.iter().filter_map(|task| serde_json::to_string(task).ok());
        let tasks: Vec<String> = tasks.map(|task| format!("    {task}")).collect();
        let header = header.strip_suffix("\n}").unwrap_or_default();
        harmless_json(&format!("{header},\n  \"tasks\": [\n{}\n  ]\n}}", tasks.join(",\n")))
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

impl Header {
    /// The header as a JSON value: a document without its tasks.
    #[must_use]
    pub fn to_value(&self) -> Value {
        // As for documents, there is nothing here that could fail.
        serde_json::to_value(self).unwrap_or(Value::Null)
    }
}
