//! The checks that a count can pass, as a bit set.

use core::fmt;

crate::words! {
    /// A check that a count can pass.
    pub enum Check {
        /// Total and unique follow from the class counts, and the tasks add up to the total.
        Sums = "sums",
        /// Q ≡ H (mod 8), H being the number of solutions that a half turn maps to themselves.
        Divisibility = "divisibility",
        /// Unique and the class counts were counted directly and agree with Burnside's lemma.
        Burnside = "burnside",
        /// The numbers equal the published values.
        Known = "known",
        /// Recounts of all tasks by plain backtracking gave the same results.
        Recount = "recount",
    }
}

/// A set of checks. It lists each check once, in the order of [`Check::ALL`].
///
/// ```
/// use queens_core::{Check, Checks};
/// let checks: Checks = [Check::Known, Check::Sums, Check::Known].into_iter().collect();
/// assert_eq!(checks.to_string(), "sums, known");
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Checks(u8);

const _: () =
    assert!(Check::ALL.len() <= u8::BITS as usize, "a set of checks has one bit for each");

impl Checks {
    /// The empty set.
    pub const NONE: Checks = Checks(0);

    /// Returns the set with `check` added.
    #[must_use]
    pub const fn with(self, check: Check) -> Checks {
        Checks(self.0 | 1 << check as u8)
    }

    /// Whether the set contains `check`.
    #[must_use]
    pub const fn contains(self, check: Check) -> bool {
        self.0 & 1 << check as u8 != 0
    }

    /// Whether the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Iterates over the checks in the order of [`Check::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Check> {
        Check::ALL.into_iter().filter(move |&check| self.contains(check))
    }
}

impl FromIterator<Check> for Checks {
    fn from_iter<I: IntoIterator<Item = Check>>(checks: I) -> Checks {
        checks.into_iter().fold(Checks::NONE, Checks::with)
    }
}

impl Extend<Check> for Checks {
    fn extend<I: IntoIterator<Item = Check>>(&mut self, checks: I) {
        *self = checks.into_iter().fold(*self, Checks::with);
    }
}

impl fmt::Debug for Checks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// The ids of the checks, separated by commas.
impl fmt::Display for Checks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter().enumerate().try_for_each(|(at, check)| match at {
            0 => f.write_str(check.id()),
            _ => write!(f, ", {}", check.id()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{format, string::ToString, vec::Vec};

    #[test]
    fn lists_each_check_once_in_order() {
        let mut checks = Checks::NONE.with(Check::Recount).with(Check::Sums);
        assert!(checks.contains(Check::Sums) && !checks.contains(Check::Known));
        checks.extend([Check::Burnside, Check::Sums]);
        let order = [Check::Sums, Check::Burnside, Check::Recount];
        assert_eq!(checks.iter().collect::<Vec<_>>(), order);
        assert_eq!(checks, order.into_iter().rev().collect());
        assert_eq!(checks.to_string(), "sums, burnside, recount");
        assert_eq!(format!("{checks:?}"), "{Sums, Burnside, Recount}");
        assert_eq!(Check::ALL.into_iter().collect::<Checks>().iter().count(), Check::ALL.len());
        assert!(Checks::NONE.is_empty() && !checks.is_empty());
        assert_eq!(Checks::NONE.to_string(), "");
    }
}
