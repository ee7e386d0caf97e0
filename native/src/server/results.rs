//! The results: listing, adding and fetching documents.

use axum::{
    Json,
    extract::{Path, Query, Request, State, rejection::PathRejection},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use queens_core::document::{Document, SCHEMA};
use serde_json::{Value, json};

use super::{App, body, page, problem::Problem, query};
use crate::store::Added;

const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// `GET /api/v1/results`: summaries, newest first, and where the next part of the list begins.
pub(super) async fn list(
    State(app): State<App>,
    parameters: Query<Vec<(String, String)>>,
) -> Result<Json<Value>, Problem> {
    let wanted = query::wanted(parameters)?;
    let listing = tokio::task::spawn_blocking(move || {
        app.store.list(wanted.filter, wanted.before, wanted.limit)
    })
    .await??;
    let next = listing.next.map(|next| next.to_string());
    Ok(Json(json!({ "results": listing.results, "next": next })))
}

/// `POST /api/v1/results`: keeps a document, if it can be true, and tells everyone who listens.
pub(super) async fn add(State(app): State<App>, request: Request) -> Result<Response, Problem> {
    let text = body::json(request).await?;
    let store = app.store.clone();
    let Added { id, summary, is_new } = tokio::task::spawn_blocking(move || {
        let document = Document::parse(&text)?;
        document.check().map_err(|found| Problem::contradictions(&found))?;
        Ok::<_, Problem>(store.add(&document)?)
    })
    .await??;
    let status = if is_new { StatusCode::CREATED } else { StatusCode::OK };
    if is_new {
        app.feed.result(&summary);
    }
    let location = format!("/api/v1/results/{id}");
    Ok((status, [(header::LOCATION, location)], Json(summary)).into_response())
}

/// `GET /api/v1/results/{id}`: the document.
pub(super) async fn one(
    State(app): State<App>,
    id: Result<Path<String>, PathRejection>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let id = id.map(|Path(id)| id).unwrap_or_default();
    let wanted = id.clone();
    let found = tokio::task::spawn_blocking(move || app.store.get(&wanted)).await??;
    let Some(text) = found else {
        return Err(Problem::new(StatusCode::NOT_FOUND, "there is no result with this id"));
    };
    // The id is a digest of the content, so it never changes.
    let tag = format!("\"{id}\"");
    Ok(page::unless_known(&headers, &tag, || ([(header::CONTENT_TYPE, JSON)], text)))
}

/// `GET /api/v1/schema/queens-result-1.json`: the schema of the documents.
pub(super) async fn schema() -> Response {
    ([(header::CONTENT_TYPE, HeaderValue::from_static("application/schema+json"))], SCHEMA)
        .into_response()
}
