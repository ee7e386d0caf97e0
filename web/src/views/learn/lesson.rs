//! The Lesson view: the idea of a method, an exercise, what was learnt as one picture, and the work of the method.

use gloo_events::EventListener;
use queens_core::{Exercise, Method, Stepped};
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, KeyboardEvent};
use yew::prelude::*;

use super::counts::counts;
use super::homework::SetHomework;
use super::model::order::course_seed;
use super::model::plan::{More, Picture, Plan};
use super::model::replay::plain;
use super::model::title::title;
use super::progress;
use super::saved::SavedWork;
use super::steps::Steps;
use super::task::TaskView;
use crate::address::{Address, ExploreLayout, Navigate, View, lesson_address, use_address};
use crate::board::Row;
use crate::board::marked_board::marked_board;
use crate::browser::{bring_into_view, focus_in_place, has_modifier, window};
use crate::parts::back::Back;
use crate::parts::code::with_code;
use crate::parts::link::Link;
use crate::parts::term::TermLink;
use crate::search::sentences::square_name;
use crate::words::{Language, long_texts, method_name, tr, use_language};

/// A lesson: its title, its text, the exercise, the figure, the second part and the links.
#[component]
pub fn Lesson() -> Html {
    let language = use_language();
    let (address, navigate) = use_address();
    let lesson = address.lesson;
    use_presentation_keys(navigate.clone());
    let levels = progress::known().levels(lesson);
    let seed = address.seed.map(|seed| match address.homework {
        // A teacher who sets homework chooses its level. Other exercises are never above the first
        // unsolved level.
        Some(_) => seed,
        None => levels.fitting(seed),
    });
    {
        let address = address.clone();
        use_effect_with((lesson, address.seed, seed), move |&(_, given, seed)| {
            let seed = seed.unwrap_or_else(|| {
                // The last digit of a seed is its level.
                let level = levels.next().unwrap_or(Exercise::LEVELS - 1);
                course_seed(lesson, (js_sys::Math::random() * 1e8) as u32 * 10 + level)
            });
            if given != Some(seed) {
                navigate.add_parameters(Address { seed: Some(seed), ..(*address).clone() });
            }
        });
    }
    use_heading_of_next_exercise(lesson, seed);
    let plan = Plan::read(long_texts::lessons(language), lesson);
    let presenting = address.layout.presenting;
    let can_set = address.homework.is_none() && !address.is_embedded && !presenting;
    let class = classes!("lesson", presenting.then_some("presenting"));
    html! {
        <article {class} data-lesson={lesson.id()}>
            if !address.is_embedded && !presenting { <Back /> }
            { head(language, &address) }
            <div class="lesson-text">
                { for plan.iter().flat_map(|plan| &plan.text).map(|text| html! { <p>{ with_code(text) }</p> }) }
            </div>
            <div>
                if let Some(seed) = seed {
                    <TaskView key={format!("{}-{seed}", lesson.id())} {lesson} {seed} />
                    // The next exercise keeps what a teacher has chosen.
                    if can_set { <SetHomework {lesson} {seed} /> }
                }
            </div>
            { for plan.as_ref().map(|plan| learnt(language, &address, plan)) }
            { for plan.as_ref().map(|plan| rest(language, &address, plan)) }
            <Mark {lesson} />
            { lesson_links(language, &address, lesson.number()) }
        </article>
    }
}

/// The title and the link that presents the lesson. Homework is announced.
fn head(language: Language, address: &Address) -> Html {
    let lesson = address.lesson;
    let presenting = address.layout.presenting;
    let layout = ExploreLayout { presenting: !presenting, ..address.layout };
    let present = Address { layout, ..address.clone() };
    html! {
        <header class="lesson-head">
            <hgroup>
                <p class="soft">{ tr!(language, "lesson.number", number = lesson.number(), all = Method::ALL.len()) }</p>
                <h1>{ title(language, lesson) }</h1>
                <p class="soft">{ method_name(language, lesson) }</p>
                if let Some(homework) = address.homework {
                    <p id="is-homework">{ tr!(language, "lesson.homework.is", tasks = homework.tasks()) }</p>
                }
            </hgroup>
            <Link to={present} id="present">
                { if presenting { tr!(language, "lesson.present-end") } else { tr!(language, "lesson.present") } }
                { " " }<kbd>{ "F" }</kbd>
            </Link>
        </header>
    }
}

/// Moves the focus to the heading of the exercise when another exercise of the same lesson replaces it,
/// because the button that led there is replaced as well.
#[hook]
fn use_heading_of_next_exercise(lesson: Method, seed: Option<u32>) {
    let shown = use_mut_ref(|| None);
    use_effect_with((lesson, seed), move |&(lesson, seed)| {
        let previous = shown.replace(seed.map(|seed| (lesson, seed)));
        if seed.is_some() && previous.is_some_and(|(previous, _)| previous == lesson) {
            focus_in_place("task-title");
            bring_into_view("task-title");
        }
    });
}

/// Starts and ends the presentation with F, and ends it with Escape.
#[hook]
fn use_presentation_keys(navigate: Navigate) {
    use_effect_with((), move |()| {
        let listener = keys(move |is_end| {
            let address = navigate.address();
            let presenting = !(is_end || address.layout.presenting);
            if presenting != address.layout.presenting {
                let layout = ExploreLayout { presenting, ..address.layout };
                navigate.push(Address { layout, ..address });
            }
        });
        || drop(listener)
    });
}

/// Calls `pressed` with `false` for F and `true` for Escape, until the listener is dropped. Fields, lists and
/// dialogs keep their keys.
fn keys(pressed: impl Fn(bool) + 'static) -> Option<EventListener> {
    let follow = move |event: &Event| {
        let Some(event) = event.dyn_ref::<KeyboardEvent>() else { return };
        let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        let keeps_key = |target: Element| target.closest("input, select, dialog").ok().flatten();
        let is_used = event.default_prevented() || target.and_then(keeps_key).is_some();
        if is_used || has_modifier(event) {
            return;
        }
        match event.key().as_str() {
            "f" | "F" => pressed(false),
            "Escape" => pressed(true),
            _ => {}
        }
    };
    let window = window()?;
    Some(EventListener::new(&window, "keydown", follow))
}

/// Renders the terms of a lesson with their meanings, and a link to the explanation.
fn terms(language: Language, address: &Address, plan: &Plan) -> Html {
    let terms = plan.words.iter().map(|&word| {
        html! { <TermLink key={word.id()} {word}>{ word.name(language) }</TermLink> }
    });
    let more = plan.section.as_ref().map(|section| {
        let to = address.reading(View::Explanation, section);
        html! { <Link {to} id="to-section">{ tr!(language, "learn.more") }</Link> }
    });
    html! { <p class="words">{ tr!(language, "lesson.words") }{ for terms }{ for more }</p> }
}

/// What was learnt: the figure with the terms of the lesson. The last lesson has only the terms, because its boards
/// follow in the second part.
fn learnt(language: Language, address: &Address, plan: &Plan) -> Html {
    let terms = terms(language, address, plan);
    let lesson = address.lesson;
    let Some((method, figure)) = lesson.stepped().zip(plan.figure.clone()) else {
        return terms;
    };
    html! {
        <section class="lesson-learnt" aria-labelledby="learnt">
            <h2 id="learnt">{ tr!(language, "lesson.learnt") }</h2>
            <Steps key={lesson.id()} {method} {figure}>{ terms }</Steps>
        </section>
    }
}

#[derive(Properties, PartialEq)]
struct MarkProps {
    lesson: Method,
}

/// The button that marks the lesson as done or, if all its levels are solved, as not done.
#[component]
fn Mark(props: &MarkProps) -> Html {
    let language = use_language();
    let redraw = use_force_update();
    let lesson = props.lesson;
    let is_done = progress::known().levels(lesson).is_done();
    let onclick = Callback::from(move |_: MouseEvent| {
        progress::mark(lesson, !is_done);
        redraw.force_update();
    });
    let text = if is_done { "lesson.mark-not-done" } else { "lesson.mark-done" };
    html! { <p><button id="mark" type="button" {onclick}>{ tr!(language, text) }</button></p> }
}

/// Renders links to the neighbouring lessons.
fn lesson_links(language: Language, address: &Address, number: u32) -> Html {
    html! {
        <nav class="lesson-ways links" aria-label={tr!(language, "lesson.ways")}>
            { lesson_link(address, number.checked_sub(2), "previous-lesson", tr!(language, "lesson.previous")) }
            { lesson_link(address, Some(number), "next-lesson", tr!(language, "lesson.next")) }
            if address.is_embedded {
                <Link to={Address { is_embedded: false, ..address.clone() }} id="open-full">{ tr!(language, "explore.open-full") }</Link>
            }
        </nav>
    }
}

/// Renders a link to the lesson with this index, if it exists.
fn lesson_link(
    address: &Address,
    index: Option<u32>,
    id: &'static str,
    text: String,
) -> Option<Html> {
    let lesson = *Method::ALL.get(index? as usize)?;
    Some(html! { <Link to={lesson_address(address, lesson)} {id}>{ text }</Link> })
}

/// Renders the second part of a lesson.
fn second_part(language: Language, lesson: Method, more: &More) -> Html {
    let method = lesson.stepped().map(Stepped::facts);
    let boards = more.boards.iter().map(|Picture { queens, squares, said }| {
        let mut rows = plain(queens, None);
        Row::mark(&mut rows, squares.iter().copied());
        let names: Vec<_> =
            queens.squares().map(|square| square_name(language, square, method)).collect();
        let queens = names.join(language.comma());
        let label = tr!(language, "lesson.picture", said = said, queens = queens);
        html! {
            <figure>{ marked_board(&rows, &label) }<figcaption>{ said }</figcaption></figure>
        }
    });
    html! {
        <section aria-labelledby="second-part">
            <h2 id="second-part">{ &more.title }</h2>
            <div class="lesson-text">{ for more.text.iter().map(|text| html! { <p>{ with_code(text) }</p> }) }</div>
            if !more.boards.is_empty() {
                <div id="pictures" class={classes!("lesson-pictures", format!("across-{}", more.across))}>
                    { for boards }
                </div>
            }
        </section>
    }
}

/// The second part of a lesson, and the work of its method.
fn rest(language: Language, address: &Address, plan: &Plan) -> Html {
    let lesson = address.lesson;
    let work = match (lesson.stepped(), plan.after.zip(plan.work)) {
        (None, _) => counts(language, address),
        (Some(method), Some((after, size))) => {
            let note = plan.note.clone();
            Some(html! { <SavedWork methods={[after, method]} {size} {note} /> })
        }
        (Some(_), None) => None,
    };
    let more = plan.more.as_ref().map(|more| second_part(language, lesson, more));
    html! { <>{ for more }{ for work }</> }
}
