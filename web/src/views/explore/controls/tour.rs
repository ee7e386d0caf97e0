//! The tour on the first visit: four short steps.

use queens_core::{Size, Square};
use yew::prelude::*;

use crate::browser::storage;
use crate::parts::link::Link;
use crate::place::Address;
use crate::words::{Language, tr};

/// The storage key that records that the user has seen the tour.
const TOUR: &str = "queens-tour";

/// Whether the user has seen or skipped the tour. Without storage, the tour is never shown, because
/// it would appear on every visit.
pub fn is_seen() -> bool {
    !storage::is_there() || storage::recall(TOUR).is_some()
}

/// Records that the user has seen the tour.
pub fn remember() {
    storage::remember(TOUR, "seen");
}

/// The number of steps.
pub const STEPS: u8 = 4;
/// The step that asks about a closed square; see [`closed`].
pub const CLOSED: u8 = 2;
/// The step that jumps to a solution.
pub const SOLUTION: u8 = 3;

/// A square that a rule closes at the page's opening position, and whose branch contains a
/// solution.
pub fn closed(size: Size) -> Option<Square> {
    Square::from_left(size, 1, 0).ok()
}

/// A step of the tour, from 1. Stylesheets highlight its subject by `data-tour`. `go` continues
/// with another step; a number beyond the last step ends the tour. The last step also links to the
/// `first` method.
pub fn tour(language: Language, step: u8, go: &Callback<u8>, first: Address) -> Html {
    let next = go.reform(move |_: MouseEvent| step + 1);
    let skip = go.reform(|_: MouseEvent| STEPS + 1);
    let last = step == STEPS;
    html! {
        <section id="tour" class="tour" aria-label={tr!(language, "tour.label", step = step, steps = STEPS)}>
            // The buttons are above the text. Its height varies, and they should stay under the
            // pointer.
            <div class="button-line">
                <strong>{ format!("{step}/{STEPS}") }</strong>
                <button id="tour-next" type="button" class="primary" onclick={next}>
                    { if last { tr!(language, "tour.done") } else { tr!(language, "tour.next") } }
                </button>
                if last {
                    <Link id="tour-first" class="button" to={first}>{ tr!(language, "tour.first") }</Link>
                } else {
                    <button id="tour-skip" type="button" class="quiet" onclick={skip}>{ tr!(language, "tour.skip") }</button>
                }
            </div>
            <p aria-live="polite">{ tr!(language, format!("tour.step-{step}")) }</p>
        </section>
    }
}

#[cfg(test)]
mod tests {
    use queens_core::{Completions, SquareState, Timeline};

    use super::*;

    #[test]
    fn the_square_of_the_tour_is_closed_and_its_branch_holds_a_solution() {
        let opening = Address::opening();
        let mut timeline = Timeline::new(opening.method, opening.size);
        assert!(timeline.seek(opening.step, u64::MAX));
        let view = timeline.view();
        let square = closed(opening.size).unwrap();
        assert_eq!(view.square(square).state, SquareState::Closed);
        assert!(view.smaller_image(square).is_some());
        assert!(Completions::new(&view.branch(square)).next().is_some());
    }
}
