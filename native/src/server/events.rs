//! Live events.

use std::convert::Infallible;

use axum::{
    extract::State,
    response::{
        IntoResponse, Response,
        sse::{Event, KeepAlive, Sse},
    },
};
use futures_util::StreamExt;

use super::app::App;

/// Live events: `result`, a new document without its tasks, `progress`, how far a count is, and
/// `removed`, a result that is no more.
///
/// All have an `id`. Whoever connects hears first how far the running counts are.
#[utoipa::path(
    get,
    path = "/api/v1/events",
    responses((status = 200, description = "an endless stream", body = String, content_type = "text/event-stream")),
)]
pub(super) async fn stream(State(app): State<App>) -> Response {
    let events = app.feed.listen().map(|message| {
        Ok::<_, Infallible>(Event::default().event(message.name).data(&*message.data))
    });
    Sse::new(events).keep_alive(KeepAlive::default()).into_response()
}
