//! Routing table.

use axum::{
    Router,
    http::{Method, StatusCode, Uri, header},
    middleware,
    response::{IntoResponse, Response},
    routing::{get, put},
};
use queens_core::document::{SCHEMA, SUMMARY_SCHEMA};

use super::{app::App, events, guard, page, problem::Problem, results, runs};

/// The description of the API. The tests compare it with the answers of a server.
const DESCRIPTION: &str = include_str!("openapi.json");

/// The content type of a JSON Schema.
const SCHEMA_KIND: &str = "application/schema+json";

/// Creates the router of the server.
pub(super) fn router(app: App) -> Router {
    Router::new()
        .route("/", get(page::entry))
        .route("/healthz", get(|| async { "ok\n" }))
        .route("/api/v1/results", get(results::list).post(results::add))
        .route("/api/v1/results/{id}", get(results::one).delete(results::remove))
        .route("/api/v1/runs/{id}", put(runs::report))
        .route("/api/v1/events", get(events::stream))
        .route("/api/v1/schema/queens-result-1.json", get(|| fixed(SCHEMA_KIND, SCHEMA)))
        .route("/api/v1/schema/queens-summary-1.json", get(|| fixed(SCHEMA_KIND, SUMMARY_SCHEMA)))
        .route("/api/v1/openapi.json", get(|| fixed("application/json", DESCRIPTION)))
        .fallback(page::file)
        .method_not_allowed_fallback(wrong_method)
        .layer(middleware::from_fn_with_state(app.clone(), guard::admit))
        .layer(middleware::from_fn_with_state(app.clone(), guard::protect))
        .with_state(app)
}

/// Returns a text that is part of the program.
async fn fixed(kind: &'static str, text: &'static str) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, kind)], text)
}

async fn wrong_method(method: Method, uri: Uri) -> Response {
    Problem::new(
        StatusCode::METHOD_NOT_ALLOWED,
        format!("{} does not support {method}", uri.path()),
    )
    .into_response()
}
