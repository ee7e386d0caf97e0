//! Running counts: the command reports how far it is, the page shows it.

use axum::{
    extract::{Path, Request, State, rejection::PathRejection},
    http::StatusCode,
};
use queens_core::document::Progress;

use super::{App, body, problem::Problem};

/// `PUT /api/v1/runs/{id}`: keeps the report in memory and passes it on. The id is the caller's.
pub(super) async fn report(
    State(app): State<App>,
    id: Result<Path<String>, PathRejection>,
    request: Request,
) -> Result<StatusCode, Problem> {
    let id = id.map(|Path(id)| id).unwrap_or_default();
    if !is_id(&id) {
        return Err(Problem::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "the id of a run is 1 to 64 letters, digits, hyphens and underscores",
        )
        .at("id"));
    }
    let progress = Progress::parse(&body::json(request).await?)?;
    app.feed.progress(&id, &progress);
    Ok(StatusCode::NO_CONTENT)
}

fn is_id(id: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    (1..=64).contains(&id.len()) && id.bytes().all(is_allowed)
}
