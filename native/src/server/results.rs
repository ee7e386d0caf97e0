//! Results API: lists, adds, returns and removes documents.

use axum::{
    Json,
    extract::{
        Path, Query, Request, State,
        rejection::{PathRejection, QueryRejection},
    },
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use queens_core::{
    Method, Size,
    document::{BackendKind, Document, LARGEST_DOCUMENT, SCHEMA, SUMMARY_SCHEMA, Summary},
};
use serde::{Deserialize, Serialize};
use utoipa::{
    ToSchema,
    openapi::{Array, Ref},
};

use super::{answer, app::App, body, page, problem::Problem};
use crate::store::{Added, Filter, Listing};

/// Default number of results on a page.
const DEFAULT_LIMIT: u32 = 100;
/// Maximum number of results on a page.
const MAX_LIMIT: u32 = 1000;

/// Parameters of the list. Unknown and repeated ones are rejected, because a list without the intended filter
/// would be misleading.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ListQuery {
    n: Option<Size>,
    method: Option<Method>,
    backend: Option<BackendKind>,
    limit: Option<u32>,
    before: Option<i64>,
}

/// One page of the list of results, newest first.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct List {
    /// The documents without their tasks, with their ids and the checks that this server made.
    #[schema(schema_with = summaries)]
    results: Vec<Summary>,
    /// The ids of damaged documents on this page; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unreadable: Vec<String>,
    /// The value of `before` for the next page; null on the last page.
    #[schema(required)]
    next: Option<String>,
}

/// Returns the schema of a list of summaries.
fn summaries() -> Array {
    Array::new(Ref::new("schema/queens-summary-1.json"))
}

/// Lists results, newest first.
#[utoipa::path(
    get,
    path = "/api/v1/results",
    params(
        ("n" = Option<u32>, Query, minimum = 1, maximum = 32, description = "Return only results for this N"),
        ("method" = Option<String>, Query, description = "Return only results of this method"),
        ("backend" = Option<String>, Query, description = "Return only results of this kind of backend"),
        ("limit" = Option<u32>, Query, minimum = 1, maximum = 1000, description = "Maximum number of results (default 100)"),
        ("before" = Option<String>, Query, description = "The `next` value of the previous response"),
    ),
    responses(
        (status = 200, description = "One page of the list", body = List),
        (status = 400, description = "Unknown or invalid parameter", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(super) async fn list(
    State(app): State<App>,
    query: Result<Query<ListQuery>, QueryRejection>,
) -> Result<Response, Problem> {
    let invalid = |detail| Problem::new(StatusCode::BAD_REQUEST, detail);
    let Query(ListQuery { n, method, backend, limit, before }) =
        query.map_err(|rejection| invalid(rejection.body_text()))?;
    let limit = limit.unwrap_or(DEFAULT_LIMIT);
    if !(1..=MAX_LIMIT).contains(&limit) {
        return Err(invalid(format!("limit must be 1 to {MAX_LIMIT}, not {limit}")).at("limit"));
    }
    let slot = app.limits.slot(&app.limits.answers).await?;
    let text = tokio::task::spawn_blocking(move || {
        let filter = Filter { n, method, backend };
        let Listing { results, unreadable, next } = app.store.list(filter, before, limit)?;
        let list = List { results, unreadable, next: next.map(|next| next.to_string()) };
        serde_json::to_vec(&list).map_err(Problem::from)
    })
    .await??;
    Ok(answer::json(text, slot))
}

/// Stores a document after checking its numbers, and sends a `result` event.
#[utoipa::path(
    post,
    path = "/api/v1/results",
    request_body(content = ref("schema/queens-result-1.json"), content_type = "application/json"),
    responses(
        (status = 201, description = "Stored; the body is the entry as it appears in the list. Posting a document whose stored copy is damaged repairs the copy", body = ref("schema/queens-summary-1.json"), content_type = "application/json", headers(("Location" = String, description = "The path of the document"))),
        (status = 200, description = "The same document is already stored", body = ref("schema/queens-summary-1.json"), content_type = "application/json", headers(("Location" = String, description = "The path of the document"))),
        (status = 413, description = "Larger than 8 MB, the limit for a result document", body = Problem, content_type = "application/problem+json"),
        (status = 415, description = "Not sent as uncompressed JSON", body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "Not a valid result document, or one whose numbers cannot be right", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(super) async fn add(State(app): State<App>, request: Request) -> Result<Response, Problem> {
    let received = body::json(request, "a result document", LARGEST_DOCUMENT, &app.limits).await?;
    let slot = app.limits.slot_for_document(received.text.len()).await?;
    let store = app.store.clone();
    let Added { summary, is_new } = tokio::task::spawn_blocking(move || {
        let _slot = slot;
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

/// Returns a document.
#[utoipa::path(
    get,
    path = "/api/v1/results/{id}",
    params(("id" = String, Path, description = "The SHA-256 of the document's canonical JSON")),
    responses(
        (status = 200, description = "The document", body = ref("schema/queens-result-1.json"), content_type = "application/json"),
        (status = 304, description = "Not modified"),
        (status = 404, description = "No result with this id", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(super) async fn one(
    State(app): State<App>,
    id: Result<Path<String>, PathRejection>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let id = id.map(|Path(id)| id).unwrap_or_default();
    let requested = id.clone();
    let slot = app.limits.slot(&app.limits.answers).await?;
    let found = tokio::task::spawn_blocking(move || app.store.get(&requested)).await??;
    let text = found.ok_or_else(no_such_result)?;
    // The id is a digest of the content, so it also serves as the ETag.
    let tag = format!("\"{id}\"");
    Ok(page::with_etag(&headers, &tag, || answer::json(text, slot)))
}

/// Removes a document, and sends a `removed` event.
#[utoipa::path(
    delete,
    path = "/api/v1/results/{id}",
    params(("id" = String, Path, description = "The SHA-256 of the document's canonical JSON")),
    responses(
        (status = 204, description = "Removed"),
        (status = 404, description = "No result with this id", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(super) async fn remove(
    State(app): State<App>,
    id: Result<Path<String>, PathRejection>,
) -> Result<StatusCode, Problem> {
    let id = id.map(|Path(id)| id).unwrap_or_default();
    let slot = app.limits.slot(&app.limits.writers).await?;
    let store = app.store;
    let existed = tokio::task::spawn_blocking(move || {
        let _slot = slot;
        store.remove(&id)
    })
    .await??;
    if !existed {
        return Err(no_such_result());
    }
    app.feed.changed();
    Ok(StatusCode::NO_CONTENT)
}

fn no_such_result() -> Problem {
    Problem::new(StatusCode::NOT_FOUND, "no result with this id")
}

/// The JSON Schema of the documents.
#[utoipa::path(
    get,
    path = "/api/v1/schema/queens-result-1.json",
    responses((status = 200, description = "The schema", body = Object, content_type = "application/schema+json")),
)]
pub(super) async fn schema() -> Response {
    json_schema(SCHEMA)
}

/// The JSON Schema of an entry of the list.
#[utoipa::path(
    get,
    path = "/api/v1/schema/queens-summary-1.json",
    responses((status = 200, description = "The schema", body = Object, content_type = "application/schema+json")),
)]
pub(super) async fn summary_schema() -> Response {
    json_schema(SUMMARY_SCHEMA)
}

fn json_schema(text: &'static str) -> Response {
    let kind = HeaderValue::from_static("application/schema+json");
    ([(header::CONTENT_TYPE, kind)], text).into_response()
}
