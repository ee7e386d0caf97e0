//! Explains the selected square.

use queens_core::{Queens, Square, SquareState, View};
use yew::prelude::*;

use super::pruned::PrunedSolution;
use crate::parts::term::TermLink;
use crate::search::sentences::{explain_square, square_terms};
use crate::views::explore::scene::{Message, Scene};
use crate::words::{Term, tr, transform_name};

/// Explains a square in the displayed state. The worker searches for a solution of a pruned branch only if the
/// square is pinned.
pub fn selected_square(scene: &Scene, square: Option<Square>, is_pinned: bool) -> Option<Html> {
    let Scene { language, ref displayed, ref send, .. } = *scene;
    let view = &displayed.snapshot.view;
    // The size may have changed since the square was selected.
    let square = square.filter(|square| square.size() == view.size)?;
    let sentence = explain_square(language, &displayed.snapshot, square);
    let branch = cut_branch(view, square);
    let image = branch.and_then(|_| view.smaller_image(square)).map(|transform| {
        let transform = transform_name(language, transform);
        tr!(language, "why.ask-smaller", transform = transform)
    });
    let pin_hint = branch.filter(|_| !is_pinned).map(|_| tr!(language, "why.ask-pin"));
    let value = image.is_some().then_some(Term::JUDGEMENT_VALUE);
    let terms = square_terms(&displayed.snapshot, square).chain(value);
    Some(html! {
        <div class="asked">
            <p id="asked">
                { sentence }
                if let Some(image) = image { { language.space() }<span id="asked-image">{ image }</span> }
                if let Some(hint) = pin_hint { { language.space() }{ hint } }
            </p>
            <p class="words">{ for terms.map(|word| html! { <TermLink {word}>{ word.name(language) }</TermLink> }) }</p>
            if let Some(queens) = branch.filter(|_| is_pinned) {
                <PrunedSolution {queens} {square} {language} find={send.reform(Message::Find)} />
            }
        </div>
    })
}

/// The queens of the branch that a rule prunes at a square. `None` if no rule closes the square, if
/// it has a queen, if a queen attacks it anyway, or while the first queens are lifted. Without the first
/// queens no smaller image is known, so a solution with a queen on the square may be a representative.
fn cut_branch(view: &View, square: Square) -> Option<Queens> {
    let state = view.square(square);
    let branch = view.branch(square);
    state.rule?;
    view.smaller_image(square)?;
    (state.state != SquareState::Queen && branch.conflicts().next().is_none()).then_some(branch)
}

#[cfg(test)]
mod tests {
    use super::*;
    use queens_core::{Completions, Size, Stepped, Timeline, Transform, representative};

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
