//! The levels of a lesson as circles, filled where they are solved.

use queens_core::Exercise;
use yew::prelude::*;

use super::model::progress::Levels;
use crate::words::{Language, tr};

/// Renders the levels as ●○○○.
pub fn levels(language: Language, levels: Levels) -> Html {
    let circles: String =
        (0..Exercise::LEVELS).map(|level| if levels.has(level) { '●' } else { '○' }).collect();
    let label =
        tr!(language, "lesson.levels-solved", solved = levels.count(), all = Exercise::LEVELS);
    let class = classes!("levels", levels.is_done().then_some("good"));
    html! { <span {class} role="img" aria-label={label} data-levels={circles.clone()}>{ circles }</span> }
}
