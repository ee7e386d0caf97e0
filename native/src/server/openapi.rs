//! OpenAPI description, generated from the handlers.

use axum::{
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use utoipa::{
    Modify, OpenApi,
    openapi::{self, Content, Ref, path::Operation, response::ResponseBuilder},
};

use super::{events, health, problem::Problem, results, runs};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "queens",
        description = "Results of counts for the N-queens problem.",
    ),
    paths(
        results::list,
        results::add,
        results::one,
        results::remove,
        results::schema,
        results::summary_schema,
        runs::report,
        events::stream,
        health::health,
    ),
    modifiers(&Common)
)]
struct Description;

/// Adds the error responses that handlers have in common: some to all handlers, others only to handlers that
/// change something, receive a body or write to the store.
struct Common;

impl Modify for Common {
    fn modify(&self, api: &mut openapi::OpenApi) {
        for item in api.paths.paths.values_mut() {
            for operation in [&mut item.get, &mut item.put, &mut item.post, &mut item.delete] {
                operation.iter_mut().for_each(|operation| add_problems(operation, EVERYWHERE));
            }
            for operation in [&mut item.put, &mut item.post, &mut item.delete] {
                operation.iter_mut().for_each(|operation| add_problems(operation, CHANGING));
            }
            for operation in [&mut item.put, &mut item.post] {
                operation.iter_mut().for_each(|operation| add_problems(operation, WITH_BODY));
            }
            for operation in [&mut item.post, &mut item.delete] {
                operation.iter_mut().for_each(|operation| add_problems(operation, STORING));
            }
        }
    }
}

const EVERYWHERE: &[(&str, &str)] = &[
    ("421", "Unknown host name"),
    ("500", "Internal server error"),
    ("503", "The server is busy; try again later"),
];

const CHANGING: &[(&str, &str)] = &[
    ("401", "The request lacks the server's token, or the server is read-only"),
    ("403", "Sent by a page of another origin"),
];

const WITH_BODY: &[(&str, &str)] = &[
    ("400", "The request body is incomplete"),
    ("408", "The request body did not arrive in time"),
];

const STORING: &[(&str, &str)] = &[("507", "The disk is full")];

/// Adds responses with a status and a description to an operation.
fn add_problems(operation: &mut Operation, problems: &[(&str, &str)]) {
    for (status, description) in problems {
        let problem = Content::new(Some(Ref::from_schema_name("Problem")));
        let response = ResponseBuilder::new()
            .description(*description)
            .content("application/problem+json", problem)
            .build();
        let responses = &mut operation.responses.responses;
        responses.entry((*status).to_owned()).or_insert(response.into());
    }
}

/// `GET /api/v1/openapi.json`.
pub(super) async fn description() -> Response {
    match Description::openapi().to_json() {
        Ok(text) => {
            let kind = HeaderValue::from_static("application/json");
            ([(header::CONTENT_TYPE, kind)], text).into_response()
        }
        Err(error) => {
            Problem::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into_response()
        }
    }
}
