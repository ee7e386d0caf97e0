//! A document without its tasks, as a server lists it.

use alloc::string::{String, ToString};

use serde::Serialize;
use serde_json::Value;

use super::{Document, DocumentError, Header, fields::Fields, read};
use crate::Checks;

/// What a server says of a document that it keeps: everything but the tasks, of which there can be
/// many.
///
/// Who says what is kept apart: `header.checks` names the checks that the document claims to have
/// passed; `verified` those that the server made itself.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// What the document says, but for its tasks.
    #[serde(flatten)]
    pub header: Header,
    /// The document's id: the SHA-256 of its canonical JSON, in hexadecimal.
    pub id: String,
    /// The checks that the server made when it took the document, and that were passed.
    pub verified: Checks,
}

impl Summary {
    /// The summary of a document that has this id and has passed these checks. Unknown fields that
    /// are called like those of a summary give way to them.
    #[must_use]
    pub fn of(document: &Document, id: String, verified: Checks) -> Summary {
        let mut header = document.header.clone();
        for name in ["id", "verified"] {
            header.extra.remove(name);
        }
        Summary { header, id, verified }
    }

    /// Reads a summary. A check that this program does not know is left out of `verified`, which a
    /// server of before may not have written at all.
    ///
    /// # Errors
    /// [`DocumentError`] if another field is missing or not what it should be.
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

    /// Reads a summary from a text.
    ///
    /// # Errors
    /// [`DocumentError`] if the text is no JSON, or as for [`Summary::from_value`].
    pub fn parse(text: &str) -> Result<Summary, DocumentError> {
        Summary::from_value(super::json::parse(text)?)
    }

    /// The summary as a JSON value.
    #[must_use]
    pub fn to_value(&self) -> Value {
        // As for documents, there is nothing here that could fail.
        serde_json::to_value(self).unwrap_or(Value::Null)
    }

    /// The summary as JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        self.to_value().to_string()
    }
}
