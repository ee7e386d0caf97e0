//! Titles of lessons.

use queens_core::Method;

use crate::words::{Language, tr};

/// The title of a lesson, which names its topic.
pub fn title(language: Language, lesson: Method) -> String {
    tr!(language, format!("lesson.title-{}", lesson.id()))
}

/// The title with the number of the lesson, for a list. Some titles begin with a number.
pub fn numbered_title(language: Language, lesson: Method) -> String {
    let between = match language {
        Language::English => ". ",
        Language::Japanese => "\u{3000}",
    };
    format!("{}{between}{}", lesson.number(), title(language, lesson))
}
