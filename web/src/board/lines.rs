//! Lines between squares that attack each other.

use queens_core::Square;
use yew::prelude::*;

use super::squares::SIDE;

/// Draws a line between the squares of each pair. Screen readers skip the lines.
pub fn lines(class: &'static str, pairs: impl IntoIterator<Item = (Square, Square)>) -> Html {
    let middle = |at: u32| (at * SIDE + SIDE / 2).to_string();
    let lines = pairs.into_iter().map(|(first, second)| {
        let ((y1, x1), (y2, x2)) = (first.to_left(), second.to_left());
        html! { <line {class} x1={middle(x1)} y1={middle(y1)} x2={middle(x2)} y2={middle(y2)} /> }
    });
    html! { <g aria-hidden="true">{ for lines }</g> }
}
