//! The last solutions as small boards.

use queens_core::Size;
use queens_state::search::state::{Action, FoundSolution};
use yew::prelude::*;

use crate::board::mini_board::MiniBoard;
use crate::words::{grouped, tr, use_language};

#[derive(Properties, PartialEq)]
pub struct Props {
    pub size: Size,
    /// The current step.
    pub step: u64,
    /// The number of solutions found up to that step.
    pub count: u64,
    /// The last of these solutions, in the order in which they were found.
    pub solutions: Vec<FoundSolution>,
    /// Jumps to the step of a solution.
    pub act: Callback<Action>,
}

impl LastSolutions {
    /// The largest number of boards.
    pub const CAPACITY: usize = 24;
}

/// The number of solutions found, and a small board for each of the last ones, which leads to its
/// step. Style sheets hide the oldest boards if the row is too narrow for all. An empty row has the
/// same height, so the board keeps its size when the first solution appears.
#[component]
pub fn LastSolutions(props: &Props) -> Html {
    let language = use_language();
    let &Props { size, count, .. } = props;
    let boards = props.solutions.iter().map(|solution| {
        let &FoundSolution { number, step, placement } = solution;
        let act = props.act.reform(move |_: MouseEvent| Action::MoveTo(step));
        let name = tr!(
            language,
            "explore.found-at",
            number = grouped(number),
            step = grouped(step)
        );
        let current = (step == props.step).then_some("step");
        html! {
            <li key={number}>
                <button
                    type="button" class="shelf-board" onclick={act} aria-label={name} aria-current={current}
                    data-step={step.to_string()}
                >
                    <MiniBoard queens={placement} {size} />
                </button>
            </li>
        }
    });
    html! {
        <section class="shelf" aria-label={tr!(language, "explore.found")}>
            <p id="found" data-count={count.to_string()}>{ tr!(language, "explore.found-count", count = grouped(count)) }</p>
            if props.solutions.is_empty() {
                <p class="soft">{ tr!(language, "explore.found-none") }</p>
            }
            <ol>{ for boards }</ol>
        </section>
    }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use queens_core::Stepped;
    use queens_state::search::state::{ExploreState, Jump};

    use super::*;
    use crate::parts::rendered::{rendered, texts};
    use crate::words::Language;

    /// Renders the last solutions after an action.
    fn last_solutions(method: Stepped, action: Action, language: Language) -> String {
        let mut state = ExploreState::new(method, Size::new(8).unwrap());
        state.apply(action);
        state.work(&mut || true);
        let now = state.snapshot();
        let solutions = state.last_solutions(LastSolutions::CAPACITY).to_vec();
        let (size, step, count) = (now.view.size, now.step, now.work.tally.met());
        rendered(
            language,
            html! { <LastSolutions {size} {step} {count} {solutions} act={Callback::noop()} /> },
        )
    }

    #[test]
    fn is_empty_at_the_start() {
        let html = last_solutions(Stepped::Symmetry, Action::MoveTo(0), Language::English);
        assert_eq!(texts(&html), "0 found\nSolutions appear here as they are found.");
        let html = last_solutions(Stepped::Symmetry, Action::MoveTo(0), Language::Japanese);
        assert_eq!(texts(&html), "解 0 個\n見つかった解がここに並びます。");
    }

    #[test]
    fn has_a_named_board_for_each_solution() {
        let html = last_solutions(Stepped::Symmetry, Action::Next(Jump::End), Language::English);
        assert_eq!(texts(&html), "12 found");
        assert_eq!(html.matches("<button").count(), 12);
        assert_eq!(html.matches("class=\"queens\"").count(), 12);
        assert!(html.contains("aria-label=\"Solution 1 at step 304\""), "{html}");
        assert!(html.contains("aria-label=\"Solution 12 at step 1,666\""), "{html}");
        assert!(!html.contains("aria-current"));
        let html = last_solutions(Stepped::Symmetry, Action::MoveTo(304), Language::Japanese);
        assert_eq!(texts(&html), "解 1 個");
        assert!(
            html.contains("aria-label=\"解 1（ステップ 304）\" aria-current=\"step\""),
            "{html}"
        );
    }

    #[test]
    fn shows_only_the_last_of_many_solutions() {
        let html = last_solutions(Stepped::Bitmap, Action::Next(Jump::End), Language::English);
        assert_eq!(texts(&html), "92 found");
        assert_eq!(html.matches("<button").count(), 24);
        assert!(html.contains("Solution 69 at") && html.contains("Solution 92 at"));
    }
}
