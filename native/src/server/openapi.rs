//! The description of the API, made from the handlers.

use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use utoipa::OpenApi;

use super::{events, problem::Problem, results, routes, runs};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "queens",
        description = "Results of counting the solutions of the N-Queens problem.",
    ),
    paths(
        results::list,
        results::add,
        results::one,
        results::schema,
        results::summary_schema,
        runs::report,
        events::stream,
        routes::health,
    )
)]
struct Description;

/// `GET /api/v1/openapi.json`.
pub(super) async fn description() -> Response {
    match Description::openapi().to_json() {
        Ok(text) => {
            let kind = HeaderValue::from_static("application/json");
            ([(header::CONTENT_TYPE, kind)], text).into_response()
        }
        Err(error) => {
            Problem::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into_response()
        }
    }
}
