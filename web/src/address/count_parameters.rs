//! The parameters of a count.

use std::fmt;

use queens_core::{Method, Size};

use super::Address;

/// The method and the boards of Count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CountParameters {
    /// The method, or `None` for all methods.
    pub method: Option<Method>,
    /// The first and the last board; `None` until one is chosen.
    pub range: Option<[Size; 2]>,
}

/// The first and the last board that Count suggests: small ones appear at once, and the last one takes
/// long enough to watch.
const FIRST_COUNT: [u32; 2] = [8, 16];

impl Default for CountParameters {
    fn default() -> CountParameters {
        CountParameters { method: Some(Method::Colours), range: None }
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

    /// Parses `METHOD:FROM:TO`, or `METHOD` or `METHOD:FROM` as in links of earlier versions, whose last board is
    /// the `n` of the address. An `n` as on a first visit is not chosen. Also returns whether the method and the
    /// boards are valid. The default replaces those that are not.
    pub fn parse(text: &str, n: Size) -> (CountParameters, bool) {
        let mut parts = text.splitn(3, ':');
        let method = parts.next().unwrap_or_default();
        let all = (method == CountParameters::ALL).then_some(None);
        let method = all.or_else(|| method_of(method).map(Some));
        let mut size = || parts.next().map(str::parse::<Size>).transpose().ok();
        let sizes = size().zip(size());
        let is_valid = method.is_some() && sizes.is_some();
        let method = method.unwrap_or(CountParameters::default().method);
        let (from, to) = sizes.unwrap_or_default();
        let is_chosen = from.is_some() || n != Address::FIRST_SIZE;
        let [first, _] = CountParameters::default().boards();
        let last = to.unwrap_or(n);
        let range = is_chosen.then_some([from.unwrap_or(first).min(last), last]);
        (CountParameters { method, range }, is_valid)
    }

    /// Returns the first and the last board.
    pub fn boards(&self) -> [Size; 2] {
        self.range.unwrap_or(FIRST_COUNT.map(|n| Size::new(n).unwrap_or(Address::FIRST_SIZE)))
    }
}

/// The form that [`CountParameters::parse`] reads.
impl fmt::Display for CountParameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.method.map_or(CountParameters::ALL, Method::id))?;
        self.range.map_or(Ok(()), |[from, to]| write!(f, ":{from}:{to}"))
    }
}
