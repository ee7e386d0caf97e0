//! The first visit: four short steps, shown once.

use queens_core::{Size, Square};
use yew::prelude::*;

use crate::browser::storage;
use crate::parts::link::Link;
use crate::place::Address;
use crate::words::{Language, tr};

/// The key under which it is remembered that the tour has been seen.
const TOUR: &str = "queens-tour";

/// Whether the tour has been seen or skipped. Where nothing can be remembered it is not shown: it
/// would come back at every visit.
pub fn is_seen() -> bool {
    !storage::is_there() || storage::recall(TOUR).is_some()
}

/// Remembers that the tour has been seen.
pub fn remember() {
    storage::remember(TOUR, "seen");
}

/// The number of steps.
pub const STEPS: u8 = 4;
/// The step that asks about a closed square, see [`closed`].
pub const CLOSED: u8 = 2;
/// The step that goes on to a solution.
pub const SOLUTION: u8 = 3;

/// A square that a rule closes where the page begins, and whose branch holds a solution.
pub fn closed(size: Size) -> Option<Square> {
    Square::from_left(size, 1, 0).ok()
}

/// One step of the tour, from 1. Style sheets mark what it speaks of by `data-tour`. `go` goes on
/// to a step; beyond the last one the tour is over. The last one also leads to the `first` method.
pub fn tour(language: Language, step: u8, go: &Callback<u8>, first: Address) -> Html {
    let next = go.reform(move |_: MouseEvent| step + 1);
    let skip = go.reform(|_: MouseEvent| STEPS + 1);
    let last = step == STEPS;
    html! {
        <section id="tour" class="tour" aria-label={tr!(language, "tour.label", step = step, steps = STEPS)}>
            // Above the text, whose height differs, so that they stay under the pointer.
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
