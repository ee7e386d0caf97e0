//! Errors in the parameters of an address.

use queens_core::SizeError;

use crate::routing::view::View;
use crate::text::{Language, size_error};
use crate::tr;

/// A parameter of an address with an invalid value. The page reports it instead of guessing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AddressError {
    /// `view`.
    View(String),
    /// `n`: the value, and what is wrong with it.
    Size(String, SizeError),
    /// `method`.
    Method(String),
    /// `compare`.
    Compare(String),
    /// `step`.
    Step(String),
    /// `lesson`.
    Lesson(String),
    /// `solution`: the part that is not a column.
    Solution(String),
    /// Any other parameter: its name and its value.
    Name(&'static str, String),
    /// `queens`: the part that is not a square of the board, or is given twice.
    Queens(String),
    /// `lang`.
    Language(String),
}

impl AddressError {
    /// Returns a sentence that names the parameter, what is wrong, and what would be right.
    pub fn text(&self, language: Language) -> String {
        let views = View::all().map(View::id).collect::<Vec<_>>().join(language.comma());
        match self {
            AddressError::View(given) => {
                tr!(language, "address.view", given = given, views = views)
            }
            AddressError::Size(given, error) => {
                let why = size_error(language, *error);
                tr!(language, "address.size", given = given, why = why)
            }
            AddressError::Method(given) => tr!(language, "address.method", given = given),
            AddressError::Compare(given) => tr!(language, "address.compare", given = given),
            AddressError::Step(given) => tr!(language, "address.step", given = given),
            AddressError::Lesson(given) => tr!(language, "address.lesson", given = given),
            AddressError::Solution(given) => tr!(language, "address.solution", given = given),
            AddressError::Name(name, given) => {
                tr!(language, "address.name", name = name, given = given)
            }
            AddressError::Queens(given) => tr!(language, "address.queens", given = given),
            AddressError::Language(given) => tr!(language, "address.language", given = given),
        }
    }
}
