//! Query parameters of the list of results.

use std::str::FromStr;

use axum::{extract::Query, http::StatusCode};
use queens_core::{Size, UnknownWord};

use super::problem::Problem;
use crate::store::Filter;

/// Default number of results on a page.
const DEFAULT_LIMIT: u32 = 100;
/// Maximum number of results on a page.
const MAX_LIMIT: u32 = 1000;

/// Parameters of a list.
#[derive(Debug, PartialEq)]
pub(super) struct ListQuery {
    pub filter: Filter,
    pub before: Option<i64>,
    pub limit: u32,
}

/// Parses `n`, `method`, `backend`, `limit` and `before`. Rejects unknown and repeated parameters,
/// because a list without the intended filter would be misleading.
pub(super) fn parse(Query(parameters): Query<Vec<(String, String)>>) -> Result<ListQuery, Problem> {
    let mut query = ListQuery { filter: Filter::default(), before: None, limit: DEFAULT_LIMIT };
    let mut seen: Vec<&str> = Vec::new();
    for (name, value) in &parameters {
        if seen.contains(&name.as_str()) {
            return Err(invalid_parameter(name, format!("the parameter {name} is given twice")));
        }
        seen.push(name);
        match name.as_str() {
            "n" => query.filter.n = Some(size(value)?),
            "method" => query.filter.method = Some(word(name, value)?),
            "backend" => query.filter.backend = Some(word(name, value)?),
            "limit" => query.limit = limit(value)?,
            "before" => query.before = Some(before(value)?),
            _ => {
                let detail = format!(
                    "unknown parameter {name}; known parameters are n, method, backend, limit and \
                     before"
                );
                return Err(invalid_parameter(name, detail));
            }
        }
    }
    Ok(query)
}

fn invalid_parameter(name: &str, detail: impl Into<String>) -> Problem {
    Problem::new(StatusCode::BAD_REQUEST, detail).at(name)
}

fn size(value: &str) -> Result<Size, Problem> {
    value.parse().map_err(|error: queens_core::SizeError| invalid_parameter("n", error.to_string()))
}

fn word<T: FromStr<Err = UnknownWord>>(name: &str, value: &str) -> Result<T, Problem> {
    value.parse().map_err(|UnknownWord { known }| {
        invalid_parameter(
            name,
            format!("unknown {name} \"{value}\"; known values are {}", known.join(", ")),
        )
    })
}

fn limit(value: &str) -> Result<u32, Problem> {
    match value.parse() {
        Ok(limit @ 1..=MAX_LIMIT) => Ok(limit),
        _ => {
            Err(invalid_parameter("limit", format!("limit must be 1 to {MAX_LIMIT}, not {value}")))
        }
    }
}

fn before(value: &str) -> Result<i64, Problem> {
    value.parse().map_err(|_| {
        let detail = format!("before must be the `next` value of an earlier response, not {value}");
        invalid_parameter("before", detail)
    })
}
