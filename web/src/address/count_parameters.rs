//! The parameters of a count.

use std::fmt;

use queens_core::{Method, Size};

/// The method and the boards of Count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CountParameters {
    /// The method, or `None` for all methods.
    pub method: Option<Method>,
    /// The first board; `None` until one is chosen.
    pub from: Option<Size>,
    /// The last board. `None`: the `n` of the address, as in links of earlier versions, which name at most
    /// the first board here.
    pub to: Option<Size>,
}

impl Default for CountParameters {
    fn default() -> CountParameters {
        CountParameters { method: Some(Method::Colours), from: None, to: None }
    }
}

/// Parses the id of a method. Links of earlier versions may name a method that the colour join has
/// replaced.
pub fn method_of(id: &str) -> Option<Method> {
    if id == "halves" { Some(Method::Colours) } else { id.parse().ok() }
}

impl CountParameters {
    /// The word in addresses for all methods.
    pub const ALL: &str = "all";

    /// Parses `METHOD`, `METHOD:FROM` or `METHOD:FROM:TO`.
    pub fn parse(text: &str) -> Option<CountParameters> {
        let mut parts = text.splitn(3, ':');
        let method = parts.next().unwrap_or_default();
        let method = if method == CountParameters::ALL { None } else { Some(method_of(method)?) };
        let mut size = || parts.next().map(str::parse).transpose().ok();
        Some(CountParameters { method, from: size()?, to: size()? })
    }
}

/// The form that [`CountParameters::parse`] reads.
impl fmt::Display for CountParameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.method.map_or(CountParameters::ALL, Method::id))?;
        let Some(from) = self.from else { return Ok(()) };
        write!(f, ":{from}")?;
        self.to.map_or(Ok(()), |to| write!(f, ":{to}"))
    }
}
