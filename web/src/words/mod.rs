//! The page's texts, which are defined in `queens-state`: loading them, and choosing their language.

mod language;
mod load;

pub use language::{mark_language, preferred_language, remember_language, use_language};
pub use load::use_texts;
pub use queens_state::text::{
    Bundle, Language, Term, check_name, contradiction, csv_row, document_error, duration, finding,
    form_name, grouped, grouped_decimal, is_loaded, lines, method_name, notation_error,
    nothing_found, numbered_method, plain, ratio_text, size_error, transform_name, transforms,
    width,
};
pub use queens_state::tr;
