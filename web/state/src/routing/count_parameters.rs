//! The parameters of a count.

use std::fmt;

use queens_core::{Method, Size};

/// The method and the first board of Count. The last board is the `n` of the address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CountParameters {
    /// The method, or `None` for all methods.
    pub method: Option<Method>,
    /// The first board; `None` until one is chosen.
    pub from: Option<Size>,
}

impl Default for CountParameters {
    fn default() -> CountParameters {
        CountParameters { method: Some(Method::Halves), from: None }
    }
}

impl CountParameters {
    /// The word in addresses for all methods.
    pub const ALL: &str = "all";

    /// Parses `METHOD` or `METHOD:FROM`.
    pub fn parse(text: &str) -> Option<CountParameters> {
        let (method, from) = match text.split_once(':') {
            Some((method, from)) => (method, Some(from.parse().ok()?)),
            None => (text, None),
        };
        let method = if method == CountParameters::ALL { None } else { Some(method.parse().ok()?) };
        Some(CountParameters { method, from })
    }
}

/// The form that [`CountParameters::parse`] reads.
impl fmt::Display for CountParameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.method.map_or(CountParameters::ALL, Method::id))?;
        self.from.map_or(Ok(()), |from| write!(f, ":{from}"))
    }
}
