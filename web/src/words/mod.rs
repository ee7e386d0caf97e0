//! Texts in two languages: the lookup, the names of the core's terms, numbers and durations.

mod csv;
mod document_errors;
mod duration;
mod errors;
mod findings;
mod language;
mod lines;
pub mod long_texts;
mod lookup;
mod names;
mod number;
mod term;
pub mod transforms;
mod use_language;

pub use csv::csv_row;
pub use document_errors::{check_name, contradiction, document_error};
pub(crate) use duration::YEAR;
pub use duration::duration;
pub use errors::{notation_error, size_error};
pub use findings::{finding, nothing_found};
pub use language::Language;
pub use lines::{lines, width};
pub(crate) use lookup::tr;
pub use lookup::{plain, text};
pub use names::{form_name, method_name, numbered_method, transform_name};
pub use number::{grouped_decimal, ratio_text};
pub use queens_core::notation::grouped;
pub use term::Term;
pub use use_language::{mark_language, preferred_language, remember_language, use_language};
