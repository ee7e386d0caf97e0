//! Parses JSON and rejects repeated fields.
//!
//! JSON readers disagree on which of two equal keys counts. A document with repeated keys could
//! therefore show different numbers in different places.

use alloc::{format, string::String, vec::Vec};
use core::fmt;

use serde::{
    Deserializer,
    de::{DeserializeSeed, Error, MapAccess, SeqAccess, Visitor},
};
use serde_json::{Map, Number, Value, error::Category};

use super::{DocumentError, Problem, quote::named};

/// Parses `text`.
pub(super) fn parse(text: &str) -> Result<Value, DocumentError> {
    // Some Windows editors put a byte order mark at the beginning.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.trim().is_empty() {
        return Err(DocumentError::Empty);
    }
    let mut from = serde_json::Deserializer::from_str(text);
    let mut reading = Reading { budget: MEMORY_BUDGET, repeated: Vec::new() };
    let value = Unrepeated(&mut reading).deserialize(&mut from);
    if !reading.repeated.is_empty() {
        return Err(DocumentError::field(path(reading.repeated), Problem::Repeated));
    }
    match value.and_then(|value| from.end().map(|()| value)) {
        Ok(value) => Ok(value),
        Err(error) if error.classify() == Category::Eof => {
            Err(DocumentError::Truncated { line: error.line(), column: error.column() })
        }
        Err(error) => {
            // The parser's message does not say that a JSON value was expected.
            let reason = format!("{error}").replace("expected value", "expected a JSON value");
            Err(DocumentError::NotJson { reason })
        }
    }
}

/// The memory limit for a document, in units of half a value: a value takes 2, and an object with
/// fields takes 12 more. The limit is enough for the largest number of tasks, each of which takes 26
/// units with all known fields. Without it, a text of a few megabytes could become a gigabyte of
/// small objects.
const MEMORY_BUDGET: u32 = 28 * 65_536;

/// The state of the reader.
struct Reading {
    /// The remaining part of [`MEMORY_BUDGET`].
    budget: u32,
    /// The path to a repeated field, collected from the end while the reader unwinds; empty if no
    /// field is repeated.
    repeated: Vec<String>,
}

impl Reading {
    fn take<E: Error>(&mut self, units: u32) -> Result<(), E> {
        let left = self.budget.checked_sub(units);
        self.budget =
            left.ok_or_else(|| E::custom("it has more values than a result document can have"))?;
        Ok(())
    }

    /// Adds `step` to the path of a repeated field, if the reader is unwinding from one.
    fn add_step(&mut self, step: String) {
        if !self.repeated.is_empty() {
            self.repeated.push(step);
        }
    }
}

/// The number of steps that a shortened path shows at its beginning and at its end. The known
/// fields of a document are up to three steps deep.
const SHOWN_STEPS: [usize; 2] = [3, 2];

/// Joins the steps of a path, given from the end. A long path is shortened in the middle.
fn path(mut steps: Vec<String>) -> String {
    steps.reverse();
    let [first, last] = SHOWN_STEPS;
    if steps.len() > first + 1 + last {
        steps.splice(first..steps.len() - last, ["…".into()]);
    }
    let mut path = String::new();
    for step in &steps {
        if !path.is_empty() && !step.starts_with('[') {
            path.push('.');
        }
        path.push_str(step);
    }
    path
}

/// Reads a value. Rejects repeated fields and documents that would take too much memory.
struct Unrepeated<'a>(&'a mut Reading);

impl<'de> DeserializeSeed<'de> for Unrepeated<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        self.0.take(2)?;
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Unrepeated<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.into()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        loop {
            match from.next_element_seed(Unrepeated(self.0)) {
                Ok(Some(value)) => list.push(value),
                Ok(None) => return Ok(Value::Array(list)),
                Err(error) => {
                    self.0.add_step(format!("[{}]", list.len()));
                    return Err(error);
                }
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(name) = from.next_key::<String>()? {
            if map.contains_key(&name) {
                self.0.repeated = [named(&name)].into();
                return Err(Error::custom("a field occurs twice"));
            }
            if map.is_empty() {
                // A map allocates space for several fields at once.
                self.0.take(12)?;
            }
            match from.next_value_seed(Unrepeated(self.0)) {
                Ok(value) => drop(map.insert(name, value)),
                Err(error) => {
                    self.0.add_step(named(&name));
                    return Err(error);
                }
            }
        }
        Ok(Value::Object(map))
    }
}
