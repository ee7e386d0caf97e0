//! Explains the selected square. If a rule closes it, it also shows a solution of the pruned
//! branch.

use queens_core::{
    Node, Placement, Queens, Square, SquareState, Transform, View, images, notation, representative,
};
use queens_state::search::why::{explain_square, square_terms};
use yew::prelude::*;

use crate::board::mini_board::MiniBoard;
use crate::board::squares::SIDE;
use crate::browser::fits;
use crate::parts::completion::use_completion;
use crate::parts::link::Link;
use crate::parts::term::TermLink;
use crate::place::{Address, symmetries_address, use_address};
use crate::views::explore::board::drawing::ring;
use crate::views::explore::scene::{Message, Scene};
use crate::words::{Language, Term, tr, transform_name};
use crate::worker::{Job, JobState};

/// Explains a square in the displayed state, or says how to select one. A solution of a pruned branch
/// is searched only for a pinned square.
pub fn selected_square(scene: &Scene, square: Option<Square>, is_pinned: bool) -> Html {
    let Scene { language, ref displayed, ref send, .. } = *scene;
    let view = &displayed.snapshot.view;
    // The size may have changed since the square was selected.
    let Some(square) = square.filter(|square| square.size() == view.size) else {
        let hint = if fits("(pointer: coarse)") {
            tr!(language, "explore.ask-hint-touch")
        } else {
            tr!(language, "explore.ask-hint")
        };
        return html! { <p id="asked" class="asked unasked">{ hint }</p> };
    };
    let sentence = explain_square(language, &displayed.snapshot, square);
    let branch = cut_branch(view, square);
    let image = branch.and_then(|_| view.smaller_image(square)).map(|transform| {
        let transform = transform_name(language, transform);
        tr!(language, "witness.smaller", transform = transform)
    });
    let pin_hint = branch.filter(|_| !is_pinned).map(|_| tr!(language, "witness.pin"));
    let value = image.is_some().then_some(Term::JUDGEMENT_VALUE);
    let terms = square_terms(&displayed.snapshot, square).chain(value);
    html! {
        <>
            <p id="asked" class="asked">
                { sentence }
                if let Some(image) = image { { language.space() }<span id="asked-image">{ image }</span> }
                if let Some(hint) = pin_hint { { language.space() }{ hint } }
            </p>
            <p class="words">{ for terms.map(|word| html! { <TermLink {word}>{ word.name(language) }</TermLink> }) }</p>
            if let Some(queens) = branch.filter(|_| is_pinned) {
                <PrunedSolution {queens} {square} {language} find={send.reform(Message::Find)} />
            }
        </>
    }
}

/// The queens of the branch that a rule prunes at a square. `None` if no rule closes the square, if
/// an attack closes it anyway, or while the first queens are lifted. Without the first queens no
/// smaller image is known, so a solution with a queen on the square may be a representative.
fn cut_branch(view: &View, square: Square) -> Option<Queens> {
    let state = view.square(square);
    let branch = view.branch(square);
    state.rule?;
    view.smaller_image(square)?;
    (state.state != SquareState::Queen && branch.conflicts().next().is_none()).then_some(branch)
}

#[derive(Properties, PartialEq)]
struct Props {
    queens: Queens,
    /// The square of the pruned queen.
    square: Square,
    language: Language,
    /// Jumps to the step that finds a representative, given by its node.
    find: Callback<Node>,
}

/// A solution of a pruned branch and its representative, or the message that the branch has no
/// solution. The worker searches for it.
#[component]
fn PrunedSolution(props: &Props) -> Html {
    let Props { queens, square, language, ref find } = *props;
    let (address, _) = use_address();
    let Job { answer, state, stop, .. } = use_completion(Some((queens, 0)));
    match answer {
        Some(Some(solution)) => {
            solution_and_representative(language, solution, square, &address, find)
        }
        Some(None) => {
            html! { <p id="witness" data-found="none">{ tr!(language, "witness.none") }</p> }
        }
        None if state == JobState::Stopped => {
            html! { <p id="witness">{ tr!(language, "witness.stopped") }</p> }
        }
        None => html! {
            <p id="witness" data-found="searching">
                { tr!(language, "witness.searching") }{ " " }
                <button type="button" class="tiny" onclick={stop}>{ tr!(language, "explore.stop") }</button>
            </p>
        },
    }
}

/// A pruned solution and its representative, with the pruned queen marked in both, and links to the
/// step that finds the representative and to all images.
fn solution_and_representative(
    language: Language,
    solution: Placement,
    square: Square,
    address: &Address,
    find: &Callback<Node>,
) -> Html {
    let smallest = representative(&solution);
    let transform = images(&solution).into_iter().find(|(_, image)| *image == smallest);
    let transform = transform.map_or(Transform::Identity, |(transform, _)| transform);
    let name = transform_name(language, transform);
    // No method prunes a representative.
    let node = smallest
        .columns_from_right()
        .iter()
        .fold(Node::root(smallest.size()), |node, &column| node.below(column.into()));
    let to_step = find.reform(move |_: MouseEvent| node);
    let size = solution.size();
    let extent = size.get() * SIDE;
    let board = |id: &'static str, queens: Placement, square: Square, text: String| {
        let label = format!("{text}{}{queens}", language.colon());
        html! {
            <figure {id} data-queens={queens.to_string()}>
                <MiniBoard {size} {queens} {label} fine=true />
                <svg class="over" viewBox={format!("0 0 {extent} {extent}")} aria-hidden="true">{ ring(square) }</svg>
                <figcaption>
                    { text }
                    <span class="columns">{ tr!(language, "explore.columns") }{ language.colon() }</span>
                    <span class="mono">{ notation::write_columns(queens.columns_from_left()) }</span>
                    <span class="columns">{ tr!(language, "witness.value") }{ language.colon() }</span>
                    <span class="mono value">{ queens.judgement_value().to_string() }</span>
                </figcaption>
            </figure>
        }
    };
    html! {
        <div id="witness" class="witness" data-found="solution" data-transform={transform.id()}>
            <p>{ tr!(language, "witness.found", transform = name) }</p>
            <div class="pair">
                { board("witness-solution", solution, square, tr!(language, "witness.solution")) }
                { board("witness-representative", smallest, transform.square(square), tr!(language, "witness.representative")) }
            </div>
            <p class="button-line">
                <button id="witness-step" type="button" onclick={to_step}>{ tr!(language, "witness.step") }</button>
                <Link to={symmetries_address(address, &smallest)} id="witness-images" class="button">{ tr!(language, "witness.images") }</Link>
            </p>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use queens_core::{Completions, Size, Stepped, Timeline};

    #[test]
    fn finds_the_branches_of_closed_squares() {
        let mut timeline = Timeline::new(Stepped::Symmetry, Size::new(8).unwrap());
        timeline.seek(1650, u64::MAX);
        let view = timeline.view();
        let at = |row, column| Square::from_left(view.size, row, column).unwrap();
        assert_eq!(cut_branch(&view, at(0, 5)), None, "a queen stands there");
        assert_eq!(cut_branch(&view, at(4, 3)), None, "no rule closes it");
        let branch = cut_branch(&view, at(1, 0)).unwrap();
        assert_eq!(branch.squares().collect::<Vec<_>>(), [at(0, 5), at(1, 0)]);
        assert_eq!(view.smaller_image(at(1, 0)), Some(Transform::Turn90));
        assert!(Completions::new(&branch).next().is_some());
    }

    #[test]
    fn solutions_of_a_pruned_branch_are_not_representatives() {
        let mut timeline = Timeline::new(Stepped::Symmetry, Size::new(7).unwrap());
        let mut checked = 0;
        while timeline.forward().is_some() {
            let view = timeline.view();
            for square in Square::all(view.size) {
                let Some(branch) = cut_branch(&view, square) else { continue };
                for solution in Completions::new(&branch) {
                    assert_ne!(representative(&solution), solution, "step {}", timeline.step());
                    checked += 1;
                }
            }
        }
        assert!(checked > 0);
    }
}
