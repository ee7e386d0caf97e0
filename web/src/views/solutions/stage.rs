//! The large board, which turns and flips to show the selected image.

use queens_core::{Orbit, Transform};
use yew::prelude::*;

use crate::board::glyph::QUEEN;
use crate::board::paths::dark_squares;
use crate::words::{Language, tr, transforms};

/// Renders the solution as entered; a style transforms it into the image. The board turns, and a
/// mark shows the original upper left corner. Queens stay upright.
pub fn stage(language: Language, orbit: &Orbit, image: Transform) -> Html {
    let name = transforms::transform(language, image);
    html! {
        <figure class="stage">
            <div
                id="stage" class={format!("turning to-{}", image.id())} data-shown={image.id()}
                role="img" aria-label={name.clone()}
            >
                { board(orbit) }
            </div>
            <figcaption aria-live="polite">
                <strong>{ name }</strong>{ " " }
                <span class="hint">{ tr!(language, "symmetries.corner-mark") }</span>
            </figcaption>
        </figure>
    }
}

/// Renders the board of the solution as entered.
fn board(orbit: &Orbit) -> Html {
    let placement = orbit.image(Transform::Identity).placement;
    let n = placement.size().get();
    let extent = 40 * n;
    let queens = (0..n).zip(placement.columns_from_left()).map(|(row, column)| {
        html! {
            <g transform={format!("translate({} {})", 40 * column, 40 * row)}>
                <path class="upright" d={format!("M0 0{QUEEN}")} />
            </g>
        }
    });
    html! {
        <svg viewBox={format!("0 0 {extent} {extent}")} aria-hidden="true">
            <path class="light" d={format!("M0 0H{extent}V{extent}H0z")} />
            <path class="dark" d={dark_squares(n)} />
            <path class="corner-mark" d="M0 0h14L0 14z" />
            { for queens }
        </svg>
    }
}
