//! The fields of one JSON object. Reading a field checks its type and removes it; the rest is preserved
//! as unknown fields.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::{ops::RangeInclusive, str::FromStr};

use serde_json::{Map, Value};

use super::{DocumentError, Extra, Problem, Seconds, quote::quote};
use crate::{
    Plan, Size, UnknownWord,
    decimal::{self, NotACount},
};

/// A JSON object that is being read into a part of a document.
pub(super) struct Fields {
    path: String,
    map: Map<String, Value>,
}

impl Fields {
    /// The largest number of tasks.
    pub const MAX_TASKS: u32 = Plan::MAX_TASKS as u32;

    /// The fields of `value`, whose path in the document is `path`.
    pub fn new(path: String, value: Value) -> Result<Fields, DocumentError> {
        match value {
            Value::Object(map) => Ok(Fields { path, map }),
            other => Err(DocumentError::field(
                if path.is_empty() { "top level" } else { &path },
                Problem::WrongType { found: quote(&other), expected: "an object".into() },
            )),
        }
    }

    /// The path to the field `name`.
    pub fn path(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_string() } else { format!("{}.{name}", self.path) }
    }

    /// The error for a problem with the field `name`.
    pub fn error(&self, name: &str, problem: Problem) -> DocumentError {
        DocumentError::field(self.path(name), problem)
    }

    pub fn has(&self, name: &str) -> bool {
        self.map.contains_key(name)
    }

    pub fn value(&mut self, name: &str) -> Result<Value, DocumentError> {
        self.map.remove(name).ok_or_else(|| self.error(name, Problem::Missing))
    }

    pub fn object(&mut self, name: &str) -> Result<Fields, DocumentError> {
        let value = self.value(name)?;
        Fields::new(self.path(name), value)
    }

    pub fn list(&mut self, name: &str) -> Result<Vec<Value>, DocumentError> {
        match self.value(name)? {
            Value::Array(list) => Ok(list),
            other => Err(self.wrong_type(name, &other, "a list")),
        }
    }

    pub fn texts(&mut self, name: &str) -> Result<Vec<String>, DocumentError> {
        let texts = self.list(name)?.into_iter().enumerate().map(|(position, value)| match value {
            Value::String(text) => Ok(text),
            other => Err(self.wrong_type(&format!("{name}[{position}]"), &other, "a string")),
        });
        texts.collect()
    }

    pub fn text(&mut self, name: &str) -> Result<String, DocumentError> {
        match self.value(name)? {
            Value::String(text) => Ok(text),
            other => Err(self.wrong_type(name, &other, "a string")),
        }
    }

    /// A whole number in `range`, as a JSON number.
    pub fn whole_number<T: Copy + PartialOrd + Into<u64> + TryFrom<u64>>(
        &mut self,
        name: &str,
        range: RangeInclusive<T>,
    ) -> Result<T, DocumentError> {
        let value = self.value(name)?;
        let number = whole_number(&value).and_then(|number| T::try_from(number).ok());
        if let Some(number) = number.filter(|number| range.contains(number)) {
            return Ok(number);
        }
        if !value.is_number() {
            return Err(self.wrong_type(name, &value, "a whole number"));
        }
        let found = quote(&value);
        let problem = if value.as_f64().is_some_and(|number| number % 1.0 != 0.0) {
            Problem::NotWhole { found }
        } else {
            Problem::OutOfRange {
                found,
                least: (*range.start()).into(),
                most: (*range.end()).into(),
            }
        };
        Err(self.error(name, problem))
    }

    /// The side of the board, `n`, up to [`Size::MAX_COUNTED`].
    pub fn size(&mut self) -> Result<Size, DocumentError> {
        let n = self.whole_number("n", 1..=Size::MAX_COUNTED)?;
        Size::new(n).map_err(|_| {
            let found = n.to_string();
            self.error("n", Problem::OutOfRange { found, least: 1, most: Size::MAX_COUNTED.into() })
        })
    }

    /// A count: a whole number as a decimal string without signs and leading zeros.
    pub fn count(&mut self, name: &str) -> Result<u64, DocumentError> {
        let value = self.value(name)?;
        let count = value.as_str().map_or(Err(NotACount::NotDecimal), decimal::parse);
        count.map_err(|why| {
            let found = quote(&value);
            self.error(
                name,
                match why {
                    NotACount::NotDecimal => Problem::NotACount { found },
                    NotACount::TooLarge => Problem::CountTooLarge { found },
                },
            )
        })
    }

    pub fn seconds(&mut self, name: &str) -> Result<Seconds, DocumentError> {
        let value = self.value(name)?;
        if !value.is_number() {
            return Err(self.wrong_type(name, &value, "a number"));
        }
        value
            .as_f64()
            .and_then(Seconds::new)
            .ok_or_else(|| self.error(name, Problem::NotSeconds { found: quote(&value) }))
    }

    /// The variant of a string enum, by its id.
    pub fn word<T: FromStr<Err = UnknownWord>>(&mut self, name: &str) -> Result<T, DocumentError> {
        let text = self.text(name)?;
        text.parse().map_err(|error: UnknownWord| {
            let known = error.known.join(", ");
            self.error(name, Problem::UnknownWord { found: quote(&Value::String(text)), known })
        })
    }

    /// The fields that have not been read.
    pub fn rest(self) -> Extra {
        self.map
    }

    fn wrong_type(&self, name: &str, value: &Value, expected: &'static str) -> DocumentError {
        self.error(name, Problem::WrongType { found: quote(value), expected: expected.into() })
    }
}

/// The value as a whole number; `None` if it is not one, is negative or exceeds 64 bits. In JSON, 8.0 is
/// also a whole number.
pub(super) fn whole_number(value: &Value) -> Option<u64> {
    let exact = |number: f64| (number as u64 as f64 == number).then_some(number as u64);
    value.as_u64().or_else(|| value.as_f64().and_then(exact))
}
