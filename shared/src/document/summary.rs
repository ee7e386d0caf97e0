//! A document without its tasks, as listed by the server.

use alloc::string::{String, ToString};

use serde::Serialize;
use serde_json::Value;

use super::{Document, DocumentError, Header, fields::Fields, read};
use crate::Checks;

/// A stored document as a server lists it: everything except the tasks, which can be many.
///
/// The claims of the document and of the server are separate: `header.checks` names the checks that
/// the document claims to have passed, `verified` those that the server performed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// The document without its tasks.
    #[serde(flatten)]
    pub header: Header,
    /// The document's id: the SHA-256 of its canonical JSON, in hexadecimal.
    pub id: String,
    /// The checks that the document passed when the server accepted it.
    pub verified: Checks,
}

impl Summary {
    /// Creates the summary of a document with this id and these passed checks. Unknown fields of
    /// the document with the names `id` and `verified` are dropped.
    #[must_use]
    pub fn of(document: &Document, id: String, verified: Checks) -> Summary {
        let mut header = document.header.clone();
        for name in ["id", "verified"] {
            header.extra.remove(name);
        }
        Summary { header, id, verified }
    }

    /// Reads a summary from a JSON value. Unknown checks are dropped from `verified`. The field may
    /// be missing, because older servers do not write it.
    ///
    /// # Errors
    /// [`DocumentError`] if another field is missing or invalid.
    pub fn from_value(value: Value) -> Result<Summary, DocumentError> {
        let mut fields = Fields::new(String::new(), value)?;
        let mut header = read::header(&mut fields)?;
        let id = fields.text("id")?;
        let verified =
            if fields.has("verified") { fields.texts("verified")? } else { Default::default() };
        let verified = verified.iter().filter_map(|name| name.parse().ok()).collect();
        header.extra = fields.rest();
        Ok(Summary { header, id, verified })
    }

    /// Parses a summary.
    ///
    /// # Errors
    /// [`DocumentError`] if the text is not JSON, or as for [`Summary::from_value`].
    pub fn parse(text: &str) -> Result<Summary, DocumentError> {
        Summary::from_value(super::json::parse(text)?)
    }

    /// The summary as a JSON value.
    #[must_use]
    pub fn to_value(&self) -> Value {
        // Serialization cannot fail: all keys are strings, and no type returns its own errors.
        serde_json::to_value(self).unwrap_or(Value::Null)
    }

    /// The summary as JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        self.to_value().to_string()
    }
}
