//! Query parameters of the list of results.

use std::str::FromStr;

use axum::{extract::Query, http::StatusCode};
use queens_core::{Size, UnknownWord};

use super::problem::Problem;
use crate::store::Filter;

/// Default number of results on a page.
const USUAL: u32 = 100;
/// Maximum number of results on a page.
const MOST: u32 = 1000;

/// Parameters of a list.
#[derive(Debug, PartialEq)]
pub(super) struct Wanted {
    pub filter: Filter,
    pub before: Option<i64>,
    pub limit: u32,
}

/// Parses `n`, `method`, `backend`, `limit` and `before`. Rejects unknown and repeated parameters,
/// because a list without the intended filter would be misleading.
pub(super) fn wanted(Query(parameters): Query<Vec<(String, String)>>) -> Result<Wanted, Problem> {
    let mut wanted = Wanted { filter: Filter::default(), before: None, limit: USUAL };
    let mut seen: Vec<&str> = Vec::new();
    for (name, value) in &parameters {
        if seen.contains(&name.as_str()) {
            return Err(refusal(name, format!("the parameter {name} is given twice")));
        }
        seen.push(name);
        match name.as_str() {
            "n" => wanted.filter.n = Some(size(value)?),
            "method" => wanted.filter.method = Some(word(name, value)?),
            "backend" => wanted.filter.backend = Some(word(name, value)?),
            "limit" => wanted.limit = limit(value)?,
            "before" => wanted.before = Some(before(value)?),
            _ => {
                let words = format!(
                    "unknown parameter {name}; known parameters are n, method, backend, limit and \
                     before"
                );
                return Err(refusal(name, words));
            }
        }
    }
    Ok(wanted)
}

fn refusal(name: &str, words: impl Into<String>) -> Problem {
    Problem::new(StatusCode::BAD_REQUEST, words).at(name)
}

fn size(value: &str) -> Result<Size, Problem> {
    value.parse().map_err(|error: queens_core::SizeError| refusal("n", error.to_string()))
}

fn word<T: FromStr<Err = UnknownWord>>(name: &str, value: &str) -> Result<T, Problem> {
    value.parse().map_err(|UnknownWord { known }| {
        refusal(name, format!("unknown {name} \"{value}\"; known values are {}", known.join(", ")))
    })
}

fn limit(value: &str) -> Result<u32, Problem> {
    match value.parse() {
        Ok(limit @ 1..=MOST) => Ok(limit),
        _ => Err(refusal("limit", format!("limit must be 1 to {MOST}, not {value}"))),
    }
}

fn before(value: &str) -> Result<i64, Problem> {
    value.parse().map_err(|_| {
        let words = format!("before must be the `next` value of an earlier response, not {value}");
        refusal("before", words)
    })
}
