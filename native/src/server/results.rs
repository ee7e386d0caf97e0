//! Results API: lists, adds, returns and removes documents.

use axum::{
    Json,
    extract::{
        Path, Query, Request, State,
        rejection::{PathRejection, QueryRejection},
    },
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use queens_core::{
    Method, Size,
    document::{BackendKind, Document, LARGEST_DOCUMENT, Summary},
};
use serde::{Deserialize, Serialize};

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
#[derive(Debug, Serialize)]
struct List {
    /// The documents without their tasks, with their ids and the checks that this server made.
    results: Vec<Summary>,
    /// The ids of damaged documents on this page; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unreadable: Vec<String>,
    /// The value of `before` for the next page; null on the last page.
    next: Option<String>,
}

/// Lists results, newest first.
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
