//! Problem details of rejected requests: `application/problem+json` (RFC 9457) with a message and the
//! field at fault.
//!
//! `detail` is the message of the error. The hints of errors are left out, because they name options
//! of the command, which clients of the server do not have.

use axum::{
    Json,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use queens_core::document::{Contradiction, DocumentError};
use rusqlite::ErrorCode;
use serde::{Serialize, Serializer};

use crate::store::StoreError;

/// Problem details of a rejected request (RFC 9457).
#[derive(Debug, Serialize)]
pub(super) struct Problem {
    /// The HTTP status.
    #[serde(serialize_with = "serialize_status")]
    status: StatusCode,
    /// The name of the HTTP status.
    title: &'static str,
    /// What is wrong, in one clause.
    detail: String,
    /// The path to the field of the body, or the name of the parameter or header, at fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<String>,
    /// The first ten contradictions in a readable document.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    contradictions: Vec<Detail>,
    /// Whether the connection ends with the answer.
    #[serde(skip)]
    ends_connection: bool,
}

/// One contradiction.
#[derive(Debug, Serialize)]
struct Detail {
    /// The path to the field that shows it.
    field: String,
    /// The contradiction, in one clause.
    detail: String,
}

// The attribute `serialize_with` determines the signature.
fn serialize_status<S: Serializer>(status: &StatusCode, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_u16(status.as_u16())
}

impl Problem {
    pub fn new(status: StatusCode, detail: impl Into<String>) -> Problem {
        let title = status.canonical_reason().unwrap_or("Rejected");
        Problem {
            status,
            title,
            detail: detail.into(),
            field: None,
            contradictions: Vec::new(),
            ends_connection: false,
        }
    }

    /// Makes the response end the connection, so that the unread rest of the request is not parsed as
    /// another request.
    pub fn ending_the_connection(mut self) -> Problem {
        self.ends_connection = true;
        self
    }

    /// Names the field, parameter or header at fault.
    pub fn at(mut self, field: impl Into<String>) -> Problem {
        self.field = Some(field.into());
        self
    }

    pub fn not_found(path: &str) -> Problem {
        Problem::new(StatusCode::NOT_FOUND, format!("not found: {path}"))
    }

    /// Creates the problem of a readable document with contradictory numbers.
    pub fn contradictions(found: &[Contradiction]) -> Problem {
        /// Maximum number of listed contradictions. A document may have one for each task.
        const MAX_LISTED: usize = 10;
        let sentences: Vec<String> =
            found.iter().take(MAX_LISTED).map(ToString::to_string).collect();
        let mut detail = sentences.join("; ");
        if found.len() > MAX_LISTED {
            detail.push_str(&format!("; and {} more contradictions", found.len() - MAX_LISTED));
        }
        let mut problem = Problem::new(StatusCode::UNPROCESSABLE_ENTITY, detail);
        problem.field = found.first().map(Contradiction::path);
        problem.contradictions = found
            .iter()
            .take(MAX_LISTED)
            .map(|each| Detail { field: each.path(), detail: each.to_string() })
            .collect();
        problem
    }
}

impl From<DocumentError> for Problem {
    fn from(error: DocumentError) -> Problem {
        let problem = Problem::new(StatusCode::UNPROCESSABLE_ENTITY, error.to_string());
        match error.path() {
            "" => problem,
            path => problem.at(path),
        }
    }
}

/// The detail of a full disk. SQLite's message does not say that a deletion also needs space, because it
/// is first written to the log.
const DISK_FULL: &str = "the disk of the result database is full, so nothing was changed; adding and \
                         deleting results both need space: free some on that disk, then send the request \
                         again";

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Problem {
        let status = match error.code() {
            Some(ErrorCode::DiskFull) => {
                return Problem::new(StatusCode::INSUFFICIENT_STORAGE, DISK_FULL);
            }
            // Another program has locked the file.
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
                StatusCode::SERVICE_UNAVAILABLE
            }
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Problem::new(status, error.to_string())
    }
}

impl From<serde_json::Error> for Problem {
    fn from(error: serde_json::Error) -> Problem {
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string())
    }
}

impl From<tokio::task::JoinError> for Problem {
    fn from(_: tokio::task::JoinError) -> Problem {
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal server error")
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let ends_connection = self.ends_connection;
        let mut response = (self.status, Json(self)).into_response();
        let headers = response.headers_mut();
        let kind = HeaderValue::from_static("application/problem+json");
        headers.insert(header::CONTENT_TYPE, kind);
        if ends_connection {
            headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use rusqlite::ffi;

    use super::*;

    #[test]
    fn a_locked_store_and_a_full_disk_have_their_own_codes() {
        let failure = |code| rusqlite::Error::SqliteFailure(ffi::Error::new(code), None);
        let status = |code| Problem::from(StoreError::from(failure(code))).status;
        assert_eq!(status(ffi::SQLITE_BUSY), StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(status(ffi::SQLITE_FULL), StatusCode::INSUFFICIENT_STORAGE);
        assert_eq!(status(ffi::SQLITE_CORRUPT), StatusCode::INTERNAL_SERVER_ERROR);
    }
}
