//! What is said of an address that asks for what there is not.

use queens_core::SizeError;

use crate::routing::view::View;
use crate::text::{Language, size_error};
use crate::tr;

/// A part of an address that means nothing; the page says so instead of guessing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// `view`.
    View(String),
    /// `n`: as given, and what is wrong with it.
    Size(String, SizeError),
    /// `method`.
    Method(String),
    /// `compare`.
    Compare(String),
    /// `form`.
    Form(String),
    /// `step`.
    Step(String),
    /// `lesson`.
    Lesson(String),
    /// `solution`: the part of it that is no column.
    Solution(String),
    /// A part that holds one of several names: its own, and what was given.
    Name(&'static str, String),
    /// `queens`: the part that is no square of the board, or given twice.
    Queens(String),
    /// `lang`.
    Language(String),
}

impl Problem {
    /// A sentence for the reader: which part, what is wrong, what would be right.
    pub fn text(&self, language: Language) -> String {
        let views = View::all().map(View::id).collect::<Vec<_>>().join(language.comma());
        match self {
            Problem::View(given) => tr!(language, "address.view", given = given, views = views),
            Problem::Size(given, error) => {
                let why = size_error(language, *error);
                tr!(language, "address.size", given = given, why = why)
            }
            Problem::Method(given) => tr!(language, "address.method", given = given),
            Problem::Compare(given) => tr!(language, "address.compare", given = given),
            Problem::Form(given) => tr!(language, "address.form", given = given),
            Problem::Step(given) => tr!(language, "address.step", given = given),
            Problem::Lesson(given) => tr!(language, "address.lesson", given = given),
            Problem::Solution(given) => tr!(language, "address.solution", given = given),
            Problem::Name(name, given) => {
                tr!(language, "address.name", name = name, given = given)
            }
            Problem::Queens(given) => tr!(language, "address.queens", given = given),
            Problem::Language(given) => tr!(language, "address.language", given = given),
        }
    }
}
