//! Errors when reading a result document.

use alloc::{borrow::Cow, string::String};

use serde::{Deserialize, Serialize};

use crate::{Form, Method};

/// Reasons why a text is not a valid result document. The message names the field.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
pub enum DocumentError {
    /// The text is empty or only white space.
    #[error("the document is empty; expected a queens-result document in JSON")]
    Empty,
    /// The JSON stops before it is complete.
    #[error(
        "the document is truncated: it ends at line {line}, column {column}, before the JSON is complete"
    )]
    Truncated {
        /// The last line, from 1.
        line: usize,
        /// Its last column, from 1.
        column: usize,
    },
    /// The text is not JSON.
    #[error("the document is not valid JSON: {reason}")]
    NotJson {
        /// The parser's message, with line and column.
        reason: String,
    },
    /// The field `format` is missing, which marks a result document.
    #[error("the document is not a result of queens: it has no field \"format\"")]
    NotAResult,
    /// A field is missing or invalid.
    #[error("{path}: {problem}")]
    Field {
        /// The path to the field, such as `tasks[3].total`.
        path: String,
        /// The problem with the field.
        problem: Problem,
    },
}

impl DocumentError {
    pub(super) fn field(path: impl Into<String>, problem: Problem) -> DocumentError {
        DocumentError::Field { path: path.into(), problem }
    }

    /// The path to the missing or invalid field; empty if the text as a whole is invalid.
    #[must_use]
    pub fn path(&self) -> &str {
        match self {
            DocumentError::Field { path, .. } => path,
            DocumentError::NotAResult => "format",
            _ => "",
        }
    }
}

/// The problem with a field. Found values are quoted as JSON and shortened if long.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
pub enum Problem {
    /// The field is missing.
    #[error("this field is missing")]
    Missing,
    /// The field occurs twice in one object.
    #[error("this field occurs twice")]
    Repeated,
    /// The value has another type.
    #[error("expected {expected}, found {}{found}", if found.starts_with('"') { "the string " } else { "" })]
    WrongType {
        /// The value found.
        found: String,
        /// The expected type, with its article.
        expected: Cow<'static, str>,
    },
    /// A number that has a fraction.
    #[error("{found} is not a whole number")]
    NotWhole {
        /// The value found.
        found: String,
    },
    /// A whole number outside the field's range, which may be negative or exceed 64 bits.
    #[error("{found} is out of range; it can be {least} to {most}")]
    OutOfRange {
        /// The value found.
        found: String,
        /// The smallest allowed value.
        least: u64,
        /// The largest allowed value.
        most: u64,
    },
    /// A count that is not a decimal string.
    #[error("expected a count as a string of digits, such as \"92\"; found {found}")]
    NotACount {
        /// The value found.
        found: String,
    },
    /// A count beyond 64 bits.
    #[error("{found} is too large for a count, which has at most 64 bits")]
    CountTooLarge {
        /// The value found.
        found: String,
    },
    /// A span of time that is negative or longer than [`Seconds::MAX`](super::Seconds::MAX).
    #[error("{found} is not a time in seconds, 0 to 10^12")]
    NotSeconds {
        /// The value found.
        found: String,
    },
    /// A text that is not a timestamp.
    #[error("{found} is not an RFC 3339 date and time, such as \"2026-01-31T09:30:00Z\"")]
    NotATimestamp {
        /// The value found.
        found: String,
    },
    /// The field `format` names another format.
    #[error("{found} is not the format \"queens-result\"")]
    UnknownFormat {
        /// The value found.
        found: String,
    },
    /// A version that this program cannot read.
    #[error("unsupported version {found}; this program reads version 1")]
    UnknownVersion {
        /// The value found.
        found: String,
    },
    /// A version of the task plan whose tasks this program cannot check.
    #[error("unsupported version {found} of the task plan; this program reads version {known}")]
    UnknownPlan {
        /// The value found.
        found: u32,
        /// The version that this program reads.
        known: u32,
    },
    /// A text that is not one of the field's known values.
    #[error("unknown value {found}; expected one of {known}")]
    UnknownWord {
        /// The value found.
        found: String,
        /// The known values, separated by commas.
        known: String,
    },
    /// A form that the method does not have.
    #[error("the method {} has no {form} form", .method.id())]
    NoSuchForm {
        /// The method.
        method: Method,
        /// The form.
        form: Form,
    },
    /// Lists and objects are nested too deep.
    #[error("this field is nested deeper than {most} lists or objects")]
    TooDeep {
        /// The largest depth.
        most: u32,
    },
    /// The document has too many bytes in addition to the tasks.
    #[error("this field is too long: everything except the tasks may take at most {} KB", .most / 1024)]
    TooLong {
        /// The largest number of bytes.
        most: usize,
    },
    /// A shard has a field that only a complete count can have.
    #[error("a shard must not have this field, because it has only the sum of its tasks")]
    NotForAShard,
    /// A document for N = 1 has class counts.
    #[error("N = 1 has no such field: its one solution is a class of 1")]
    NotForSizeOne,
}
