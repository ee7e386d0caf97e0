//! Progress reports of running counts.

use axum::{
    extract::{Path, Request, State, rejection::PathRejection},
    http::StatusCode,
};
use queens_core::document::{Extra, Progress};

use super::{app::App, body, problem::Problem};
use crate::post::is_run;

/// Reports the progress of a running count, and sends a `progress` event.
pub(super) async fn report(
    State(app): State<App>,
    id: Result<Path<String>, PathRejection>,
    request: Request,
) -> Result<StatusCode, Problem> {
    let id = id.map(|Path(id)| id).unwrap_or_default();
    if !is_run(&id) {
        return Err(Problem::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "a run id must be 1 to 64 letters, digits, hyphens or underscores",
        )
        .at("id"));
    }
    let received = body::json(request, "a progress report", LARGEST_REPORT, &app.limits).await?;
    let mut progress = Progress::parse(&received.text)?;
    // Drop unknown fields: reports are stored for new listeners, so they must be small.
    progress.extra = Extra::new();
    app.feed.progress(&id, &progress);
    Ok(StatusCode::NO_CONTENT)
}

/// Maximum size of a report in bytes. It has only a few short fields.
const LARGEST_REPORT: usize = 16 * 1024;
