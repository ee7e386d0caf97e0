//! JSON bodies of requests.

use std::{error::Error, sync::Arc};

use axum::{
    body::{Body, HttpBody, to_bytes},
    extract::Request,
    http::{HeaderMap, StatusCode, header},
};
use http_body_util::{BodyExt, LengthLimitError};
use tokio::sync::OwnedSemaphorePermit;

use super::{
    app::{Limits, busy},
    problem::Problem,
};

/// A received JSON text. Until it is dropped, it holds the permit for its memory.
pub(super) struct Received {
    pub text: String,
    _memory: OwnedSemaphorePermit,
}

/// Reads the JSON body of a request. Rejects a body of more than `largest` bytes; the message says that this
/// is the limit for `what`.
pub(super) async fn json(
    request: Request,
    what: &str,
    largest: usize,
    limits: &Limits,
) -> Result<Received, Problem> {
    let too_large = || {
        let detail =
            format!("the request body is larger than {}, the limit for {what}", size_text(largest));
        Problem::new(StatusCode::PAYLOAD_TOO_LARGE, detail).ending_the_connection()
    };
    // A body without an announced length may reach the limit.
    let announced = request.body().size_hint().upper().unwrap_or(largest as u64);
    let length = usize::try_from(announced).ok().filter(|&length| length <= largest);
    let checked = match (length, header_problem(request.headers())) {
        (None, _) => Err(too_large()),
        (_, Some(problem)) => Err(problem),
        (Some(length), None) => Ok(length),
    };
    let waits = request.headers().contains_key(header::EXPECT);
    let body = request.into_body();
    let length = match checked {
        Err(problem) => {
            if !waits {
                discard(body, limits).await;
            }
            return Err(problem);
        }
        Ok(length) => length,
    };
    let kilobytes = u32::try_from(length.div_ceil(1024)).unwrap_or(u32::MAX);
    let memory = Arc::clone(&limits.bodies).try_acquire_many_owned(kilobytes);
    let memory = memory.map_err(|_| busy().ending_the_connection())?;
    let read = tokio::time::timeout(limits.timeout, to_bytes(body, largest)).await;
    let bytes = read
        .map_err(|_| {
            let seconds = limits.timeout.as_secs();
            let detail = format!("the request body did not arrive within {seconds} seconds");
            Problem::new(StatusCode::REQUEST_TIMEOUT, detail)
        })?
        .map_err(|error| match error.source() {
            Some(cause) if cause.is::<LengthLimitError>() => too_large(),
            _ => {
                let detail = format!("the request body is incomplete: {error}");
                Problem::new(StatusCode::BAD_REQUEST, detail)
            }
        })?;
    let text = String::from_utf8(bytes.into()).map_err(|_| {
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "the request body is not valid UTF-8")
    })?;
    Ok(Received { text, _memory: memory })
}

/// Reads and discards a body. If the server closed the connection while the client was still writing, the
/// client would not see the response with the reason.
async fn discard(mut body: Body, limits: &Limits) {
    let read = async { while let Some(Ok(_)) = body.frame().await {} };
    let _ = tokio::time::timeout(limits.timeout, read).await;
}

/// Returns the problem of a body whose headers announce an unsupported format.
fn header_problem(headers: &HeaderMap) -> Option<Problem> {
    let unsupported = |name: &str, detail: &str| {
        Some(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, detail).at(name))
    };
    let encoding = headers.get(header::CONTENT_ENCODING);
    if encoding.is_some_and(|encoding| !encoding.as_bytes().eq_ignore_ascii_case(b"identity")) {
        return unsupported(
            "Content-Encoding",
            "send uncompressed JSON, without a Content-Encoding header",
        );
    }
    if !is_json(headers) {
        let detail = "send JSON with the header Content-Type: application/json";
        return unsupported("Content-Type", detail);
    }
    None
}

fn size_text(bytes: usize) -> String {
    match bytes >> 20 {
        0 => format!("{} KB", bytes >> 10),
        megabytes => format!("{megabytes} MB"),
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let value = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let kind = value.and_then(|value| value.split(';').next()).unwrap_or_default().trim();
    kind.eq_ignore_ascii_case("application/json")
}
