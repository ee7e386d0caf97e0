//! The course: its lessons in four groups, with the user's progress.

mod board;
mod counts;
mod homework;
mod lesson;
mod levels;
mod model;
mod progress;
mod qr_code;
mod saved;
mod steps;
mod task;

use queens_core::Method;
use yew::prelude::*;

use crate::address::{Address, lesson_address, use_address, use_section};
use crate::board::marked_board::marked_board;
use crate::parts::back::Back;
use crate::parts::link::Link;
use crate::words::{Language, method_name, tr, use_language};
pub use lesson::Lesson;
use model::emblem::emblem;
use model::progress::Levels;
use model::title::numbered_title;

#[component]
pub fn Learn() -> Html {
    let language = use_language();
    use_section();
    html! {
        <article class="learn">
            <Back />
            <Course />
            <div id="articles">
                <p>{ tr!(language, "learn.articles") }</p>
                <p class="links">
                    { for ARTICLES.map(|(name, href)| html! { <a {href}>{ tr!(language, name) }</a> }) }
                </p>
            </div>
            <footer id="about" class="soft">
                { tr!(language, "learn.about", version = env!("CARGO_PKG_VERSION")) }
            </footer>
        </article>
    }
}

/// The articles and programs on which the methods are based, as listed in docs/seeds.md.
const ARTICLES: [(&str, &str); 2] = [
    ("learn.articles-site", "https://suzukiiichiro.github.io"),
    ("learn.articles-programs", "https://github.com/suzukiiichiro/N-Queens"),
];

/// The groups of lessons, each with its name in the text keys and the numbers of its lessons.
const GROUPS: [(&str, &[u32]); 4] = [
    ("search", &[1, 2, 3, 4, 5, 6, 7, 8]),
    ("classes", &[9, 10]),
    ("bounds", &[11, 12, 13, 14]),
    ("colours", &[15]),
];

/// The lessons, with the user's progress and the main button.
#[component]
fn Course() -> Html {
    let language = use_language();
    let (address, _) = use_address();
    let redraw = use_force_update();
    let known = progress::known();
    let done = known.done().count();
    let next = known.next();
    let step = |lesson: Method| {
        let is_next = next.is_some_and(|(next, _)| next == lesson);
        step(language, &address, lesson, known.levels(lesson), is_next)
    };
    let groups = GROUPS.map(|(id, numbers)| {
        let lessons = Method::ALL.iter().filter(|lesson| numbers.contains(&lesson.number()));
        html! {
            <section aria-labelledby={format!("group-{id}")}>
                <h2 id={format!("group-{id}")}>{ tr!(language, format!("lesson.group.{id}")) }</h2>
                <ol class="lessons">{ for lessons.map(|&lesson| step(lesson)) }</ol>
            </section>
        }
    });
    let forget = Callback::from(move |_: MouseEvent| {
        progress::forget();
        redraw.force_update();
    });
    html! {
        <>
            <h1 id="course">{ tr!(language, "lesson.course", count = Method::ALL.len()) }</h1>
            <p>{ tr!(language, "lesson.course-lead") }</p>
            { for next.map(|(lesson, level)| go_on(language, &address, lesson, level, known.is_empty())) }
            { for groups }
            if !known.is_empty() {
                <p class="links">
                    <span id="progress">{ tr!(language, "lesson.progress", done = done, all = Method::ALL.len()) }</span>
                    <button id="forget" type="button" class="quiet" onclick={forget}>{ tr!(language, "lesson.forget") }</button>
                </p>
            }
        </>
    }
}

/// The main button, which leads to the first level that is not solved.
fn go_on(
    language: Language,
    address: &Address,
    lesson: Method,
    level: u32,
    is_start: bool,
) -> Html {
    let title = numbered_title(language, lesson);
    let text = if is_start {
        tr!(language, "lesson.start", title = title)
    } else {
        tr!(language, "lesson.go-on", title = title, level = level + 1)
    };
    html! {
        <p><Link to={lesson_address(address, lesson)} id="go-on" class="button primary">{ text }</Link></p>
    }
}

/// One lesson of a group.
fn step(
    language: Language,
    address: &Address,
    lesson: Method,
    solved: Levels,
    is_next: bool,
) -> Html {
    let class = classes!(
        "lesson-card",
        is_next.then_some("is-next"),
        solved.is_done().then_some("is-done")
    );
    html! {
        <li {class}>
            <div class="lesson-emblem" aria-hidden="true">{ marked_board(&emblem(lesson), "") }</div>
            <Link to={lesson_address(address, lesson)} id={format!("lesson-{}", lesson.id())}>
                { numbered_title(language, lesson) }
                <small class="soft">{ method_name(language, lesson) }</small>
            </Link>
            { levels::levels(language, solved) }
            if solved.is_done() {
                <span class="lesson-done">{ "✓ " }{ tr!(language, "lesson.done") }</span>
            }
        </li>
    }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;
    use crate::parts::rendered::{elements, rendered, rendered_at};

    #[test]
    fn the_main_button_is_the_first_unsolved_level() {
        let button = |language| {
            let html = rendered(language, html! { <Learn /> });
            let [button] = elements(&html, "id=\"go-on\"")[..] else { panic!() };
            (button.attribute("href").unwrap(), button.content())
        };
        assert_eq!(button(Language::English).1, "Start: 1. Try every board");
        for level in 0..2 {
            progress::note(Method::BruteForce, level);
        }
        let (href, text) = button(Language::English);
        assert!(href.contains("view=lesson") && text.ends_with("level 3"), "{href}: {text}");
        (2..4).for_each(|level| progress::note(Method::BruteForce, level));
        let (href, text) = button(Language::Japanese);
        assert!(href.contains("lesson=permutations") && text.contains("1"), "{href}: {text}");
        progress::forget();
    }

    #[test]
    fn each_lesson_is_in_one_group() {
        let mut numbers = GROUPS.map(|(_, numbers)| numbers).concat();
        numbers.sort_unstable();
        assert!(numbers.into_iter().eq(Method::ALL.iter().map(|lesson| lesson.number())));
    }

    #[test]
    fn a_lesson_is_marked_as_done_with_all_levels() {
        let path = || {
            let html = rendered(Language::English, html! { <Course /> });
            let levels = elements(&html, "data-levels");
            let levels: Vec<_> =
                levels.iter().filter_map(|levels| levels.attribute("data-levels")).collect();
            (levels, elements(&html, "class=\"lesson-done\"").len())
        };
        let (levels, done) = path();
        assert_eq!((levels.len(), done), (Method::ALL.len(), 0));
        assert!(levels.iter().all(|levels| levels == "○○○○"));
        for (level, circles) in ["●○○○", "●●○○", "●●●○", "●●●●"].into_iter().enumerate()
        {
            progress::note(Method::Bitmap, level as u32);
            let (levels, done) = path();
            assert_eq!(levels[6], circles);
            assert_eq!(done, usize::from(level == 3));
        }
        progress::forget();
    }

    #[test]
    fn a_newcomer_sees_level_1_whatever_the_seed() {
        let level = |query: &str| {
            let (address, problems) = Address::parse(query);
            assert!(problems.is_empty(), "{problems:?}");
            let html = rendered_at(Language::English, address, html! { <Lesson /> });
            let [level] = elements(&html, "id=\"level\"")[..] else { panic!() };
            level.content()[..12].to_owned()
        };
        let query = "?view=lesson&lesson=backtracking&seed=";
        assert_eq!(level(&format!("{query}3")), "level 1 of 4");
        assert_eq!(level(&format!("{query}7419")), "level 1 of 4");
        // A teacher chooses the level of homework.
        assert_eq!(level(&format!("{query}3&homework=5")), "level 4 of 4");
        progress::note(Method::Backtracking, 0);
        assert_eq!(level(&format!("{query}70")), "level 1 of 4");
        progress::note(Method::Flags, 0);
        let query = "?view=lesson&lesson=flags&seed=";
        assert_eq!(level(&format!("{query}3")), "level 2 of 4");
        progress::forget();
    }
}
