//! How a request is refused: `application/problem+json` (RFC 9457) with a sentence for a person
//! and, where one is at fault, the field.

use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use queens_core::document::{Contradiction, DocumentError};
use serde_json::{Map, Value, json};

use crate::store::StoreError;

/// A refusal.
#[derive(Debug)]
pub(super) struct Problem {
    status: StatusCode,
    detail: String,
    field: Option<String>,
    more: Map<String, Value>,
}

impl Problem {
    pub fn new(status: StatusCode, detail: impl Into<String>) -> Problem {
        Problem { status, detail: detail.into(), field: None, more: Map::new() }
    }

    /// The same, naming the field or parameter at fault.
    pub fn at(mut self, field: impl Into<String>) -> Problem {
        self.field = Some(field.into());
        self
    }

    pub fn not_found(path: &str) -> Problem {
        Problem::new(StatusCode::NOT_FOUND, format!("there is nothing at {path}"))
    }

    /// A readable document whose numbers cannot all be true.
    pub fn contradictions(found: &[Contradiction]) -> Problem {
        /// A document can be wrong in as many places as it has tasks.
        const MOST: usize = 10;
        let sentences: Vec<String> = found.iter().take(MOST).map(ToString::to_string).collect();
        let mut detail = sentences.join("; ");
        if found.len() > MOST {
            detail.push_str(&format!("; and {} more contradictions", found.len() - MOST));
        }
        let list = found
            .iter()
            .take(MOST)
            .map(|each| json!({ "field": each.path(), "detail": each.to_string() }))
            .collect();
        let mut problem = Problem::new(StatusCode::UNPROCESSABLE_ENTITY, detail);
        problem.field = found.first().map(Contradiction::path);
        problem.more.insert("contradictions".into(), Value::Array(list));
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

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Problem {
        let detail = format!("{:#}", anyhow::Error::new(error));
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, detail)
    }
}

impl From<tokio::task::JoinError> for Problem {
    fn from(_: tokio::task::JoinError) -> Problem {
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "the server could not finish this request")
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut body = self.more;
        body.insert("status".into(), self.status.as_u16().into());
        body.insert("title".into(), self.status.canonical_reason().unwrap_or("Refused").into());
        body.insert("detail".into(), self.detail.into());
        if let Some(field) = self.field {
            body.insert("field".into(), field.into());
        }
        let kind = HeaderValue::from_static("application/problem+json");
        let text = Value::Object(body).to_string();
        (self.status, [(header::CONTENT_TYPE, kind)], text).into_response()
    }
}
