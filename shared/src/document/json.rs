//! JSON without repeated fields.
//!
//! JSON readers disagree on which of two equal keys counts, so a document that has one could show
//! different numbers in different places. It is refused.

use alloc::{format, string::String, vec::Vec};
use core::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{Error, MapAccess, SeqAccess, Visitor},
};
use serde_json::{Map, Number, Value, error::Category};

use super::DocumentError;

/// The value of `text`.
pub(super) fn parse(text: &str) -> Result<Value, DocumentError> {
    // Editors on Windows like to put this invisible character before everything else.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.trim().is_empty() {
        return Err(DocumentError::Empty);
    }
    match serde_json::from_str(text) {
        Ok(Unrepeated(value)) => Ok(value),
        Err(error) if error.classify() == Category::Eof => {
            Err(DocumentError::Truncated { line: error.line(), column: error.column() })
        }
        Err(error) => Err(DocumentError::NotJson { reason: format!("{error}") }),
    }
}

/// The key under which `serde_json` hands over the digits of numbers where a crate of the build has
/// asked it to keep them as they came.
const NUMBER: &str = "$serde_json::private::Number";

struct Unrepeated(Value);

impl<'de> Deserialize<'de> for Unrepeated {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Unrepeated, D::Error> {
        from.deserialize_any(AnyValue).map(Unrepeated)
    }
}

struct AnyValue;

impl<'de> Visitor<'de> for AnyValue {
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
        while let Some(Unrepeated(value)) = from.next_element()? {
            list.push(value);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(name) = from.next_key::<String>()? {
            if name == NUMBER && map.is_empty() {
                let digits: String = from.next_value()?;
                return digits.parse().map(Value::Number).map_err(Error::custom);
            }
            if map.contains_key(&name) {
                return Err(Error::custom(format!(
                    "the field {} occurs twice",
                    Value::String(name)
                )));
            }
            let Unrepeated(value) = from.next_value()?;
            map.insert(name, value);
        }
        Ok(Value::Object(map))
    }
}
