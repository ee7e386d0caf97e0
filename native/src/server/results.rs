//! The results: listing, adding and fetching documents.

use axum::{
    Json,
    extract::{Path, Query, Request, State, rejection::PathRejection},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use queens_core::document::{Document, SCHEMA, SUMMARY_SCHEMA, Summary};
use serde::Serialize;
use utoipa::{
    ToSchema,
    openapi::{Array, Ref},
};

use super::{
    answer,
    app::{App, LARGEST_DOCUMENT},
    body, page,
    problem::Problem,
    query,
};
use crate::store::{Added, Listing};

/// A part of the list of results.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct List {
    /// The documents without their tasks, but with their ids and the checks that this server made;
    /// newest first.
    #[schema(schema_with = summaries)]
    results: Vec<Summary>,
    /// The ids of stored documents of this part that are damaged; absent where there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unreadable: Vec<String>,
    /// What to give as `before` for the next part; null at the end.
    #[schema(required)]
    next: Option<String>,
}

/// The schema of a list of summaries.
fn summaries() -> Array {
    Array::new(Ref::new("schema/queens-summary-1.json"))
}

/// Lists results, newest first.
#[utoipa::path(
    get,
    path = "/api/v1/results",
    params(
        ("n" = Option<u32>, Query, minimum = 1, maximum = 32, description = "only boards of this size"),
        ("method" = Option<String>, Query, description = "only counts by this method"),
        ("backend" = Option<String>, Query, description = "only this kind of backend"),
        ("limit" = Option<u32>, Query, minimum = 1, maximum = 1000, description = "at most so many, 100 if not given"),
        ("before" = Option<String>, Query, description = "the `next` of the part before"),
    ),
    responses(
        (status = 200, description = "a part of the list", body = List),
        (status = 400, description = "a parameter is unknown or wrong", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(super) async fn list(
    State(app): State<App>,
    parameters: Query<Vec<(String, String)>>,
) -> Result<Response, Problem> {
    let wanted = query::wanted(parameters)?;
    let place = app.limits.place(&app.limits.answers).await?;
    let text = tokio::task::spawn_blocking(move || {
        let Listing { results, unreadable, next } =
            app.store.list(wanted.filter, wanted.before, wanted.limit)?;
        let list = List { results, unreadable, next: next.map(|next| next.to_string()) };
        serde_json::to_vec(&list).map_err(Problem::from)
    })
    .await??;
    Ok(answer::json(text, place))
}

/// Keeps a document, if it can be true, and tells everyone who listens.
#[utoipa::path(
    post,
    path = "/api/v1/results",
    request_body(content = ref("schema/queens-result-1.json"), content_type = "application/json"),
    responses(
        (status = 201, description = "kept; the answer is what the list says of it", body = ref("schema/queens-summary-1.json"), content_type = "application/json", headers(("Location" = String, description = "where the document is"))),
        (status = 200, description = "the same document is there already", body = ref("schema/queens-summary-1.json"), content_type = "application/json", headers(("Location" = String, description = "where the document is"))),
        (status = 413, description = "larger than 8 MB", body = Problem, content_type = "application/problem+json"),
        (status = 415, description = "not sent as JSON", body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "no such document, or one that contradicts itself or the known values", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(super) async fn add(State(app): State<App>, request: Request) -> Result<Response, Problem> {
    let received = body::json(request, LARGEST_DOCUMENT, &app.limits).await?;
    let place = app.limits.place_to_write(received.text.len()).await?;
    let store = app.store.clone();
    let Added { summary, is_new } = tokio::task::spawn_blocking(move || {
        let _place = place;
        let document = Document::parse(&received.text)?;
        let verified = document.check().map_err(|found| Problem::contradictions(&found))?;
        Ok::<_, Problem>(store.add(&document, verified)?)
    })
    .await??;
    let status = if is_new { StatusCode::CREATED } else { StatusCode::OK };
    if is_new {
        app.feed.changed();
    }
    let location = format!("/api/v1/results/{}", summary.id);
    Ok((status, [(header::LOCATION, location)], Json(summary)).into_response())
}

/// Fetches a document.
#[utoipa::path(
    get,
    path = "/api/v1/results/{id}",
    params(("id" = String, Path, description = "the SHA-256 of the document's canonical JSON")),
    responses(
        (status = 200, description = "the document", body = ref("schema/queens-result-1.json"), content_type = "application/json"),
        (status = 304, description = "the asker has it already"),
        (status = 404, description = "there is no such document", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(super) async fn one(
    State(app): State<App>,
    id: Result<Path<String>, PathRejection>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let id = id.map(|Path(id)| id).unwrap_or_default();
    let wanted = id.clone();
    let place = app.limits.place(&app.limits.answers).await?;
    let found = tokio::task::spawn_blocking(move || app.store.get(&wanted)).await??;
    let text = found.ok_or_else(unknown)?;
    // The id is a digest of the content, so it never changes.
    let tag = format!("\"{id}\"");
    Ok(page::unless_known(&headers, &tag, || answer::json(text, place)))
}

/// Removes a document, and tells everyone who listens.
#[utoipa::path(
    delete,
    path = "/api/v1/results/{id}",
    params(("id" = String, Path, description = "the SHA-256 of the document's canonical JSON")),
    responses(
        (status = 204, description = "removed"),
        (status = 404, description = "there is no such document", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(super) async fn remove(
    State(app): State<App>,
    id: Result<Path<String>, PathRejection>,
) -> Result<StatusCode, Problem> {
    let id = id.map(|Path(id)| id).unwrap_or_default();
    let place = app.limits.place(&app.limits.writers).await?;
    let store = app.store;
    let was_there = tokio::task::spawn_blocking(move || {
        let _place = place;
        store.remove(&id)
    })
    .await??;
    if !was_there {
        return Err(unknown());
    }
    app.feed.changed();
    Ok(StatusCode::NO_CONTENT)
}

fn unknown() -> Problem {
    Problem::new(StatusCode::NOT_FOUND, "there is no result with this id")
}

/// The JSON Schema of the documents.
#[utoipa::path(
    get,
    path = "/api/v1/schema/queens-result-1.json",
    responses((status = 200, description = "the schema", body = Object, content_type = "application/schema+json")),
)]
pub(super) async fn schema() -> Response {
    json_schema(SCHEMA)
}

/// The JSON Schema of what a list says of a document.
#[utoipa::path(
    get,
    path = "/api/v1/schema/queens-summary-1.json",
    responses((status = 200, description = "the schema", body = Object, content_type = "application/schema+json")),
)]
pub(super) async fn summary_schema() -> Response {
    json_schema(SUMMARY_SCHEMA)
}

fn json_schema(text: &'static str) -> Response {
    let kind = HeaderValue::from_static("application/schema+json");
    ([(header::CONTENT_TYPE, kind)], text).into_response()
}
