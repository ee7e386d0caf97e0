//! Hints on demand: the number of solutions with a queen on each square, and the proof that no solution
//! contains the queens.

use std::rc::Rc;

use gloo_timers::callback::Timeout;
use queens_core::{Queens, Square, Unit};
use queens_state::search::refutation::{ProofStep, Reason, refutation};
use queens_state::search::square_counts::{CountState, SquareCounts};
use yew::prelude::*;

use super::words;
use crate::board::glyph::{Icon, icon_button};
use crate::browser::{focus, prefers_reduced_motion};
use crate::words::{Language, tr};

/// The number of steps of the count between two pauses: a few milliseconds.
const SLICE: u64 = 20_000;

/// The pause between two steps of a proof, in milliseconds.
const PAUSE: u32 = 1_500;

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

/// The hints of a board.
#[derive(Clone)]
pub struct Hints {
    /// The numbers of solutions on the squares; `None` unless they are shown.
    counts: Option<Rc<SquareCounts>>,
    /// Shows or hides the numbers.
    toggle: Callback<MouseEvent>,
    /// The proof, if no solution contains the queens.
    proof: Option<Proof>,
}

/// The proof that no solution contains the queens, and the state of its display.
#[derive(Clone)]
struct Proof {
    /// The steps; `None` if the proof is too long.
    steps: Rc<Option<Vec<ProofStep>>>,
    /// The index of the displayed step; `None` if the proof is not open.
    at: Option<usize>,
    /// Shows another step, or closes the proof.
    show: Callback<Option<usize>>,
    /// Whether the steps advance by themselves.
    is_playing: bool,
}

impl Hints {
    /// The step of the proof that is shown.
    pub fn step(&self) -> Option<&ProofStep> {
        let proof = self.proof.as_ref()?;
        proof.steps.as_ref().as_ref()?.get(proof.at?)
    }

    /// The row or column in which the step finds no free square.
    pub fn blocked(&self) -> Option<Unit> {
        match self.step()?.reason {
            Reason::Blocked { unit, .. } => Some(unit),
            _ => None,
        }
    }

    /// The number of solutions with a queen on this square, if the numbers are shown.
    pub fn left_on(&self, square: Square) -> Option<u64> {
        self.counts.as_ref()?.on(square)
    }

    /// Renders the button for the numbers and, if there is a proof, its button or its current step.
    pub fn view(&self, language: Language) -> Html {
        html! {
            <>
                { numbers(language, self.counts.as_deref(), self.toggle.clone()) }
                { for self.proof.as_ref().map(|shown| proof(language, shown)) }
            </>
        }
    }
}

/// Returns the hints for a board. If it `is_hopeless`, which means that no solution contains its queens,
/// the hints include the proof.
#[hook]
pub fn use_hints(queens: Queens, is_hopeless: bool) -> Hints {
    let is_shown = use_state_eq(|| false);
    let counts = use_square_counts(queens, *is_shown);
    let proof = use_proof(queens, is_hopeless);
    let toggle = Callback::from(move |_: MouseEvent| is_shown.set(!*is_shown));
    Hints { counts, toggle, proof: is_hopeless.then_some(proof) }
}

/// Returns the proof that no solution contains the queens, which has no steps unless the board
/// `is_hopeless`.
#[hook]
fn use_proof(queens: Queens, is_hopeless: bool) -> Proof {
    let steps = use_memo((queens, is_hopeless), |&(queens, is_hopeless)| {
        is_hopeless.then(|| refutation(&queens)).flatten()
    });
    // The queens whose proof is open, the index of its step, and whether it plays.
    let open = use_state_eq(|| None::<(Queens, usize, bool)>);
    let current = open.filter(|(board, ..)| *board == queens && is_hopeless);
    let last = steps.as_ref().as_ref().map_or(0, Vec::len).saturating_sub(1);
    let setter = open.setter();
    use_effect_with((current, last), move |&(current, last)| {
        let next = current.filter(|&(_, at, is_playing)| is_playing && at < last);
        let timer = next.map(|(queens, at, _)| {
            Timeout::new(PAUSE, move || setter.set(Some((queens, at + 1, true))))
        });
        move || drop(timer)
    });
    let setter = open.setter();
    let is_open = current.is_some();
    // The id of the element that takes the focus of a button that disappears or is disabled.
    let next_focus = use_mut_ref(|| None::<&'static str>);
    let at = current.map(|(_, at, _)| at);
    {
        let next_focus = Rc::clone(&next_focus);
        use_effect_with(at, move |_| {
            if let Some(id) = next_focus.take() {
                focus(id);
            }
        });
    }
    let show = Callback::from(move |at: Option<usize>| {
        *next_focus.borrow_mut() = match at {
            None => Some("why-hopeless"),
            Some(_) if !is_open => Some("proof-title"),
            Some(0) => Some("proof-forward"),
            Some(at) if at == last => Some("proof-back"),
            Some(_) => None,
        };
        // The first click starts playback, and a step by the user stops it.
        let plays = !is_open && !prefers_reduced_motion();
        setter.set(at.map(|at| (queens, at, plays)));
    });
    Proof { steps, at, show, is_playing: current.is_some_and(|(.., plays)| plays) }
}

/// Renders the button that shows the numbers, and a sentence about their state.
fn numbers(
    language: Language,
    counts: Option<&SquareCounts>,
    toggle: Callback<MouseEvent>,
) -> Html {
    let said = match counts.map(SquareCounts::state) {
        None => String::new(),
        Some(CountState::Running) => tr!(language, "play.counting"),
        Some(CountState::Done) => tr!(language, "play.left-said"),
        Some(CountState::GaveUp) => tr!(language, "play.left-too-many"),
    };
    html! {
        <div class="play-hint">
            <button id="show-left" type="button" aria-pressed={counts.is_some().to_string()} onclick={toggle}>
                { tr!(language, "play.left") }
            </button>
            <p id="left-said" class="soft" role="status">{ said }</p>
        </div>
    }
}

/// Renders the button that opens the proof or, once it is open, its current step.
fn proof(language: Language, proof: &Proof) -> Html {
    let Proof { steps, at, show, is_playing } = proof;
    let show_at = |at: Option<usize>| show.reform(move |_: MouseEvent| at);
    let Some(steps) = steps.as_ref() else {
        return html! { <p id="proof-too-long" class="soft">{ tr!(language, "play.proof-too-long") }</p> };
    };
    let Some((at, step)) = at.and_then(|at| Some((at, steps.get(at)?))) else {
        return html! {
            <p><button id="why-hopeless" type="button" onclick={show_at(Some(0))}>{ tr!(language, "play.why-hopeless") }</button></p>
        };
    };
    let last = steps.len() - 1;
    // While the steps advance by themselves, screen readers announce only the last one.
    let live = if *is_playing && at < last { "off" } else { "polite" };
    let buttons = [
        ("proof-back", "explore.back", Icon::Back, at.saturating_sub(1)),
        ("proof-forward", "explore.forward", Icon::Forward, (at + 1).min(last)),
    ];
    let buttons = buttons.map(|(id, name, icon, to)| {
        icon_button(Some(id), tr!(language, name), icon, to != at, show_at(Some(to)))
    });
    html! {
        <section id="proof" class="follows" aria-labelledby="proof-title" data-step={at.to_string()} data-last={last.to_string()}>
            <h2 id="proof-title" tabindex="-1">{ tr!(language, "play.why-hopeless") }</h2>
            <div class="links">
                { for buttons }
                <span class="soft">{ format!("{} / {}", at + 1, last + 1) }</span>
                <button id="proof-close" type="button" onclick={show_at(None)}>{ tr!(language, "play.hide") }</button>
            </div>
            <p id="proof-said" class="statement" aria-live={live}>
                { words::reason(language, step.reason) }
            </p>
        </section>
    }
}
