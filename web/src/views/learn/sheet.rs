//! A sheet of exercises for paper, with the answers on a separate page.

use queens_core::{Answer, Exercise, Method, Question};
use queens_state::learn::judge::ExerciseState;
use queens_state::learn::replay::plain;
use queens_state::learn::sheet::{answer_rows, answer_text, exercises};
use queens_state::learn::title::{numbered_title, title};
use yew::prelude::*;

use super::homework::{self, SUGGESTED};
use super::qr_code::qr_code;
use super::task::{boards, columns};
use crate::board::marked_board::marked_board;
use crate::browser::{link_to, print};
use crate::parts::link::Link;
use crate::place::{Address, Homework, use_address};
use crate::words::{Language, tr, use_language};

#[derive(Properties, PartialEq)]
pub struct Props {
    pub lesson: Method,
    /// The seed of the first exercise, which also has the level.
    pub seed: u32,
}

/// The questions with their boards, a QR code that opens them on the page, and the answers.
#[component]
pub fn Sheet(props: &Props) -> Html {
    let language = use_language();
    let (address, _) = use_address();
    let &Props { lesson, seed } = props;
    let tasks = address.homework.map_or(SUGGESTED, Homework::tasks);
    let sheet = use_memo((lesson, seed, tasks), |&(lesson, seed, tasks)| {
        exercises(lesson, seed, tasks).into_iter().map(ExerciseState::new).collect::<Vec<_>>()
    });
    let level = Exercise::level(seed);
    let name = tr!(language, "lesson.level", level = level + 1, all = Exercise::LEVELS);
    let to_lesson = Address { section: None, homework: None, ..(*address).clone() };
    let questions = sheet.iter().map(|task| {
        html! {
            <li><p>{ task.question(language) }</p>{ question_boards(language, task) }</li>
        }
    });
    let answers = sheet.iter().map(|task| {
        let text = answer_text(language, task);
        html! { <li>{ marked_board(&answer_rows(task), &text) }<p>{ &text }</p></li> }
    });
    html! {
        <article id="sheet" class="sheet" data-tasks={sheet.len().to_string()}>
            <p class="links sheet-tools">
                <button id="print" type="button" class="primary" onclick={|_| print()}>{ tr!(language, "lesson.sheet.print") }</button>
                <Link id="to-lesson" to={to_lesson}>{ numbered_title(language, lesson) }</Link>
            </p>
            <header>
                <hgroup>
                    <h1>{ title(language, lesson) }</h1>
                    <p>{ tr!(language, "lesson.sheet.about", level = name, tasks = sheet.len()) }</p>
                    if (sheet.len() as u32) < tasks { <p class="hint">{ tr!(language, "lesson.sheet.fewer") }</p> }
                    <p class="sheet-name">{ tr!(language, "lesson.sheet.name") }</p>
                </hgroup>
                { for online(language, &address, lesson, seed, tasks) }
            </header>
            <p>{ tr!(language, "lesson.sheet.how") }</p>
            { for sheet.iter().find(|task| task.asks_next_queen()).map(|task| rule(language, task)) }
            <ol class="sheet-tasks">{ for questions }</ol>
            <section class="sheet-answers" aria-labelledby="answers">
                <h2 id="answers">{ tr!(language, "lesson.sheet.answers", title = title(language, lesson), level = name) }</h2>
                <ol>{ for answers }</ol>
            </section>
        </article>
    }
}

/// The order in which the method tries squares. Paper has no hint, and pupils may expect another order.
fn rule(language: Language, task: &ExerciseState) -> Html {
    html! { <p id="rule">{ task.hint(language, 0) }</p> }
}

/// The QR code of the link that opens the same exercises on the page.
fn online(
    language: Language,
    address: &Address,
    lesson: Method,
    seed: u32,
    tasks: u32,
) -> Option<Html> {
    let link = link_to(&homework::link(address, lesson, seed, Exercise::level(seed), tasks)?);
    Some(html! {
        <figure class="sheet-code">
            { for qr_code(&link, &tr!(language, "lesson.homework.code")) }
            <figcaption>{ tr!(language, "lesson.sheet.online") }</figcaption>
        </figure>
    })
}

/// The board to draw on, or the boards to choose from.
fn question_boards(language: Language, task: &ExerciseState) -> Html {
    let exercise = &task.exercise;
    if let Answer::Squares(_) = exercise.answer {
        let label = tr!(language, "lesson.board", n = exercise.size());
        let bits = task.shows_bits().then(|| {
            let bits = (0..exercise.size().get()).rev().map(|bit| html! { <span>{ bit }</span> });
            html! { <p class="sheet-bits"><span>{ tr!(language, "lesson.bit") }</span>{ for bits }</p> }
        });
        let rows = plain(&exercise.board, task.row());
        return html! { <div class="sheet-board">{ marked_board(&rows, &label) }{ bits }</div> };
    }
    let choices = (0..task.choices()).map(|number| {
        let name = task.choice(language, number);
        let board = task.board(number).map(|queens| {
            let label =
                tr!(language, "lesson.choice-board", choice = name, columns = columns(&queens));
            marked_board(&plain(&queens, None), &label)
        });
        html! { <li><span aria-hidden="true">{ "☐ " }</span>{ name }{ for board }</li> }
    });
    let has_board = !matches!(exercise.question, Question::Smallest(_));
    html! {
        <>
            if has_board {
                <div class="lesson-boards">
                    { for boards(language, task, None).into_iter().map(|board| html! { <figure>{ board }</figure> }) }
                </div>
            }
            <ul class={classes!("sheet-choices", task.board(0).is_some().then_some("of-boards"))}>{ for choices }</ul>
        </>
    }
}
