//! The board of a lesson: a search at its key step, with buttons to step through it.

use queens_core::{
    Event, Line, Placement, Queens, Rule, Size, Square, SquareState, Stepped, Tracer, Transform,
    first_difference,
};
use queens_state::board::{Row, SquareStyle};
use queens_state::learn::plan::Scene;
use queens_state::search::picture;
use queens_state::search::state::{Action, ExploreState};
use queens_state::search::why::why;
use yew::prelude::*;

use super::task::plain;
use crate::board::glyph::{Icon, icon_button};
use crate::board::marked_board::marked_board;
use crate::parts::code::with_code;
use crate::parts::link::Link;
use crate::parts::row_words::row_words;
use crate::place::{View, explore_address, use_address};
use crate::words::{
    Language, grouped, numbered_method, tr, transform_name, transforms, use_language,
};

#[derive(Clone, Properties, PartialEq)]
pub struct Props {
    pub method: Stepped,
    /// The method with which `method` is compared.
    pub after: Option<Stepped>,
    pub size: Size,
    /// The scene to show instead of the first step at which the methods differ.
    pub scene: Option<Scene>,
    /// Whether the registers of the current row are shown below the board.
    pub registers: bool,
}

/// The numbers of steps, of `after` and of `method`, after which the two first differ.
type FirstDifference = Option<[u64; 2]>;

/// Returns the initial step and the first difference. The initial step is that of the scene or, if
/// there is none, the first difference or else the first step that rejects a square.
fn initial_step(props: &Props) -> (u64, FirstDifference) {
    let &Props { method, after, size, ref scene, .. } = props;
    let differ = after.and_then(|after| first_difference([after, method], size));
    if let (Some([_, step]), None) = (differ, scene) {
        return (step, differ);
    }
    let mut tracer = Tracer::new(method, size);
    while let Some(step) = tracer.forward() {
        let is_here = match scene {
            Some(scene) => tracer.view().placed() == scene.queens,
            None => matches!(step.event, Event::Reject { .. }),
        };
        if is_here {
            break;
        }
    }
    (tracer.steps() + scene.as_ref().map_or(0, |scene| scene.on), differ)
}

/// Returns the state of a search after this number of steps.
fn at(method: Stepped, size: Size, step: u64) -> ExploreState {
    let mut state = ExploreState::new(method, size);
    state.apply(Action::MoveTo(step));
    state.work(&mut || true);
    state
}

/// The board, the sentence of its step and, at the first difference, what the other method does
/// there. The searches are short, so each state is found by searching again from the start.
#[component]
pub fn Steps(props: &Props) -> Html {
    let language = use_language();
    let (address, _) = use_address();
    let &Props { method, after, size, ref scene, registers } = props;
    let (begin, differ) = *use_memo(props.clone(), initial_step);
    // Relative to the initial step.
    let moved = use_state_eq(|| 0_i64);
    let is_first = *moved == 0;
    let state = at(method, size, begin.saturating_add_signed(*moved));
    let (step, view) = (state.snapshot().step, &state.snapshot().view);
    let button = |key: &str, icon: Icon, by: i64, enabled: bool| {
        let (setter, now) = (moved.setter(), *moved);
        let onclick = Callback::from(move |_: MouseEvent| setter.set(now + by));
        icon_button(None, tr!(language, key), icon, enabled, onclick)
    };
    let again = {
        let moved = moved.setter();
        Callback::from(move |_: MouseEvent| moved.set(0))
    };
    let label = tr!(language, "explanation.board", n = size, step = grouped(step));
    let other = match (after, differ) {
        (Some(after), Some([other, _])) if is_first && scene.is_none() => {
            Some(other_said(language, after, &at(after, size, other)))
        }
        _ => None,
    };
    let lead = lead(language, props, begin, differ);
    let scene = scene.as_ref().filter(|_| is_first);
    let mut rows = picture::rows(&state);
    hatch(&mut rows, method, view);
    Row::mark(&mut rows, scene.into_iter().flat_map(|scene| scene.squares.iter().copied()));
    let image = match (state.snapshot().event, view.placement()) {
        (Some(Event::Compare { transform, .. }), Some(solution)) => {
            Some(image(language, transform, &transform.apply(&solution)))
        }
        _ => None,
    };
    html! {
        <section class="lesson-step" aria-labelledby="where">
            <h2 id="where">{ tr!(language, "lesson.where") }</h2>
            if let Some(lead) = lead { <p id="differs">{ lead }</p> }
            <figure class="lesson-figure" data-testid="figure" data-step={step.to_string()}>
                <div class="figure-board">
                    { marked_board(&rows, &label) }
                    if registers { { row_words(language, view) } }
                </div>
                <div class="lesson-said">
                    <div class="links">
                        { button("explore.back", Icon::Back, -1, step > 0) }
                        { button("explore.forward", Icon::Forward, 1, !state.is_done()) }
                        <span>{ tr!(language, "lesson.step", step = grouped(step)) }</span>
                        if !is_first {
                            <button id="first" type="button" onclick={again}>
                                { tr!(language, "lesson.to-first", step = grouped(begin)) }
                            </button>
                        }
                        <Link to={explore_address(&address, method, size, step)} id="to-step">
                            { tr!(language, "explanation.open", view = View::Explore.name(language)) }
                        </Link>
                    </div>
                    <p id="step-said" class="statement" aria-live="polite">{ why(language, state.snapshot()) }</p>
                    if let Some(other) = other { <p id="other-said" class="soft">{ other }</p> }
                    if let Some(scene) = scene { <p id="scene">{ with_code(&scene.why) }</p> }
                    { for image }
                    <p id="signs" class="soft">{ signs(language, method, &rows) }</p>
                </div>
            </figure>
        </section>
    }
}

/// Describes the step of the other method.
fn other_said(language: Language, method: Stepped, state: &ExploreState) -> String {
    let why = why(language, state.snapshot());
    tr!(language, "lesson.other", method = numbered_method(language, method), why = why)
}

/// Introduces the initial step: how it relates to the first difference from the other method.
fn lead(language: Language, props: &Props, begin: u64, differ: FirstDifference) -> Option<String> {
    let &Props { after, size, ref scene, .. } = props;
    let (name, step) = (numbered_method(language, after?), grouped(begin));
    Some(match (differ, scene) {
        (None, _) => tr!(language, "lesson.never", method = name, n = size, step = step),
        (Some(_), None) => tr!(language, "lesson.differs", n = size, method = name, step = step),
        (Some([_, first]), Some(_)) => {
            let first = grouped(first);
            tr!(language, "lesson.clearer", n = size, method = name, first = first, step = step)
        }
    })
}

/// Renders the image with which a solution is compared.
fn image(language: Language, transform: Transform, image: &Placement) -> Html {
    let queens = Queens::from(image);
    let name = transform_name(language, transform);
    let noun = transforms::transform(language, transform);
    let label = tr!(language, "symmetries.image-label", name = noun, columns = image);
    html! {
        <div id="image" class="lesson-image">
            <span>{ tr!(language, "lesson.image", name = name) }</span>
            { marked_board(&plain(&queens, None), &label) }
        </div>
    }
}

/// Whether a method checks a line before the board is full.
fn checks_line(method: Stepped, line: Line) -> bool {
    match method {
        Stepped::BruteForce => false,
        Stepped::Permutations => line == Line::Down,
        _ => true,
    }
}

/// Hatches the squares, from the current row down, that queens above attack on lines that the method
/// checks. In the current row these are the squares that the search skips.
fn hatch(rows: &mut [Row], method: Stepped, view: &queens_core::View) {
    let queens = view.placed();
    for row in rows.iter_mut().filter(|row| row.row >= view.row) {
        let squares = Square::of_row(view.size, row.row);
        for (square, style) in squares.zip(&mut row.squares).filter(|(_, style)| !style.is_queen())
        {
            let mut above = queens.squares().filter(|queen| queen.row() < row.row);
            let is_checked =
                |queen| Line::between(queen, square).is_some_and(|line| checks_line(method, line));
            if above.any(is_checked) {
                style.state = SquareState::Attacked;
            } else if style.is_attacked() {
                style.state = SquareState::Open;
            }
        }
    }
}

/// Returns the legend of the signs that occur on a board.
fn signs(language: Language, method: Stepped, rows: &[Row]) -> String {
    let is_there = |is: fn(&SquareStyle) -> bool| rows.iter().flat_map(|row| &row.squares).any(is);
    let is_half = |square: &SquareStyle| square.closed() == Some(Rule::Half);
    let is_rule = |square: &SquareStyle| square.closed().is_some_and(|rule| rule != Rule::Half);
    let mut texts = vec![tr!(language, "lesson.signs")];
    texts.extend(is_there(SquareStyle::is_attacked).then(|| tr!(language, "lesson.signs-hatched")));
    let is_of_columns = method == Stepped::Permutations;
    texts.extend(is_of_columns.then(|| tr!(language, "lesson.signs-columns")));
    texts.push(tr!(language, "lesson.signs-row"));
    texts.extend(is_there(is_half).then(|| tr!(language, "lesson.signs-half")));
    texts.extend(is_there(is_rule).then(|| tr!(language, "lesson.signs-rules")));
    texts.extend(
        is_there(|square| square.cell.is_some()).then(|| tr!(language, "lesson.signs-cells")),
    );
    texts.join(language.space())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_legend_mentions_hatching_only_if_present() {
        let size = Size::new(4).unwrap();
        let legend = |method: Stepped, step: u64| {
            let state = at(method, size, step);
            let mut rows = picture::rows(&state);
            hatch(&mut rows, method, &state.snapshot().view);
            let hatched = rows.iter().flat_map(|row| &row.squares).any(SquareStyle::is_attacked);
            let texts = Language::ALL.map(|language| signs(language, method, &rows));
            let says = [("Hatched", 0), ("斜線", 1)].map(|(word, at)| texts[at].contains(word));
            assert_eq!(says, [hatched; 2], "{texts:?}");
            hatched
        };
        assert!((0..40).all(|step| !legend(Stepped::BruteForce, step)));
        assert!((0..40).any(|step| legend(Stepped::Backtracking, step)));
    }
}
