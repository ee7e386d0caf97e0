//! JSON responses with documents and lists, sent in chunks.

use std::convert::Infallible;

use axum::{
    body::{Body, Bytes},
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use futures_util::stream;
use tokio::sync::OwnedSemaphorePermit;

/// Size of the chunks passed to a connection.
const CHUNK: usize = 64 * 1024;

/// Creates a JSON response. It holds `slot`, so that the number of slots limits the memory for responses.
/// The slot is released when the connection has taken the last chunk or is closed.
pub(super) fn json(text: impl Into<Bytes>, slot: OwnedSemaphorePermit) -> Response {
    let text: Bytes = text.into();
    let length = HeaderValue::from(text.len());
    let chunks = stream::unfold((text, slot), |(mut rest, slot)| async move {
        if rest.is_empty() {
            return None;
        }
        let chunk = rest.split_to(rest.len().min(CHUNK));
        Some((Ok::<_, Infallible>(chunk), (rest, slot)))
    });
    let kind = HeaderValue::from_static("application/json");
    let headers = [(header::CONTENT_TYPE, kind), (header::CONTENT_LENGTH, length)];
    (headers, Body::from_stream(chunks)).into_response()
}
