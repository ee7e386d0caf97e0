//! A hint on demand: the number of solutions with a queen on each square. The view adds what follows from the queens.

use std::rc::Rc;

use gloo_timers::callback::Timeout;
use queens_core::{Puzzle, Queens, Square};
use yew::prelude::*;

use super::model::square_counts::{CountState, SquareCounts};
use crate::words::{Language, tr};

/// The number of steps of the count between two pauses: a few milliseconds.
const SLICE: u64 = 20_000;

/// Counts the solutions with a queen on each square while `is_wanted`. The first slice is done at once,
/// so the hints of small boards appear without a pause.
#[hook]
fn use_square_counts(queens: Queens, is_wanted: bool) -> Option<Rc<SquareCounts>> {
    let counted = use_state(|| None::<(Queens, Rc<SquareCounts>)>);
    let first = use_memo((queens, is_wanted), |&(queens, is_wanted)| {
        is_wanted.then(|| {
            let mut counts = SquareCounts::new(&queens);
            counts.work(SLICE);
            Rc::new(counts)
        })
    });
    let now = match &*counted {
        Some((board, counts)) if *board == queens && is_wanted => Some(Rc::clone(counts)),
        _ => (*first).clone(),
    };
    let is_running = now.as_ref().is_some_and(|now| now.state() == CountState::Running);
    // Each slice ends with a new count at another address, so the effect runs again.
    let slice = now.as_ref().map(Rc::as_ptr).filter(|_| is_running);
    let setter = counted.setter();
    let current = now.clone();
    use_effect_with(slice, move |_| {
        let timer = current.filter(|_| is_running).map(|counts| {
            Timeout::new(0, move || {
                let mut counts = (*counts).clone();
                counts.work(SLICE);
                setter.set(Some((queens, Rc::new(counts))));
            })
        });
        move || drop(timer)
    });
    now
}

/// The hint of a board.
#[derive(Clone)]
pub struct Hint {
    /// The numbers of solutions on the squares; `None` unless they are shown.
    counts: Option<Rc<SquareCounts>>,
    /// Shows or hides the numbers.
    toggle: Callback<MouseEvent>,
}

impl Hint {
    /// Whether the user has asked for the hint.
    pub fn is_shown(&self) -> bool {
        self.counts.is_some()
    }

    /// The number of solutions with a queen on this square, if the numbers are shown.
    pub fn left_on(&self, square: Square) -> Option<u64> {
        self.counts.as_ref()?.on(square)
    }

    /// Renders the button that shows the numbers.
    pub fn button(&self, language: Language) -> Html {
        html! {
            <button
                key="left" id="show-left" type="button" aria-pressed={self.is_shown().to_string()}
                onclick={&self.toggle}
            >
                { tr!(language, "play.left") }
            </button>
        }
    }

    /// Renders a sentence about the state of the numbers.
    pub fn sentence(&self, language: Language) -> Html {
        let said = match self.counts.as_deref().map(SquareCounts::state) {
            None => String::new(),
            Some(CountState::Running) => tr!(language, "play.counting"),
            Some(CountState::Done) => tr!(language, "play.left-said"),
            Some(CountState::GaveUp) => tr!(language, "play.left-too-many"),
        };
        html! { <p id="left-said" class="soft" role="status">{ said }</p> }
    }
}

/// Returns the hint for a board. Another puzzle begins without it, because it gives the solution away.
#[hook]
pub fn use_hint(queens: Queens, puzzle: Option<Puzzle>) -> Hint {
    let shown_for = use_state_eq(|| None::<Option<Puzzle>>);
    let is_shown = *shown_for == Some(puzzle);
    let counts = use_square_counts(queens, is_shown);
    let toggle = Callback::from(move |_: MouseEvent| shown_for.set((!is_shown).then_some(puzzle)));
    Hint { counts, toggle }
}
