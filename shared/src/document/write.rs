//! From a document to JSON.

use alloc::string::{String, ToString};

use serde::{Serialize, Serializer};
use serde_json::Value;

use super::{BackendKind, Document, RunState};
use crate::{ClassCounts, Form, Method, Size};

impl Document {
    /// The document as a JSON value.
    #[must_use]
    pub fn to_value(&self) -> Value {
        // Only keys that are no text and errors of a type's own could make this fail; there are
        // neither.
        serde_json::to_value(self).unwrap_or(Value::Null)
    }

    /// The document as JSON for people: fields in the order of the format's description, indented.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    /// The document as JSON with sorted keys and without white space: equal documents give equal
    /// texts, so its SHA-256 names the document.
    #[must_use]
    pub fn canonical_json(&self) -> String {
        let mut value = self.to_value();
        // Does nothing while maps are trees; keeps the promise if a crate of the build asks
        // serde_json for maps in order of insertion.
        value.sort_all_objects();
        value.to_string()
    }
}

// What follows has the signatures that serde asks for.

pub(super) fn count<S: Serializer>(count: &u64, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(count)
}

pub(super) fn optional_count<S: Serializer>(count: &Option<u64>, to: S) -> Result<S::Ok, S::Error> {
    count.map(|count| count.to_string()).serialize(to)
}

pub(super) fn size<S: Serializer>(size: &Size, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_u32(size.get())
}

pub(super) fn method<S: Serializer>(method: &Method, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(method.id())
}

pub(super) fn form<S: Serializer>(form: &Form, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(form.id())
}

pub(super) fn backend_kind<S: Serializer>(kind: &BackendKind, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(kind.id())
}

pub(super) fn run_state<S: Serializer>(state: &RunState, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(state.id())
}

#[derive(Serialize)]
struct Classes {
    #[serde(serialize_with = "count")]
    count2: u64,
    #[serde(serialize_with = "count")]
    count4: u64,
    #[serde(serialize_with = "count")]
    count8: u64,
}

pub(super) fn classes<S: Serializer>(
    classes: &Option<ClassCounts>,
    to: S,
) -> Result<S::Ok, S::Error> {
    classes
        .map(|ClassCounts { count2, count4, count8 }| Classes { count2, count4, count8 })
        .serialize(to)
}
