//! The exercise of a lesson.

use std::iter;

use queens_core::{Answer, Exercise, Method, Queens, Question, Square, SquareState};
use queens_state::board::{Row, SquareStyle};
use queens_state::learn::judge::ExerciseState;
use queens_state::search::picture;
use yew::prelude::*;

use super::board::Board;
use super::homework;
use super::progress;
use crate::board::marked_board::marked_board;
use crate::parts::link::Link;
use crate::place::{Address, explore_address, play_address, symmetries_address, use_address};
use crate::words::{Language, tr, transforms, use_language};

#[derive(Properties, PartialEq)]
pub struct Props {
    /// The method of the lesson.
    pub lesson: Method,
    /// The seed of the exercise.
    pub seed: u32,
}

/// The number of hints.
const HINTS: u32 = 2;

/// The user's work on an exercise.
#[derive(Clone, Default, PartialEq)]
struct Given {
    /// `None` until a square is marked or a choice is made.
    answer: Option<Answer>,
    /// Whether the current answer was checked.
    judged: bool,
    /// The number of hints shown.
    hints: u32,
}

/// The exercise: its question, board or choices, verdict, hints and links. Its key contains the
/// seed, so another exercise starts without an answer.
#[component]
pub fn TaskView(props: &Props) -> Html {
    let language = use_language();
    let (address, navigate) = use_address();
    let &Props { lesson, seed } = props;
    let task = use_memo((lesson, seed), |&(lesson, seed)| {
        Exercise::new(lesson, seed).map(ExerciseState::new)
    });
    let given = use_state_eq(Given::default);
    let Some(task) = &*task else { return html! {} };
    let now = (*given).clone();
    let answer = now.answer.as_ref();
    let right = now.judged && answer == Some(&task.exercise.answer);
    let is_empty = answer.is_none_or(|answer| task.is_empty(answer));
    let give = {
        let (given, now) = (given.setter(), now.clone());
        move |answer: Answer| {
            given.set(Given { answer: Some(answer), judged: false, ..now.clone() });
        }
    };
    let check = {
        let (given, now, right_answer) =
            (given.setter(), now.clone(), task.exercise.answer.clone());
        Callback::from(move |_: MouseEvent| {
            if now.answer.as_ref() == Some(&right_answer) {
                progress::note(lesson);
            }
            given.set(Given { judged: true, ..now.clone() });
        })
    };
    let hint = {
        let (given, now) = (given.setter(), now.clone());
        Callback::from(move |_: MouseEvent| {
            given.set(Given { hints: now.hints + 1, ..now.clone() });
        })
    };
    let another = {
        let (address, navigate, exercise) =
            (address.clone(), navigate.clone(), task.exercise.clone());
        Callback::from(move |_: MouseEvent| {
            // Homework stays at its level.
            let is_harder = right && address.homework.is_none();
            let seed = next_seed(lesson, seed, is_harder, &exercise);
            navigate.push(match address.homework {
                Some(homework) => homework::next(&address, homework, seed, right),
                None => Address { seed: Some(seed), ..(*address).clone() },
            });
        })
    };
    let hints = (0..now.hints)
        .map(|number| html! { <p class="lesson-hint">{ task.hint(language, number) }</p> });
    let to = open(&address, task);
    let (next_text, next_class) = homework::next_button(language, address.homework, right);
    html! {
        <section id="task" class="lesson-task" aria-labelledby="task-title" data-right={right.to_string()}>
            <h2 id="task-title">
                { tr!(language, "lesson.task") }
                <span id="level" class="soft">{ tr!(language, "lesson.level", level = Exercise::level(seed) + 1, all = Exercise::LEVELS) }</span>
            </h2>
            { for address.homework.map(|homework| homework::solved(language, homework, right)) }
            <p id="question" class="statement">{ task.question(language) }</p>
            { answers(language, task, answer, right, give) }
            <div class="lesson-answer">
                <div class="links">
                    <button id="check" type="button" class="primary" onclick={check}>{ tr!(language, "lesson.check") }</button>
                    <button id="hint" type="button" disabled={now.hints >= HINTS || right} onclick={hint}>
                        { if now.hints == 0 { tr!(language, "lesson.hint") } else { tr!(language, "lesson.more-hint") } }
                    </button>
                    <button id="another" type="button" class={next_class} onclick={another}>{ next_text }</button>
                    <Link id="to-board" class={classes!("lesson-open")} to={to.clone()}>
                        { tr!(language, "explanation.open", view = to.view.name(language)) }
                    </Link>
                </div>
                <div id="hints" aria-live="polite">{ for hints }</div>
                <p id="verdict" role="status" class={(!is_empty).then_some(if right { "is-right" } else { "is-wrong" })}>
                    if now.judged { { task.verdict(language, answer) } }
                </p>
            </div>
        </section>
    }
}

/// Returns the seed of the next exercise of a lesson, one level harder if `is_harder`. Skips seeds that
/// give the same exercise again, which happens because boards are small.
fn next_seed(lesson: Method, seed: u32, is_harder: bool, exercise: &Exercise) -> u32 {
    let first = Exercise::next_seed(seed, is_harder);
    let seeds = iter::successors(Some(first), |&seed| Some(Exercise::next_seed(seed, false)));
    let is_new = |&seed: &u32| Exercise::new(lesson, seed).as_ref() != Some(exercise);
    seeds.take(9).find(is_new).unwrap_or(first)
}

/// Returns the address that opens an exercise's board in another view.
fn open(address: &Address, task: &ExerciseState) -> Address {
    let board = task.exercise.board;
    match (task.exercise.search, board.placement()) {
        (Some((method, step)), _) => explore_address(address, method, board.size(), step),
        (None, Some(solution)) => symmetries_address(address, &solution),
        (None, None) => play_address(address, board),
    }
}

/// Renders the board to mark, or the choices.
fn answers(
    language: Language,
    task: &ExerciseState,
    answer: Option<&Answer>,
    right: bool,
    give: impl Fn(Answer) + Clone + 'static,
) -> Html {
    match task.exercise.answer {
        Answer::Squares(_) => {
            let marked = match answer {
                Some(&Answer::Squares(marked)) => marked,
                _ => Queens::none(task.exercise.size()),
            };
            let single = task.is_single();
            let toggle = Callback::from(move |square: Square| {
                let others = if single { Queens::none(square.size()) } else { marked };
                let was_marked = single && marked.contains(square);
                give(Answer::Squares(if was_marked { others } else { others.toggled(square) }));
            });
            html! { <Board rows={rows(task, right)} {marked} bits={task.shows_bits()} {toggle} /> }
        }
        Answer::Choice(_) => {
            let chosen = match answer {
                Some(&Answer::Choice(chosen)) => Some(chosen),
                _ => None,
            };
            let choices = (0..task.choices()).map(|number| {
                let give = give.clone();
                let onchange = Callback::from(move |_: Event| give(Answer::Choice(number)));
                let name = task.choice(language, number);
                let board = task.board(number).map(|queens| {
                    let columns = columns(&queens);
                    let label =
                        tr!(language, "lesson.choice-board", choice = name, columns = columns);
                    marked_board(&plain(&queens, None), &label)
                });
                html! {
                    <label class="lesson-choice" data-chosen={(chosen == Some(number)).to_string()}>
                        <span>
                            <input type="radio" name="choice" value={number.to_string()} checked={chosen == Some(number)} {onchange} />
                            { name }
                        </span>
                        { for board }
                    </label>
                }
            });
            let boards = if task.board(0).is_some() { "of-boards" } else { "" };
            let halves = matches!(task.exercise.question, Question::Fitting(_));
            html! {
                <div class={classes!("lesson-choices", halves.then_some("half-boards"))}>
                    if !matches!(task.exercise.question, Question::Smallest(_)) {
                        <div class="lesson-boards">{ for shown(language, task) }</div>
                    }
                    <fieldset class={boards} aria-labelledby="question">{ for choices }</fieldset>
                </div>
            }
        }
    }
}

/// Renders the boards that the choices refer to.
fn shown(language: Language, task: &ExerciseState) -> Vec<Html> {
    let board = &task.exercise.board;
    let placement = board.placement();
    // Half-board matching shows only an upper half.
    let key = if placement.is_some() { "symmetries.solution-plain" } else { "lesson.upper-half" };
    let label = tr!(language, key, columns = columns(board));
    let mut boards = vec![marked_board(&plain(board, None), &label)];
    if let (Question::Compare(transform), Some(solution)) = (&task.exercise.question, placement) {
        let image = Queens::from(&transform.apply(&solution));
        let name = transforms::transform(language, *transform);
        let label = tr!(language, "symmetries.image-label", name = name, columns = columns(&image));
        boards.push(marked_board(&plain(&image, None), &label));
    }
    boards
}

/// Returns the columns of queens, from the left, top row first.
fn columns(queens: &Queens) -> String {
    let columns: Vec<_> = queens.squares().map(|square| square.to_left().1.to_string()).collect();
    columns.join(" ")
}

/// Returns the board of an exercise. It shows only the queens until the answer is right, and then
/// the next queen or everything that the search shows at this step.
fn rows(task: &ExerciseState, right: bool) -> Vec<Row> {
    let board = &task.exercise.board;
    match (&task.state, &task.exercise.answer) {
        (_, Answer::Squares(next)) if right && task.asks_next_queen() => {
            let row = next.squares().next().map(Square::row);
            let above = board.squares().filter(|queen| Some(queen.row()) < row);
            plain(&above.fold(*next, Queens::toggled), row)
        }
        (Some(state), _) if right => picture::rows(state),
        _ => plain(board, task.row()),
    }
}

/// Returns a board with queens only.
pub fn plain(queens: &Queens, at_work: Option<u32>) -> Vec<Row> {
    Row::all(queens.size(), at_work, |square| SquareStyle {
        state: if queens.contains(square) { SquareState::Queen } else { SquareState::Open },
        ..SquareStyle::default()
    })
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;
    use crate::place::Homework;

    #[test]
    fn homework_does_not_repeat_the_exercise_that_was_solved() {
        let mut repeated = 0;
        for &lesson in Method::ALL {
            for level in 0..Exercise::LEVELS {
                let mut seed = Homework::seed(4_321, level);
                for _ in 0..Homework::MOST {
                    let exercise = Exercise::new(lesson, seed).unwrap();
                    let following = Exercise::next_seed(seed, false);
                    repeated += u32::from(Exercise::new(lesson, following).unwrap() == exercise);
                    seed = next_seed(lesson, seed, false, &exercise);
                    assert_ne!(Exercise::new(lesson, seed).unwrap(), exercise, "{lesson} {seed}");
                    assert_eq!(Exercise::level(seed), level);
                }
            }
        }
        assert!(repeated > 0, "no seed needs to be skipped");
    }
}
