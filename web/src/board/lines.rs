//! Lines between squares that attack each other.

use queens_core::Square;
use yew::prelude::*;

use super::squares::SIDE;

/// Draws a line between the squares of each pair, from middle to middle, shortened by `cut` units along each axis at
/// both ends. Screen readers skip the lines.
pub fn lines(
    class: &'static str,
    cut: i32,
    pairs: impl IntoIterator<Item = (Square, Square)>,
) -> Html {
    let end = |at: u32, other: u32| {
        let (at, other, side) = (at.cast_signed(), other.cast_signed(), SIDE.cast_signed());
        (at * side + side / 2 + (other - at).signum() * cut).to_string()
    };
    let lines = pairs.into_iter().map(|(first, second)| {
        let ((y1, x1), (y2, x2)) = (first.to_left(), second.to_left());
        html! { <line {class} x1={end(x1, x2)} y1={end(y1, y2)} x2={end(x2, x1)} y2={end(y2, y1)} /> }
    });
    html! { <g aria-hidden="true">{ for lines }</g> }
}
