//! Two methods in lock step, from one common solution to the next.

use queens_core::{Placement, Size, Stepped};
use queens_state::search::state::Action;
use yew::prelude::*;

use super::numbers::{COUNTERS, count_text, ratio};
use crate::board::marked_board::marked_board;
use crate::parts::comparison;
use crate::words::{Language, grouped, method_name, numbered_method, tr};
use crate::worker::{Answer, CommonSolution, Effort, Job, JobState, Request, use_job};

#[derive(Properties, PartialEq)]
pub struct Props {
    /// The method on the board.
    pub method: Stepped,
    /// The other method.
    pub with: Stepped,
    pub size: Size,
    pub language: Language,
    /// The common solution to show, from 1. A number beyond the last one means the end. `None`
    /// means the last common solution that the board's search has reached.
    pub common: Option<u64>,
    /// Jumps to a common solution, or follows the board.
    pub go: Callback<Option<u64>>,
    /// The step of the board.
    pub at: u64,
    /// Whether the board plays. The comparison follows the board's step only while the board is paused.
    pub playing: bool,
    /// Jumps to a step.
    pub act: Callback<Action>,
}

/// The positions of both methods.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Standing {
    efforts: [Effort; 2],
    /// The number of common solutions that both methods have reached.
    common: u64,
    /// The last of these solutions.
    solution: Option<Placement>,
}

impl Standing {
    /// The position before the first step.
    const START: Standing = Standing { efforts: [Effort::NONE; 2], common: 0, solution: None };

    fn has_ended(&self) -> bool {
        self.efforts.iter().all(|effort| effort.has_ended)
    }
}

/// Whether the methods are moving.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Motion {
    /// On the way to a solution or to the end.
    Going,
    /// Stopped on the way by the user.
    Stopped,
    /// At the target.
    There,
}

/// Two methods side by side.
#[component]
pub fn Pair(props: &Props) -> Html {
    let &Props { method, with, size, language, .. } = props;
    // The position at the start is known, so nothing is requested until the user leaves the start.
    let has_left = use_mut_ref(|| false);
    let at = use_mut_ref(|| props.at);
    if !props.playing {
        at.replace(props.at);
    }
    let to =
        props.common.map_or_else(|| CommonSolution::UpToStep(*at.borrow()), CommonSolution::Number);
    *has_left.borrow_mut() |=
        !matches!(to, CommonSolution::Number(0) | CommonSolution::UpToStep(0));
    let target = Some(to).filter(|_| *has_left.borrow());
    let request = target.map(|to| Request::Compare { first: method, second: with, size, to });
    let Job { answer, state, stop, restart } =
        use_job(request, |standing: &mut Option<Standing>, answer| match answer {
            Answer::Compared { efforts, common, solution, is_there } => {
                *standing = Some(Standing { efforts, common, solution });
                is_there
            }
            _ => false,
        });
    // The previous position is shown until the first answer to a new request.
    let last = use_mut_ref(|| Standing::START);
    let standing = answer.unwrap_or_else(|| *last.borrow());
    last.replace(standing);
    let motion = match state {
        JobState::Stopped => Motion::Stopped,
        state if target.is_some() && state.is_active() => Motion::Going,
        _ => Motion::There,
    };
    let go = |number: u64| {
        let (go, restart) = (props.go.clone(), restart.clone());
        Callback::from(move |event: MouseEvent| {
            if target == Some(CommonSolution::Number(number)) {
                restart.emit(event);
            } else {
                go.emit(Some(number));
            }
        })
    };
    let button = |id: &'static str, text: String, enabled: bool, onclick: Callback<MouseEvent>| {
        let disabled = !enabled || motion == Motion::Going;
        html! { <button {id} type="button" {onclick} {disabled}>{ text }</button> }
    };
    let Standing { common, efforts: [Effort { steps, .. }, _], .. } = standing;
    let has_more = !standing.has_ended();
    let show = props.act.reform(move |_: MouseEvent| Action::MoveTo(steps));
    let follows = props.common.is_none();
    let follow = props.go.reform(|_: MouseEvent| None);
    html! {
        <>
            <p id="compare-said" role="status">{ status_sentence(language, &standing, motion) }</p>
            if follows { <p id="compare-follows" class="soft">{ tr!(language, "compare.follows") }</p> }
            { for boards(props, &standing, motion) }
            <div class="button-line">
                { button("compare-back", tr!(language, "compare.previous"), common > 0, go(common.saturating_sub(1))) }
                { button("compare-next", tr!(language, "compare.next"), has_more, go(common + 1)) }
                { button("compare-end", tr!(language, "compare.end"), has_more, go(u64::MAX)) }
                <button id="compare-follow" type="button" onclick={follow} aria-pressed={follows.to_string()}>
                    { tr!(language, "compare.follow") }
                </button>
                if motion == Motion::Going {
                    <button id="compare-stop" type="button" onclick={stop}>{ tr!(language, "explore.stop") }</button>
                } else if steps > 0 {
                    <button id="compare-show" type="button" onclick={show}>{ tr!(language, "compare.show") }</button>
                }
            </div>
            { work(language, [method, with], &standing) }
        </>
    }
}

/// The last common solution on two boards, with the step of each method.
fn boards(props: &Props, standing: &Standing, motion: Motion) -> Option<Html> {
    let &Props { method, with, language, .. } = props;
    let queens = standing.solution?;
    let is_at_solution = motion == Motion::There && !standing.has_ended();
    let boards = [method, with].into_iter().zip(&standing.efforts).map(|(each, effort)| {
        let name = numbered_method(language, each);
        let step = grouped(effort.steps);
        let what = if is_at_solution {
            tr!(language, "compare.stands", step = step)
        } else {
            tr!(language, "compare.went-on", step = step)
        };
        html! {
            <figure data-step={effort.steps.to_string()}>
                {
                    marked_board(
                        &comparison::solved(each, &queens),
                        &[&*name, &*what, &*queens.to_string()].join(language.colon()),
                    )
                }
                <figcaption>{ name }<br />{ what }</figcaption>
            </figure>
        }
    });
    Some(
        html! { <div class={classes!("pair", (!is_at_solution).then_some("left"))}>{ for boards }</div> },
    )
}

/// Describes the positions of both methods.
fn status_sentence(language: Language, standing: &Standing, motion: Motion) -> String {
    let &Standing { efforts: [first, second], common, .. } = standing;
    let (first, second) = (grouped(first.steps), grouped(second.steps));
    match motion {
        Motion::Going => {
            tr!(language, "compare.on-the-way", first = first, second = second)
        }
        Motion::Stopped => tr!(language, "compare.stopped", first = first, second = second),
        Motion::There if standing.has_ended() && common == 0 => tr!(language, "compare.none"),
        Motion::There if standing.has_ended() => {
            tr!(language, "compare.ended", count = grouped(common))
        }
        Motion::There if common > 0 => tr!(language, "compare.at", number = grouped(common)),
        Motion::There => tr!(language, "compare.start"),
    }
}

/// The work counters of both methods.
fn work(language: Language, methods: [Stepped; 2], standing: &Standing) -> Html {
    let [first, second] = &standing.efforts;
    let rows = COUNTERS.iter().map(|(name, counter)| {
        let (first, second) = (counter(first), counter(second));
        html! {
            <tr>
                <th scope="row">{ tr!(language, name) }</th>
                <td data-count={first.to_string()}>{ count_text(name, methods[0], first) }</td>
                <td data-count={second.to_string()}>{ count_text(name, methods[1], second) }</td>
                <td>{ ratio(first, second) }</td>
            </tr>
        }
    });
    let names = methods.map(|method| {
        html! { <th scope="col">{ method_name(language, method) }</th> }
    });
    html! {
        <div class="scroll">
            <table id="compare-work" class="work">
                <thead>
                    <tr><td></td>{ for names }<th scope="col">{ tr!(language, "compare.ratio") }</th></tr>
                </thead>
                <tbody>{ for rows }</tbody>
            </table>
        </div>
    }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use queens_core::{Event, LockStep, Seek, Tracer};

    use super::*;
    use crate::parts::rendered::{Tag, elements, rendered};

    fn standing(pair: &LockStep) -> Standing {
        let efforts = [0, 1].map(|side| {
            let search = &pair.searches()[side];
            let work = search.work();
            Effort {
                steps: search.steps(),
                placed: work.placed,
                looked_at: work.looked_at,
                attacked: work.attacked,
                cut: work.cut.iter().sum(),
                comparisons: work.comparisons,
                solutions: work.tally.met(),
                has_ended: search.is_done(),
            }
        });
        Standing { efforts, common: pair.common(), solution: pair.solution() }
    }

    #[test]
    fn shows_the_position_and_the_work_of_both_methods() {
        let size = Size::new(7).unwrap();
        for methods in [
            [Stepped::Symmetry, Stepped::Bitmap],
            [Stepped::Symmetry, Stepped::SideCuts],
            [Stepped::Bitmap, Stepped::FlagsSymmetryHalf],
        ] {
            let mut pair = LockStep::new(methods, size);
            let mut seen = 0;
            loop {
                let standing = standing(&pair);
                let has_ended = standing.has_ended();
                for language in Language::ALL {
                    check(language, methods, &pair, &standing);
                }
                seen += 1;
                if has_ended {
                    break;
                }
                pair.forward(u64::MAX);
            }
            assert!(seen > 2, "{methods:?}");
        }
    }

    /// Fails unless the sentence, the boards and the table agree with the core.
    fn check(language: Language, methods: [Stepped; 2], pair: &LockStep, standing: &Standing) {
        let number = standing.common;
        let [at, ended] = match language {
            Language::English => [
                format!("show the same solution, number {number} of"),
                format!("Solutions that both methods keep: {number}."),
            ],
            Language::Japanese => [
                format!("両方が残す解のうち、{number} 番目です"),
                format!("両方が残す解は {number} 個です。"),
            ],
        };
        let start = match language {
            Language::English => "Both searches are at step 0.".to_owned(),
            Language::Japanese => "どちらの探索もステップ 0 です。".to_owned(),
        };
        let expected = match (standing.has_ended(), number) {
            (true, _) => ended,
            (false, 0) => start,
            (false, _) => at,
        };
        let text = crate::words::plain(&status_sentence(language, standing, Motion::There));
        assert!(text.contains(&expected), "{text}: {expected}");
        let [method, with] = methods;
        let size = pair.searches()[0].view().size;
        let props = Props {
            method,
            with,
            size,
            language,
            common: None,
            go: Callback::noop(),
            at: 0,
            playing: false,
            act: Callback::noop(),
        };
        let html = html! { <>{ for boards(&props, standing, Motion::There) }{ work(language, methods, standing) }</> };
        let html = rendered(language, html);
        let boards = elements(&html, "class=\"marked-board");
        assert_eq!(boards.len(), if standing.solution.is_some() { 2 } else { 0 });
        for (board, effort) in boards.iter().zip(standing.efforts) {
            let label = board.attribute("aria-label").unwrap();
            let steps = grouped(effort.steps);
            let [here, passed] = match language {
                Language::English => [
                    format!("is here at step {steps}"),
                    format!("has passed this last solution kept by both and is at step {steps}"),
                ],
                Language::Japanese => [
                    format!("ここではステップ {steps}"),
                    format!("両方が残す最後の解を過ぎて、いまはステップ {steps}"),
                ],
            };
            let expected = if standing.has_ended() { passed } else { here };
            assert!(label.contains(&expected), "{label}");
            assert!(label.ends_with(&standing.solution.unwrap().to_string()), "{label}");
        }
        let rows = elements(&html, "tr");
        let rows: Vec<Vec<String>> = rows
            .iter()
            .map(|row| elements(row.inner(), "td").iter().map(Tag::content).collect())
            .filter(|row: &Vec<String>| row.len() == 3)
            .collect();
        let [first, second] = standing.efforts;
        let expected: Vec<_> = COUNTERS
            .iter()
            .map(|(name, counter)| {
                let (first, second) = (counter(&first), counter(&second));
                let [shown, other] = [(method, first), (with, second)]
                    .map(|(each, count)| count_text(name, each, count));
                vec![shown, other, ratio(first, second)]
            })
            .collect();
        assert_eq!(rows, expected);
    }

    /// A method that counts classes finds more solutions than it keeps, and only those that both
    /// methods keep are in common.
    #[test]
    fn common_solutions_are_those_that_both_methods_keep() {
        let (size, method) = (Size::new(6).unwrap(), Stepped::FlagsSymmetry);
        let (mut found, mut kept) = (0, 0);
        let mut search = Tracer::new(method, size);
        while let Some(event) = search.forward().map(|step| step.event) {
            let is_full = matches!(event, Event::Place { row, .. } if row == size.last());
            found += u64::from(is_full && search.view().placement().is_some());
            kept += u64::from(matches!(event, Event::Solution { .. }));
        }
        let mut pair = LockStep::new([method, Stepped::Bitmap], size);
        while pair.forward(u64::MAX) == Seek::Found {}
        assert_eq!((found, kept, pair.common()), (4, 1, 1));
        let at = Standing { common: 1, ..Standing::START };
        let ended = Effort { has_ended: true, ..Effort::NONE };
        let end = Standing { efforts: [ended; 2], ..at };
        for standing in [Standing::START, at, end] {
            let [en, ja] =
                Language::ALL.map(|each| status_sentence(each, &standing, Motion::There));
            assert!(!en.contains(" met ") && !en.contains("meet"), "{en}");
            assert!(!ja.contains("見つけ"), "{ja}");
        }
        let [en, ja] = Language::ALL.map(|each| status_sentence(each, &at, Motion::There));
        assert!(en.contains("keeps only the representative") && ja.contains("代表だけを残します"));
    }
}
