//! Errors in the parameters of an address.

use queens_core::{Size, SizeError};

use super::view::View;
use crate::words::{Language, size_error, tr};

/// A parameter of an address with an invalid value. The page reports it instead of guessing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AddressError {
    /// `view`.
    View(String),
    /// `n`: the value, and what is wrong with it.
    Size(String, SizeError),
    /// Any other parameter: its name and its value.
    Other(String, String),
}

impl AddressError {
    /// Returns the error of a parameter whose value is invalid.
    pub(super) fn new(name: &str, given: &str) -> AddressError {
        match (name, given.parse::<Size>()) {
            ("view", _) => AddressError::View(given.to_owned()),
            ("n", Err(error)) => AddressError::Size(given.to_owned(), error),
            _ => AddressError::Other(name.to_owned(), given.to_owned()),
        }
    }

    /// Returns a sentence that names the parameter and what is wrong.
    pub fn text(&self, language: Language) -> String {
        match self {
            AddressError::View(given) => {
                let views = View::all().map(View::id).collect::<Vec<_>>().join(language.comma());
                tr!(language, "address.view", given = given, views = views)
            }
            AddressError::Size(given, error) => {
                let why = size_error(language, *error);
                tr!(language, "address.size", given = given, why = why)
            }
            AddressError::Other(name, given) => {
                tr!(language, "address.other", name = name, given = given)
            }
        }
    }
}
