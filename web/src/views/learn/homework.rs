//! Homework: the panel that makes its link, the line that counts its exercises, and the address of the
//! next exercise.

use queens_core::{Exercise, Method};
use web_sys::HtmlSelectElement;
use yew::prelude::*;

use super::model::order::homework_seeds;
use super::qr_code::qr_code;
use crate::address::{Address, Homework, View, use_address};
use crate::browser::link_to;
use crate::parts::share_link::ShareLink;
use crate::words::{Language, tr, use_language};

/// The number of exercises that the panel suggests.
const SUGGESTED: u32 = 5;

#[derive(Properties, PartialEq)]
pub struct Props {
    pub lesson: Method,
    /// The seed of the current exercise, from which the seed of the homework is derived.
    pub seed: u32,
}

/// A closed panel in which a teacher chooses level and number of exercises, and gets a link.
#[component]
pub fn SetHomework(props: &Props) -> Html {
    let language = use_language();
    let (address, _) = use_address();
    let level = use_state_eq(|| 1_u32);
    let tasks = use_state_eq(|| SUGGESTED);
    let choice = |id: &'static str, key: &str, most: u32, value: UseStateHandle<u32>| {
        let selected = *value;
        let onchange = Callback::from(move |event: Event| {
            let list: HtmlSelectElement = event.target_unchecked_into();
            if let Ok(number) = list.value().parse() {
                value.set(number);
            }
        });
        let options = (1..=most).map(|number| {
            html! { <option value={number.to_string()} selected={number == selected}>{ number }</option> }
        });
        html! {
            <p class="count-field">
                <label for={id}>{ tr!(language, key) }</label>
                <select {id} {onchange}>{ for options }</select>
            </p>
        }
    };
    // The list counts levels from 1.
    let level_index = *level - 1;
    let most = *use_memo((props.lesson, props.seed, level_index), |&(lesson, seed, level)| {
        homework_seeds(lesson, Homework::seed(seed, level)).len() as u32
    });
    let Some(query) = link(&address, props.lesson, props.seed, level_index, (*tasks).min(most))
    else {
        return html! {};
    };
    html! {
        <details id="set-homework" class="set-homework">
            <summary>{ tr!(language, "lesson.homework.set") }</summary>
            <div class="count-form">
                { choice("homework-level", "lesson.homework.level", Exercise::LEVELS, level) }
                { choice("homework-tasks", "lesson.homework.tasks", most, tasks) }
            </div>
            <ShareLink
                link={link_to(&query)} label={tr!(language, "lesson.homework.link")}
                hint={tr!(language, "lesson.homework.hint")}
                copy={[tr!(language, "results.share.copy"), tr!(language, "results.share.copied")].map(AttrValue::from)}
            />
            { for qr_code(&link_to(&query), &tr!(language, "lesson.homework.code")) }
        </details>
    }
}

/// Returns the query of the link to homework; `None` if the number of exercises is out of range.
fn link(address: &Address, lesson: Method, seed: u32, level: u32, tasks: u32) -> Option<String> {
    let homework = Some(Homework::new(tasks)?);
    let seed = Some(Homework::seed(seed, level));
    let language = address.language;
    let page =
        Address { view: View::Lesson, lesson, seed, homework, language, ..Address::default() };
    Some(page.to_link())
}

/// Renders how many exercises of the homework are solved; `right` says whether the current one is.
pub fn solved(language: Language, homework: Homework, right: bool) -> Html {
    let now = if right { homework.with_solved() } else { homework };
    let (tasks, solved) = (now.tasks(), now.solved());
    let text = if now.is_done() {
        tr!(language, "lesson.homework.done", tasks = tasks)
    } else {
        tr!(language, "lesson.homework.solved", tasks = tasks, solved = solved)
    };
    let dots = ["●".repeat(solved as usize), "○".repeat((tasks - solved) as usize)].concat();
    html! {
        <p id="homework" class={classes!("statement", now.is_done().then_some("good"))} role="status">
            { text }{ " " }<span aria-hidden="true">{ dots }</span>
        </p>
    }
}

/// Returns the address of the next exercise, which has this seed. After the last exercise of the
/// homework, the next one belongs to no homework.
pub fn next(address: &Address, homework: Homework, seed: u32, right: bool) -> Address {
    let now = if right { homework.with_solved() } else { homework };
    let homework = Some(now).filter(|now| !now.is_done());
    Address { seed: Some(seed), homework, ..address.clone() }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;
    use crate::parts::rendered::{rendered, texts};

    #[test]
    fn the_link_opens_the_lesson_with_its_exercises() {
        let query = link(&Address::default(), Method::Backtracking, 4_321, 2, 5).unwrap();
        assert_eq!(query, "?view=lesson&lesson=backtracking&seed=4002&homework=5");
        let (address, problems) = Address::parse(&query);
        assert!(problems.is_empty(), "{problems:?}");
        let (mut at, mut exercises) = (address, vec![]);
        while let Some(homework) = at.homework {
            let seed = at.seed.unwrap();
            assert_eq!(Exercise::level(seed), 2);
            exercises.push(seed);
            // An exercise that the learner skips does not count.
            let following = Exercise::next_seed(seed, false);
            let skipped = next(&at, homework, following, false);
            assert_eq!((skipped.homework, skipped.seed), (Some(homework), Some(following)));
            at = next(&at, homework, following, true);
        }
        assert_eq!(exercises.len(), 5);
        assert_eq!(link(&Address::default(), Method::Flags, 1, 0, Homework::MOST + 1), None);
    }

    #[test]
    fn the_solved_exercises_are_counted() {
        let said = |language, homework: &str, right| {
            let homework = Homework::parse(homework).unwrap();
            texts(&rendered(language, solved(language, homework, right)))
        };
        assert!(said(Language::English, "5:2", false).contains("2 of 5"));
        assert!(said(Language::English, "5:2", true).contains("3 of 5"));
        assert!(said(Language::English, "5:2", true).ends_with("●●●○○"));
        assert!(said(Language::Japanese, "5:4", true).contains("5 問"));
        assert_ne!(said(Language::English, "5:4", true), said(Language::English, "5:4", false));
    }
}
