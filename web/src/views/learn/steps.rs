//! The board of a lesson: a search at the step where its method first matters, and the ways on and
//! back.

use queens_core::{Event, Size, Stepped, Tracer, first_difference};
use yew::prelude::*;

use crate::board::glyph::{Icon, icon_button};
use crate::board::marked_board::marked_board;
use crate::parts::link::Link;
use crate::parts::search::picture;
use crate::parts::search::state::{Action, State};
use crate::parts::search::why::why;
use crate::place::{View, exploring, use_address};
use crate::words::{grouped, numbered_method, tr, use_language};

/// What the board needs.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// The method.
    pub method: Stepped,
    /// The one that it is compared with.
    pub after: Option<Stepped>,
    /// The board's side.
    pub size: Size,
}

/// The step after which the method has done something different, and that of the other one; without
/// another method, or where they never differ, the first step that closes a square.
fn first(method: Stepped, after: Option<Stepped>, size: Size) -> (u64, Option<u64>) {
    match after.and_then(|after| first_difference([after, method], size)) {
        Some([other, step]) => (step, Some(other)),
        None => {
            let mut tracer = Tracer::new(method, size);
            while let Some(step) = tracer.forward() {
                if let Event::Reject { .. } = step.event {
                    break;
                }
            }
            (tracer.steps(), None)
        }
    }
}

fn at(method: Stepped, size: Size, step: u64) -> State {
    let mut state = State::new(method, size);
    state.apply(Action::To(step));
    state.work(&mut || true);
    state
}

/// The board, the sentence of its step, and what the other method does at the same step. The
/// searches are short, so that each picture is made by searching anew.
#[component]
pub fn Steps(props: &Props) -> Html {
    let language = use_language();
    let (address, _) = use_address();
    let &Props { method, after, size } = props;
    let (begin, differs) =
        *use_memo((method, after, size), |&(method, after, size)| first(method, after, size));
    // Counted from where it begins.
    let moved = use_state_eq(|| 0_i64);
    let state = at(method, size, begin.saturating_add_signed(*moved));
    let step = state.snapshot().step;
    let button = |key: &str, icon: Icon, by: i64, enabled: bool| {
        let (setter, now) = (moved.setter(), *moved);
        let onclick = Callback::from(move |_: MouseEvent| setter.set(now + by));
        icon_button(None, tr!(language, key), icon, enabled, onclick)
    };
    let label = tr!(language, "explanation.board", n = size, step = grouped(step));
    let other = after.zip(differs).filter(|_| *moved == 0).map(|(after, step)| {
        let other = at(after, size, step);
        let name = numbered_method(language, after);
        tr!(language, "lesson.other", method = name, why = why(language, other.snapshot()))
    });
    let lead = match after {
        Some(after) if differs.is_some() => {
            let name = numbered_method(language, after);
            Some(tr!(language, "lesson.differs", n = size, method = name, step = grouped(begin)))
        }
        Some(_) => Some(tr!(language, "lesson.never")),
        None => None,
    };
    html! {
        <section class="lesson-step" aria-labelledby="where">
            <h2 id="where">{ tr!(language, "lesson.where") }</h2>
            if let Some(lead) = lead { <p id="differs">{ lead }</p> }
            <figure class="lesson-figure" data-testid="figure" data-step={step.to_string()}>
                { marked_board(&picture::rows(&state), &label) }
                <div class="lesson-said">
                    <div class="links">
                        { button("explore.back", Icon::Back, -1, step > 0) }
                        { button("explore.forward", Icon::Forward, 1, !state.is_done()) }
                        <Link to={exploring(&address, method, size, step)} id="to-step">
                            { tr!(language, "explanation.open", view = View::Explore.name(language)) }
                        </Link>
                    </div>
                    <p id="step-said" class="statement" aria-live="polite">{ why(language, state.snapshot()) }</p>
                    if let Some(other) = other { <p id="other-said" class="soft">{ other }</p> }
                </div>
            </figure>
        </section>
    }
}
