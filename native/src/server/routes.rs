//! Routing table.

use axum::{
    Router,
    http::{Method, StatusCode, Uri},
    middleware,
    response::{IntoResponse, Response},
    routing::{get, put},
};

use super::{app::App, events, guard, health, openapi, page, problem::Problem, results, runs};

/// Creates the router of the server.
pub(super) fn router(app: App) -> Router {
    Router::new()
        .route("/", get(page::entry))
        .route("/healthz", get(health::health))
        .route("/api/v1/results", get(results::list).post(results::add))
        .route("/api/v1/results/{id}", get(results::one).delete(results::remove))
        .route("/api/v1/runs/{id}", put(runs::report))
        .route("/api/v1/events", get(events::stream))
        .route("/api/v1/schema/queens-result-1.json", get(results::schema))
        .route("/api/v1/schema/queens-summary-1.json", get(results::summary_schema))
        .route("/api/v1/openapi.json", get(openapi::description))
        .fallback(page::file)
        .method_not_allowed_fallback(wrong_method)
        .layer(middleware::from_fn_with_state(app.clone(), guard::admit))
        .layer(middleware::from_fn_with_state(app.clone(), guard::protect))
        .with_state(app)
}

async fn wrong_method(method: Method, uri: Uri) -> Response {
    Problem::new(
        StatusCode::METHOD_NOT_ALLOWED,
        format!("{} does not support {method}", uri.path()),
    )
    .into_response()
}
