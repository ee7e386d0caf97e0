//! Answers that take room: documents and lists.

use std::convert::Infallible;

use axum::{
    body::{Body, Bytes},
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use futures_util::stream;
use tokio::sync::OwnedSemaphorePermit;

/// What is handed to a connection at once.
const PART: usize = 64 * 1024;

/// JSON that keeps its place among the answers until the connection has taken nearly all of it.
pub(super) fn json(text: impl Into<Bytes>, place: OwnedSemaphorePermit) -> Response {
    let text: Bytes = text.into();
    let length = HeaderValue::from(text.len());
    let parts = stream::unfold((text, place), |(mut rest, place)| async move {
        if rest.is_empty() {
            return None;
        }
        let part = rest.split_to(rest.len().min(PART));
        Some((Ok::<_, Infallible>(part), (rest, place)))
    });
    let kind = HeaderValue::from_static("application/json");
    let headers = [(header::CONTENT_TYPE, kind), (header::CONTENT_LENGTH, length)];
    (headers, Body::from_stream(parts)).into_response()
}
