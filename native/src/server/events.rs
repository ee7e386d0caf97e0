//! Live events, as a stream of server-sent events.

use std::convert::Infallible;

use axum::{
    extract::State,
    response::{
        IntoResponse, Response,
        sse::{Event, KeepAlive, Sse},
    },
};
use futures_util::{StreamExt, future, stream};

use super::{app::App, problem::Problem};

/// Streams events: `result` for a new document (without its tasks), `progress` for each report of a
/// count and `removed` for a removed result.
///
/// The data of each event has an `id`. A new connection first receives the progress of all running
/// counts. Half of the server's connections can be streams; more are refused.
pub(super) async fn stream(State(app): State<App>) -> Result<Response, Problem> {
    let slot = app.limits.stream_slot()?;
    let events = app.feed.listen().map(move |message| {
        // The slot is released with the stream.
        let _ = &slot;
        Ok::<_, Infallible>(Event::default().event(message.name).data(&*message.data))
    });
    // Firefox reports the connection as open only after the first byte of the body.
    let first = stream::once(future::ready(Ok(Event::default().comment("connected"))));
    Ok(Sse::new(first.chain(events)).keep_alive(KeepAlive::default()).into_response())
}
