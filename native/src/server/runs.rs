//! Running counts: the command reports how far it is, the page shows it.

use axum::{
    extract::{Path, Request, State, rejection::PathRejection},
    http::StatusCode,
};
use queens_core::document::{Extra, Progress};
use utoipa::ToSchema;

use super::{app::App, body, problem::Problem};
use crate::post::is_run;

/// How far a running count is.
#[derive(ToSchema)]
#[schema(as = Progress)]
#[expect(dead_code, reason = "only its description is used")]
pub(super) struct Report {
    /// The side of the board.
    #[schema(minimum = 1, maximum = 28)]
    n: u32,
    /// The method that counts.
    method: String,
    /// How many tasks are done, at most `tasks`.
    done: u32,
    /// How many tasks there are.
    #[schema(maximum = 65536)]
    tasks: u32,
    /// How long the count has taken so far.
    seconds: f64,
    /// running (also if it is not given), done or stopped.
    #[schema(nullable = false)]
    state: Option<String>,
    /// Which shard it is, if others report the rest: all shards of one id are told as one count.
    shard: Option<ReportedShard>,
    /// About how long the rest takes, in seconds; worked out for shards.
    rest: Option<f64>,
}

/// One of several that count together.
#[derive(ToSchema)]
#[schema(as = ProgressShard)]
#[expect(dead_code, reason = "only its description is used")]
pub(super) struct ReportedShard {
    /// From 0.
    index: u32,
    /// How many shards there are.
    #[schema(minimum = 1, maximum = 65536)]
    of: u32,
    /// How many tasks they have together.
    #[schema(maximum = 65536)]
    tasks: u32,
}

/// Tells how far a running count is, and passes it on to everyone who listens.
#[utoipa::path(
    put,
    path = "/api/v1/runs/{id}",
    params(("id" = String, Path, description = "the caller's choice: 1 to 64 letters, digits, hyphens and underscores")),
    request_body = Report,
    responses(
        (status = 204, description = "passed on"),
        (status = 413, description = "larger than 16 KB", body = Problem, content_type = "application/problem+json"),
        (status = 415, description = "not sent as JSON", body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "no such report", body = Problem, content_type = "application/problem+json"),
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
            "the id of a run is 1 to 64 letters, digits, hyphens and underscores",
        )
        .at("id"));
    }
    let received = body::json(request, LARGEST_REPORT, &app.limits).await?;
    if received.text.trim().is_empty() {
        let words =
            "the report is empty; JSON with n, method, done, tasks and seconds was expected";
        return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, words));
    }
    let mut progress = Progress::parse(&received.text)?;
    // What is kept for listeners to come has to stay small.
    progress.extra = Extra::new();
    app.feed.progress(&id, &progress);
    Ok(StatusCode::NO_CONTENT)
}

/// The largest report in bytes: it has a few short fields.
const LARGEST_REPORT: usize = 16 * 1024;
