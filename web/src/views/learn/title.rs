//! Titles of lessons.

use queens_core::Method;

use crate::words::{Language, tr};

/// The title of a lesson, which says what one learns there.
pub fn title(language: Language, lesson: Method) -> String {
    tr!(language, format!("lesson.title-{}", lesson.id()))
}
