//! Size limits of a document.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use serde_json::Value;

use super::{DocumentError, Problem, quote::named};

/// The largest size of a result document in bytes: 8 MiB. The command, the server and the page reject
/// larger documents.
pub const LARGEST_DOCUMENT: usize = 8 * 1024 * 1024;

/// The largest nesting depth of lists and objects in a field. JSON readers have their own depth
/// limits, and a document in a list of documents is nested deeper than a single one.
const MAX_DEPTH: u32 = 32;

/// The largest size of a document without its tasks, in bytes of JSON. The server lists this part
/// and sends it to every subscribed client.
const MAX_HEADER_BYTES: usize = 64 * 1024;

/// Rejects a document that is nested too deep or too large to pass on.
pub(super) fn check(document: &Value) -> Result<(), DocumentError> {
    let Value::Object(fields) = document else { return Ok(()) };
    if let Some((name, value)) = fields.iter().find(|(_, value)| is_deeper(value, MAX_DEPTH)) {
        let path = deepest(value, named(name), 2);
        return Err(DocumentError::field(path, Problem::TooDeep { most: MAX_DEPTH }));
    }
    let others = fields.iter().filter(|(name, _)| *name != "tasks");
    let sizes: Vec<_> =
        others.map(|(name, value)| (name.len() + value.to_string().len(), name)).collect();
    match sizes.iter().max() {
        Some((_, name)) if sizes.iter().map(|(size, _)| size).sum::<usize>() > MAX_HEADER_BYTES => {
            Err(DocumentError::field(named(name), Problem::TooLong { most: MAX_HEADER_BYTES }))
        }
        _ => Ok(()),
    }
}

fn is_deeper(value: &Value, than: u32) -> bool {
    let is_inner_deeper = |inner: &Value| than > 0 && is_deeper(inner, than - 1);
    match value {
        Value::Array(list) => than == 0 || list.iter().any(is_inner_deeper),
        Value::Object(map) => than == 0 || map.values().any(is_inner_deeper),
        _ => false,
    }
}

/// Extends `path`, the path of `value`, by at most `steps` steps towards a value that is nested too
/// deep. Two steps suffice: no known field is further below a field of the document.
fn deepest(value: &Value, path: String, steps: u32) -> String {
    // A value inside the field's own value (`steps` = 2) is too deep beyond `MAX_DEPTH` − 1.
    let than = MAX_DEPTH - 3 + steps;
    let next = match value {
        _ if steps == 0 => None,
        Value::Array(list) => {
            let deep = list.iter().enumerate().find(|(_, inner)| is_deeper(inner, than));
            deep.map(|(position, inner)| (format!("{path}[{position}]"), inner))
        }
        Value::Object(map) => {
            let deep = map.iter().find(|(_, inner)| is_deeper(inner, than));
            deep.map(|(name, inner)| (format!("{path}.{}", named(name)), inner))
        }
        _ => None,
    };
    next.map_or(path, |(path, inner)| deepest(inner, path, steps - 1))
}
