//! Progress reports of running counts.

use axum::{
    extract::{Path, Request, State, rejection::PathRejection},
    http::StatusCode,
};
use queens_core::document::{Extra, Progress};
use utoipa::ToSchema;

use super::{app::App, body, problem::Problem};
use crate::post::is_run;

/// Progress of a running count.
#[derive(ToSchema)]
#[schema(as = Progress)]
#[expect(dead_code, reason = "only its description is used")]
pub(super) struct Report {
    /// The side of the board.
    #[schema(minimum = 1, maximum = 28)]
    n: u32,
    /// The counting method.
    method: String,
    /// Number of finished tasks, at most `tasks`.
    done: u32,
    /// Number of tasks, of the shard if there is one.
    #[schema(maximum = 65536)]
    tasks: u32,
    /// Seconds since the count started.
    #[schema(minimum = 0, maximum = 1000000000000_f64)]
    seconds: f64,
    /// running (the default), done or stopped.
    #[schema(nullable = false)]
    state: Option<String>,
    /// The shard, if this is one of several: all shards with the same run id are shown as one count.
    shard: Option<ReportedShard>,
    /// Estimated seconds until the end; the server computes it for shards.
    #[schema(minimum = 0, maximum = 1000000000000_f64)]
    rest: Option<f64>,
}

/// The shard of a sharded count.
#[derive(ToSchema)]
#[schema(as = ProgressShard)]
#[expect(dead_code, reason = "only its description is used")]
pub(super) struct ReportedShard {
    /// Shard number, from 0.
    index: u32,
    /// Number of shards.
    #[schema(minimum = 1, maximum = 65536)]
    of: u32,
    /// Number of tasks of all shards together.
    #[schema(maximum = 65536)]
    tasks: u32,
}

/// Reports the progress of a running count, and sends a `progress` event.
#[utoipa::path(
    put,
    path = "/api/v1/runs/{id}",
    params(("id" = String, Path, description = "A name that the client chooses: 1 to 64 letters, digits, hyphens or underscores")),
    request_body = Report,
    responses(
        (status = 204, description = "Accepted and sent to all listeners"),
        (status = 413, description = "Larger than 16 KB, the limit for a progress report", body = Problem, content_type = "application/problem+json"),
        (status = 415, description = "Not sent as uncompressed JSON", body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "Not a valid report", body = Problem, content_type = "application/problem+json"),
    ),
)]
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
    if received.text.trim().is_empty() {
        let detail = "the report is empty; expected JSON with n, method, done, tasks and seconds";
        return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, detail));
    }
    let mut progress = Progress::parse(&received.text)?;
    // Drop unknown fields: reports are stored for new listeners, so they must be small.
    progress.extra = Extra::new();
    app.feed.progress(&id, &progress);
    Ok(StatusCode::NO_CONTENT)
}

/// Maximum size of a report in bytes. It has only a few short fields.
const LARGEST_REPORT: usize = 16 * 1024;
