//! The view Lesson: a method's idea, the step where it matters, what it saves, and an exercise.
//!
//! Its texts are a file of their own for each language, fetched when a lesson is opened.

use queens_core::{Exercise, Method, Question, Size, Stepped};
use serde_json::Value;
use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

use super::judge::Task;
use super::saved::Saved;
use super::steps::Steps;
use super::task::{TaskView, plain};
use crate::board::marked_board::marked_board;
use crate::browser::fetch;
use crate::parts::back::Back;
use crate::parts::link::Link;
use crate::place::{Address, Shown, ToCount, View, learning, use_address};
use crate::words::{Language, method_name, numbered_method, tr, use_language};

/// The texts of all lessons as far as they are there.
#[derive(Clone, PartialEq)]
enum Text {
    Fetching,
    Missing,
    Here(Value),
}

/// What a lesson shows, beside its exercise.
#[derive(Clone, Debug, Default, PartialEq)]
struct Plan {
    /// The method that it is compared with.
    after: Option<Stepped>,
    /// The board of its figure.
    size: Option<Size>,
    /// The board on which its work is counted.
    work: Option<Size>,
    /// The paragraphs.
    text: Vec<String>,
}

impl Plan {
    /// Reads the plan of a lesson.
    fn read(texts: &Value, lesson: Method) -> Option<Plan> {
        let all = texts["lessons"].as_array()?;
        let own = all.iter().find(|one| one["id"] == lesson.id())?;
        let size = |value: &Value| Size::new(u32::try_from(value.as_u64()?).ok()?).ok();
        let text = own["text"].as_array()?.iter();
        Some(Plan {
            after: own["after"].as_str().and_then(|id| id.parse().ok()),
            size: size(&own["n"]),
            work: size(&own["work"]),
            text: text.filter_map(|text| Some(text.as_str()?.to_owned())).collect(),
        })
    }
}

/// The view Lesson.
#[component]
pub fn Lesson() -> Html {
    let language = use_language();
    let (address, navigate) = use_address();
    let lesson = address.lesson;
    let text = use_state(|| Text::Fetching);
    {
        let text = text.setter();
        use_effect_with(language, move |&language| {
            spawn_local(async move {
                let file = fetch(&format!("lessons.{}.json", language.id())).await.ok();
                // A host of static files may answer anything at all with a page.
                let read = file.and_then(|file| serde_json::from_str(&file).ok());
                text.set(read.map_or(Text::Missing, Text::Here));
            });
        });
    }
    {
        let address = address.clone();
        use_effect_with((lesson, address.seed), move |&(_, seed)| {
            if seed.is_none() {
                // The first of ten that become harder.
                let seed = Some((js_sys::Math::random() * 1e8) as u32 * 10);
                navigate.replace(Address { seed, ..(*address).clone() });
            }
        });
    }
    let plan = match &*text {
        Text::Here(texts) => Plan::read(texts, lesson),
        _ => None,
    };
    let paragraphs = plan.iter().flat_map(|plan| &plan.text).map(|text| html! { <p>{ text }</p> });
    let (number, all) = (lesson.number(), Method::ALL.len());
    let presenting = address.shown.presenting;
    let present =
        Address { shown: Shown { presenting: !presenting, ..address.shown }, ..(*address).clone() };
    let class = classes!("lesson", presenting.then_some("presenting"));
    html! {
        <article {class} data-lesson={lesson.id()}>
            if !address.embed && !presenting { <Back /> }
            <p class="soft lesson-number">{ tr!(language, "lesson.number", number = number, all = all) }</p>
            <h1>{ method_name(language, lesson) }</h1>
            if *text == Text::Fetching { <p class="soft" role="status">{ tr!(language, "lesson.fetching") }</p> }
            if *text == Text::Missing { <p role="alert">{ tr!(language, "lesson.missing") }</p> }
            <div class="lesson-text">{ for paragraphs }</div>
            { plan.map(|plan| shown(language, &address, lesson, &plan)) }
            if let Some(seed) = address.seed {
                <TaskView key={format!("{}-{seed}", lesson.id())} {lesson} {seed} />
            }
            <nav class="lesson-ways links" aria-label={tr!(language, "lesson.all")}>
                { way(&address, number.checked_sub(2), "previous-lesson", tr!(language, "lesson.previous")) }
                { way(&address, Some(number), "next-lesson", tr!(language, "lesson.next")) }
                <Link to={address.with_view(View::Learn)} id="all-lessons">{ tr!(language, "lesson.all") }</Link>
                if address.embed {
                    <Link to={Address { embed: false, ..(*address).clone() }} id="open-full">{ tr!(language, "explore.open-full") }</Link>
                }
                <Link to={present} id="present">
                    { if presenting { tr!(language, "lesson.present-end") } else { tr!(language, "lesson.present") } }
                </Link>
            </nav>
        </article>
    }
}

/// The way to another lesson, if there is one.
fn way(address: &Address, index: Option<u32>, id: &'static str, text: String) -> Option<Html> {
    let lesson = *Method::ALL.get(index? as usize)?;
    Some(html! { <Link to={learning(address, lesson)} {id}>{ text }</Link> })
}

/// The board of a lesson, and what its method saves.
fn shown(language: Language, address: &Address, lesson: Method, plan: &Plan) -> Html {
    let (Some(method), Some(size)) = (lesson.stepped(), plan.size) else {
        return html! { <>{ halves(language) }{ counts(language, address) }</> };
    };
    html! {
        <>
            <Steps key={lesson.id()} {method} after={plan.after} {size} />
            if let Some((after, size)) = plan.after.zip(plan.work) {
                <Saved methods={[after, method]} {size} />
            }
        </>
    }
}

/// A lower half that fits, and one that does not.
fn halves(language: Language) -> Option<Html> {
    // One with boards of 8 rows.
    let exercise = (0..)
        .step_by(10)
        .filter_map(|seed| Exercise::new(Method::Halves, seed + 3))
        .find(|exercise| exercise.size().get() == 8)?;
    let task = Task::new(exercise);
    let Question::Fitting(lower) = &task.exercise.question else { return None };
    let board = |number: usize| {
        let queens = task.board(number)?;
        let said = match task.reason(language, &queens_core::Answer::Choice(number)) {
            None => tr!(language, "lesson.fits"),
            Some(why) => tr!(language, "lesson.fits-not", why = why),
        };
        let mut rows = plain(&queens, None);
        for pair in queens.conflicts().take(1) {
            for square in [pair.first, pair.second] {
                let (row, column) = square.to_left();
                let squares = rows.get_mut(row as usize).map(|row| &mut row.squares);
                if let Some(square) = squares.and_then(|row| row.get_mut(column as usize)) {
                    square.fresh = true;
                }
            }
        }
        let right = task.exercise.answer == queens_core::Answer::Choice(number);
        Some((
            right,
            html! { <figure>{ marked_board(&rows, &said) }<figcaption>{ said.clone() }</figcaption></figure> },
        ))
    };
    let mut boards: Vec<_> = (0..lower.len()).filter_map(board).collect();
    boards.sort_by_key(|(right, _)| !right);
    boards.truncate(2);
    let boards = boards.into_iter().map(|(_, board)| board);
    Some(html! { <div class="lesson-boards" id="halves">{ for boards }</div> })
}

/// The ways to two counts of a board on which their difference is felt.
fn counts(language: Language, address: &Address) -> Html {
    let ways = [Method::Symmetry, Method::Halves].map(|method| {
        let size = Size::new(16).unwrap_or(address.size);
        let count = ToCount { method: Some(method), ..ToCount::default() };
        let to = Address { count, ..address.with_size(size).with_view(View::Count) };
        let name = numbered_method(language, method);
        html! { <li><Link {to}>{ tr!(language, "lesson.count-by", method = name) }</Link></li> }
    });
    html! { <><p>{ tr!(language, "lesson.counts") }</p><ul id="counts">{ for ways }</ul></> }
}

#[cfg(test)]
mod tests {
    use queens_core::{Work, first_difference};

    use super::*;

    const TEXTS: [&str; 2] = [
        include_str!("../../../text/lessons.en.json"),
        include_str!("../../../text/lessons.ja.json"),
    ];

    fn plans(text: &str) -> Vec<Plan> {
        let texts: Value = serde_json::from_str(text).unwrap();
        let ids =
            texts["lessons"].as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap());
        assert!(ids.eq(Method::IDS.iter().copied()), "a lesson for each method, in order");
        Method::ALL.iter().map(|&lesson| Plan::read(&texts, lesson).unwrap()).collect()
    }

    fn work(method: Stepped, size: Size) -> Work {
        let mut work = Work::default();
        method.search(size, &mut work);
        work
    }

    #[test]
    fn both_languages_have_the_same_lessons() {
        let [english, japanese] = TEXTS.map(plans);
        for (en, ja) in english.iter().zip(&japanese) {
            let facts = |plan: &Plan| (plan.after, plan.size, plan.work, plan.text.len());
            assert_eq!(facts(en), facts(ja));
            assert!(en.text.iter().chain(&ja.text).all(|text| text.chars().count() > 40));
        }
    }

    /// What the texts say of a method and the one that it is compared with.
    #[test]
    fn what_lessons_claim_is_so() {
        for (plan, &lesson) in plans(TEXTS[0]).iter().zip(Method::ALL) {
            let (Some(method), Some(after)) = (lesson.stepped(), plan.after) else { continue };
            let difference = first_difference([after, method], plan.size.unwrap());
            let [before, now] = [after, method].map(|method| work(method, plan.work.unwrap()));
            let less = now.tried() as f64 / before.tried() as f64;
            let says = plan.text.join(" ");
            match method {
                Stepped::Flags => assert!(difference.is_none() && before == now, "{lesson}"),
                Stepped::Bound2 => assert_eq!(now.tried(), before.tried(), "{says}"),
                Stepped::FlagsSymmetry | Stepped::BitmapSymmetry => {
                    assert_eq!(now.tried(), before.tried(), "{says}");
                    assert!(before.comparisons == 0 && now.comparisons > 0 && difference.is_some());
                }
                Stepped::FlagsSymmetryHalf | Stepped::Mirror | Stepped::BitmapSymmetryHalf => {
                    assert!((0.4..0.6).contains(&less), "{says} {less}");
                }
                Stepped::Symmetry => {
                    assert!(less < 1.0 && now.comparisons * 5 < before.comparisons, "{says}");
                    assert_eq!((now.tally.met(), now.tally.total()), (12, Some(92)), "{says}");
                }
                _ => assert!(less < 1.0 && difference.is_some(), "{lesson}: {less}"),
            }
        }
    }
}
