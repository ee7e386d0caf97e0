//! Texts in two languages: the lookup, the names of the core's terms, translations of its errors, and durations.

mod csv;
mod document_errors;
mod duration;
mod errors;
mod findings;
mod language;
mod lines;
mod lookup;
mod names;
mod number;
mod term;
pub mod transforms;

pub use csv::csv_row;
pub use document_errors::{contradiction, document_error};
pub(crate) use duration::YEAR;
pub use duration::duration;
pub use errors::{notation_error, size_error};
pub use findings::{finding, nothing_found};
pub use language::Language;
pub use lines::{lines, width};
pub use lookup::{Bundle, add, is_loaded, plain, text};
pub use names::{check_name, form_name, method_name, numbered_method, transform_name};
pub use number::{grouped_decimal, ratio_text};
pub use queens_core::notation::grouped;
pub use term::Term;
