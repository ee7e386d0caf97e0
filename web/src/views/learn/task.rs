//! The exercise of a lesson.

use gloo_timers::callback::Timeout;
use queens_core::{Answer, Exercise, Method, Queens, Question, Square};
use yew::prelude::*;

use super::board::Board;
use super::homework;
use super::levels::levels;
use super::model::judge::ExerciseState;
use super::model::order::{next_course_seed, next_homework_seed};
use super::model::replay::{ReplayFrame, plain, replay};
use super::model::title::numbered_title;
use super::progress;
use crate::address::{Address, lesson_address, use_address};
use crate::board::Row;
use crate::board::marked_board::marked_board;
use crate::browser::{bring_into_view, focus, prefers_reduced_motion};
use crate::parts::link::Link;
use crate::words::{Language, tr, transforms, use_language};

#[derive(Properties, PartialEq)]
pub struct Props {
    pub lesson: Method,
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

/// The pause between two frames of a replay, in milliseconds.
const FRAME: u32 = 1_000;

/// The exercise: its question, board or choices, verdict and hints. A right answer plays the animation of the
/// question, if it has one; otherwise the board stays. The component's key contains the seed, so another exercise
/// starts unanswered.
#[component]
pub fn TaskView(props: &Props) -> Html {
    let language = use_language();
    let (address, _) = use_address();
    let &Props { lesson, seed } = props;
    let task = use_memo((lesson, seed), |&(lesson, seed)| {
        Exercise::new(lesson, seed).map(ExerciseState::new)
    });
    let given = use_state_eq(Given::default);
    let now = (*given).clone();
    let right = now.judged
        && task
            .as_ref()
            .as_ref()
            .is_some_and(|task| now.answer.as_ref().is_some_and(|answer| task.is_right(answer)));
    let frames = use_memo((language, right, lesson, seed), |&(language, right, ..)| {
        task.as_ref()
            .as_ref()
            .filter(|_| right)
            .map_or_else(Vec::new, |task| replay(language, task))
    });
    let frame = use_frame(frames.len());
    // On a phone, the verdict and the hints are below the window.
    use_effect_with(now.judged, |&judged| {
        if judged {
            bring_into_view("verdict");
        }
    });
    use_effect_with(now.hints, |&hints| {
        if hints > 0 {
            bring_into_view("hints");
        }
    });
    let Some(task) = &*task else { return html! {} };
    let shown = frames.get(frame);
    let said = said(&frames, frame);
    let answer = now.answer.as_ref();
    let give = {
        let (given, now) = (given.setter(), now.clone());
        move |answer: Answer| {
            given.set(Given { answer: Some(answer), judged: false, ..now.clone() });
        }
    };
    let level = Exercise::level(seed);
    html! {
        <section id="task" class="lesson-task" aria-labelledby="task-title" data-right={right.to_string()}>
            <h2 id="task-title" tabindex="-1">
                { tr!(language, "lesson.task") }
                <span id="level" class="soft">
                    { tr!(language, "lesson.level", level = level + 1, all = Exercise::LEVELS) }{ " " }
                    { levels(language, progress::known().levels(lesson)) }
                </span>
            </h2>
            { for address.homework.map(|homework| homework::solved(language, homework, right)) }
            <p id="question" class="statement">{ task.question(language) }</p>
            { answers(language, task, answer, shown, give) }
            <div class="lesson-answer">
                if let Answer::Squares(_) = task.exercise.answer {
                    <p id="board-keys" class="soft keyboard-hint">{ tr!(language, "lesson.keys") }</p>
                }
                <div class="links">
                    { buttons(language, props, task, &given, right) }
                </div>
                { feedback(language, task, &now, right) }
                { said }
            </div>
        </section>
    }
}

/// Returns the index of the frame that is shown. It advances by itself to the last frame; users who
/// prefer reduced motion see the last frame at once.
#[hook]
fn use_frame(count: usize) -> usize {
    let frame = use_state_eq(|| 0_usize);
    let last = count.saturating_sub(1);
    let setter = frame.setter();
    use_effect_with((*frame, last), move |&(now, last)| {
        let is_still = prefers_reduced_motion();
        let pause = if is_still { 0 } else { FRAME };
        let next = if is_still || now > last { last } else { now + 1 };
        let timer = (now != last).then(|| Timeout::new(pause, move || setter.set(next)));
        move || drop(timer)
    });
    (*frame).min(last)
}

/// The sentences of all frames, so that the reason can be read before and after it was shown. The one
/// about the board that is shown is marked.
fn said(frames: &[ReplayFrame], shown: usize) -> Html {
    let sentences = frames.iter().enumerate().map(|(number, frame)| {
        html! {
            <li key={number} aria-current={(number == shown).then_some("step")}>{ &frame.said }</li>
        }
    });
    html! {
        if !frames.is_empty() { <ol id="replayed" class="replayed">{ for sentences }</ol> }
    }
}

/// The hints and the verdict.
fn feedback(language: Language, task: &ExerciseState, now: &Given, right: bool) -> Html {
    let hints = (0..if right { 0 } else { now.hints })
        .map(|number| html! { <p class="lesson-hint">{ task.hint(language, number) }</p> });
    let is_empty = now.answer.as_ref().is_none_or(|answer| task.is_empty(answer));
    let class = (!is_empty).then_some(if right { "is-right" } else { "is-wrong" });
    html! {
        <>
            <p id="verdict" role="status" {class}>
                if now.judged { { task.verdict(language, now.answer.as_ref()) } }
            </p>
            // The verdict stays in its place, and a right answer needs no hints.
            <div id="hints" aria-live="polite">{ for hints }</div>
        </>
    }
}

/// The buttons below an exercise. The main one checks the answer and, after a right answer, leads to the
/// next exercise, or from the last level to the next lesson.
fn buttons(
    language: Language,
    &Props { lesson, seed }: &Props,
    task: &ExerciseState,
    given: &UseStateHandle<Given>,
    right: bool,
) -> Html {
    let change = |change: fn(&mut Given)| {
        let (given, now) = (given.setter(), (**given).clone());
        move || {
            let mut next = now.clone();
            change(&mut next);
            given.set(next);
        }
    };
    let check = {
        let judge = change(|given| given.judged = true);
        let is_right = given.answer.as_ref().is_some_and(|answer| task.is_right(answer));
        Callback::from(move |_: MouseEvent| {
            if is_right {
                progress::note(lesson, Exercise::level(seed));
            }
            judge();
        })
    };
    let hint = {
        let more = change(|given| given.hints += 1);
        Callback::from(move |_: MouseEvent| more())
    };
    html! {
        <>
            if !right {
                <button id="check" type="button" class="primary" onclick={check}>{ tr!(language, "lesson.check") }</button>
                <button id="hint" type="button" disabled={given.hints >= HINTS} onclick={hint}>
                    { if given.hints == 0 { tr!(language, "lesson.hint") } else { tr!(language, "lesson.more-hint") } }
                </button>
            }
            <Next {lesson} {seed} exercise={task.exercise.clone()} {right} />
        </>
    }
}

#[derive(Properties, PartialEq)]
struct NextProps {
    lesson: Method,
    seed: u32,
    exercise: Exercise,
    /// Whether the exercise is solved.
    right: bool,
}

/// The button for another exercise, and the link to the next lesson when all levels are solved.
#[component]
fn Next(props: &NextProps) -> Html {
    let language = use_language();
    let (address, navigate) = use_address();
    let &NextProps { lesson, seed, ref exercise, right } = props;
    let levels = progress::known().levels(lesson);
    let is_over = match address.homework {
        Some(homework) => right && homework.with_solved().is_done(),
        None => right && levels.is_done(),
    };
    let is_end = is_over && address.homework.is_none();
    let following = Method::ALL.get(lesson.number() as usize).filter(|_| is_end);
    let another = {
        let (address, exercise) = (address.clone(), exercise.clone());
        let level = levels.next().filter(|_| right);
        Callback::from(move |_: MouseEvent| {
            navigate.push(match address.homework {
                Some(homework) => {
                    let seed = next_homework_seed(lesson, seed, &exercise);
                    homework::next(&address, homework, seed, right)
                }
                None => {
                    let seed = next_course_seed(lesson, seed, level, &exercise);
                    Address { seed: Some(seed), ..(*address).clone() }
                }
            });
        })
    };
    let is_main = right && !is_over;
    let main = if following.is_some() { "to-next-lesson" } else { "another" };
    // The button that checked the answer is gone, and with it the focus.
    use_effect_with((right, main), |&(right, main)| {
        if right {
            focus(main);
        }
    });
    let text = if is_main { "lesson.next-exercise" } else { "lesson.another" };
    html! {
        <>
            if let Some(&following) = following {
                <Link id="to-next-lesson" class="button primary" to={lesson_address(&address, following)}>
                    { tr!(language, "lesson.next-is", title = numbered_title(language, following)) }
                </Link>
            }
            <button id="another" type="button" class={is_main.then_some("primary")} onclick={another}>{ tr!(language, text) }</button>
        </>
    }
}

/// Renders the board to mark, or the choices; after a right answer with the boards of a frame.
fn answers(
    language: Language,
    task: &ExerciseState,
    answer: Option<&Answer>,
    shown: Option<&ReplayFrame>,
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
            html! { <Board rows={rows(task, shown)} {marked} bits={task.shows_bits()} {toggle} /> }
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
            let class = task.board(0).is_some().then_some("of-boards");
            html! {
                <div class="lesson-choices">
                    if !matches!(task.exercise.question, Question::Smallest(_)) {
                        <div class="lesson-boards">{ for boards(language, task, shown) }</div>
                    }
                    <fieldset {class} aria-labelledby="question">{ for choices }</fieldset>
                </div>
            }
        }
    }
}

/// Renders the boards that the choices refer to, or those of a frame.
pub fn boards(language: Language, task: &ExerciseState, frame: Option<&ReplayFrame>) -> Vec<Html> {
    let board = &task.exercise.board;
    if let Some(ReplayFrame { rows, image, said }) = frame {
        return [Some(rows), image.as_ref()]
            .into_iter()
            .flatten()
            .map(|rows| marked_board(rows, said))
            .collect();
    }
    let placement = board.placement();
    let label = tr!(language, "symmetries.solution-plain", columns = columns(board));
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
pub fn columns(queens: &Queens) -> String {
    let columns: Vec<_> = queens.squares().map(|square| square.to_left().1.to_string()).collect();
    columns.join(" ")
}

/// Returns the board of an exercise: only the queens, or a frame of the replay.
fn rows(task: &ExerciseState, frame: Option<&ReplayFrame>) -> Vec<Row> {
    frame.map_or_else(|| plain(&task.exercise.board, task.row()), |frame| frame.rows.clone())
}
