//! JSON bodies of requests.

use std::sync::Arc;

use axum::{
    body::{BodyDataStream, Bytes, HttpBody},
    extract::Request,
    http::{HeaderMap, StatusCode, header},
};
use futures_util::StreamExt;
use tokio::sync::OwnedSemaphorePermit;

use super::{
    app::{Limits, busy},
    problem::Problem,
};

/// Maximum number of bytes of an oversized body to read and discard. If the server closed the connection
/// while the client was still writing, the client would not see the response with the reason.
const MAX_DRAINED: usize = 64 * 1024 * 1024;

/// A received JSON text. Until it is dropped, it holds the permit for its memory.
pub(super) struct Received {
    pub text: String,
    _memory: Option<OwnedSemaphorePermit>,
}

/// Reads the JSON body of a request. Rejects a body of more than `largest` bytes; the message says that this
/// is the limit for `what`.
pub(super) async fn json(
    request: Request,
    what: &str,
    largest: usize,
    limits: &Limits,
) -> Result<Received, Problem> {
    let problem = header_problem(request.headers());
    let reading = read(request, what, largest, limits);
    let (body, memory) = tokio::time::timeout(limits.timeout, reading).await.map_err(|_| {
        let seconds = limits.timeout.as_secs();
        let detail = format!("the request body did not arrive within {seconds} seconds");
        Problem::new(StatusCode::REQUEST_TIMEOUT, detail)
    })??;
    if let Some(problem) = problem {
        return Err(problem);
    }
    let text = String::from_utf8(body).map_err(|_| {
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "the request body is not valid UTF-8")
    })?;
    Ok(Received { text, _memory: memory })
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

async fn read(
    request: Request,
    what: &str,
    largest: usize,
    limits: &Limits,
) -> Result<(Vec<u8>, Option<OwnedSemaphorePermit>), Problem> {
    let expects_continue = request.headers().contains_key(header::EXPECT);
    let too_large = || {
        let detail =
            format!("the request body is larger than {}, the limit for {what}", size_text(largest));
        Problem::new(StatusCode::PAYLOAD_TOO_LARGE, detail).ending_the_connection()
    };
    let announced = request.body().size_hint().lower();
    let mut stream = request.into_body().into_data_stream();
    if usize::try_from(announced).is_ok_and(|announced| announced > largest) {
        if !expects_continue {
            drain(stream, limits);
        }
        return Err(too_large());
    }
    let mut body = Vec::new();
    let mut memory: Option<OwnedSemaphorePermit> = None;
    while let Some(part) = next(&mut stream).await? {
        if body.len() + part.len() > largest {
            drain(stream, limits);
            return Err(too_large());
        }
        body.extend_from_slice(&part);
        let held = memory.as_ref().map_or(0, OwnedSemaphorePermit::num_permits);
        let missing = u32::try_from((body.len() / 1024).saturating_sub(held)).unwrap_or(u32::MAX);
        if missing > 0 {
            // Return an error instead of waiting: bodies that wait for each other's memory would deadlock.
            let more = Arc::clone(&limits.bodies).try_acquire_many_owned(missing);
            let more = more.map_err(|_| busy())?;
            match &mut memory {
                Some(memory) => memory.merge(more),
                None => memory = Some(more),
            }
        }
    }
    Ok((body, memory))
}

/// Reads and discards the rest of a body in the background, up to a limit of bytes and time.
fn drain(mut stream: BodyDataStream, limits: &Limits) {
    let mut drained = 0;
    let rest = async move {
        while let Ok(Some(part)) = next(&mut stream).await {
            drained += part.len();
            if drained > MAX_DRAINED {
                break;
            }
        }
    };
    tokio::spawn(tokio::time::timeout(limits.timeout, rest));
}

fn size_text(bytes: usize) -> String {
    match bytes >> 20 {
        0 => format!("{} KB", bytes >> 10),
        megabytes => format!("{megabytes} MB"),
    }
}

async fn next(stream: &mut BodyDataStream) -> Result<Option<Bytes>, Problem> {
    stream.next().await.transpose().map_err(|error| {
        Problem::new(StatusCode::BAD_REQUEST, format!("the request body is incomplete: {error}"))
    })
}

fn is_json(headers: &HeaderMap) -> bool {
    let value = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let kind = value.and_then(|value| value.split(';').next()).unwrap_or_default().trim();
    kind.eq_ignore_ascii_case("application/json")
}
