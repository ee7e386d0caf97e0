//! The body of a request that brings JSON.

use std::time::Duration;

use axum::{
    body::{Body, BodyDataStream, Bytes},
    extract::Request,
    http::{HeaderMap, StatusCode, header},
};
use futures_util::StreamExt;

use super::problem::Problem;

/// How long a body may take to arrive.
const PATIENCE: Duration = Duration::from_secs(60);

/// What is still read of a body that is too large. A connection that is closed while the other
/// side writes loses the answer, and with it the reason.
const MOST_THROWN_AWAY: usize = 64 * 1024 * 1024;

/// The JSON text that the request brings, of at most `largest` bytes.
pub(super) async fn json(request: Request, largest: usize) -> Result<String, Problem> {
    let is_json = is_json(request.headers());
    let read = tokio::time::timeout(PATIENCE, read(request.into_body(), largest));
    let body = read.await.map_err(|_| {
        Problem::new(StatusCode::REQUEST_TIMEOUT, "the body did not arrive within a minute")
    })??;
    if !is_json {
        return Err(Problem::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "send JSON, with the header Content-Type: application/json",
        )
        .at("Content-Type"));
    }
    String::from_utf8(body).map_err(|_| {
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "the document is not UTF-8, as JSON must be")
    })
}

async fn read(body: Body, largest: usize) -> Result<Vec<u8>, Problem> {
    let mut stream = body.into_data_stream();
    let mut body = Vec::new();
    while let Some(part) = next(&mut stream).await? {
        if body.len() + part.len() > largest {
            let mut thrown_away = part.len();
            while let Some(part) = next(&mut stream).await? {
                thrown_away += part.len();
                if thrown_away > MOST_THROWN_AWAY {
                    break;
                }
            }
            return Err(Problem::new(
                StatusCode::PAYLOAD_TOO_LARGE,
                format!("the body is too large: at most {} are taken", size(largest)),
            ));
        }
        body.extend_from_slice(&part);
    }
    Ok(body)
}

fn size(bytes: usize) -> String {
    match bytes >> 20 {
        0 => format!("{} KB", bytes >> 10),
        megabytes => format!("{megabytes} MB"),
    }
}

async fn next(stream: &mut BodyDataStream) -> Result<Option<Bytes>, Problem> {
    stream.next().await.transpose().map_err(|error| {
        Problem::new(StatusCode::BAD_REQUEST, format!("the body did not arrive whole: {error}"))
    })
}

fn is_json(headers: &HeaderMap) -> bool {
    let value = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let kind = value.and_then(|value| value.split(';').next()).unwrap_or_default().trim();
    kind.eq_ignore_ascii_case("application/json")
}
