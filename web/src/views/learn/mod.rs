//! The Learn view: the course, links to the explanation, the numbers and the table of work, and the
//! glossary.

mod board;
mod halves;
mod homework;
mod lesson;
mod progress;
mod progress_file;
mod saved;
mod steps;
mod task;

use queens_core::Method;
use queens_state::learn::title::numbered_title;
use yew::prelude::*;

use crate::parts::back::Back;
use crate::parts::link::Link;
use crate::place::{Address, View, lesson_address, use_address, use_section, work_address};
use crate::words::{Language, Term, method_name, tr, use_language};
pub use lesson::Lesson;
use progress_file::ProgressFile;

#[component]
pub fn Learn() -> Html {
    let language = use_language();
    let (address, _) = use_address();
    use_section(true);
    let texts = [View::Explanation, View::Numbers].map(|view| {
        html! {
            <li>
                <Link to={address.with_view(view)} id={format!("to-{}", view.id())}>{ view.name(language) }</Link>
                <p>{ tr!(language, format!("learn.{}", view.id())) }</p>
            </li>
        }
    });
    let groups = Term::GROUPS.map(|(id, terms)| {
        html! {
            <section aria-labelledby={id}>
                <h2 {id}>{ tr!(language, format!("learn.group.{id}")) }</h2>
                <dl>{ for terms.iter().map(|&term| entry(language, &address, term)) }</dl>
            </section>
        }
    });
    html! {
        <article class="learn">
            <Back />
            <h1>{ View::Learn.name(language) }</h1>
            <p class="statement">{ tr!(language, "learn.lead") }</p>
            <ul class="texts">
                { for texts }
                <li>
                    <Link to={work_address(&address)} id="to-work">{ tr!(language, "learn.work-title") }</Link>
                    <p>{ tr!(language, "learn.work") }</p>
                </li>
            </ul>
            <Course />
            <p>{ tr!(language, "learn.words") }</p>
            { for groups }
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

/// The lessons with the user's progress.
#[component]
fn Course() -> Html {
    let language = use_language();
    let (address, _) = use_address();
    let redraw = use_force_update();
    let done = progress::done();
    let lessons = Method::ALL.iter().map(|&lesson| {
        html! {
            <li>
                <Link to={lesson_address(&address, lesson)} id={format!("lesson-{}", lesson.id())}>
                    <span>
                        { numbered_title(language, lesson) }
                        <small class="soft">{ method_name(language, lesson) }</small>
                    </span>
                </Link>
                if done.contains(&lesson) {
                    <span class="lesson-done">{ "✓ " }{ tr!(language, "lesson.done") }</span>
                }
            </li>
        }
    });
    // A reset also clears the message about an added file.
    let resets = use_state(|| 0_u32);
    let forget = {
        let resets = resets.clone();
        Callback::from(move |_: MouseEvent| {
            progress::forget();
            resets.set(*resets + 1);
        })
    };
    let on_change = Callback::from(move |()| redraw.force_update());
    html! {
        <section aria-labelledby="course">
            <h2 id="course">{ tr!(language, "lesson.course") }</h2>
            <p>{ tr!(language, "lesson.course-lead") }</p>
            <ol class="lessons">{ for lessons }</ol>
            if !done.is_empty() {
                <p class="links">
                    <span id="progress">{ tr!(language, "lesson.progress", done = done.len(), all = Method::ALL.len()) }</span>
                    <button id="forget" type="button" class="quiet" onclick={forget}>{ tr!(language, "lesson.forget") }</button>
                </p>
            }
            <ProgressFile key={resets.to_string()} can_save={!done.is_empty()} {on_change} />
        </section>
    }
}

/// A glossary entry: a term, its meaning and a link to more.
fn entry(language: Language, address: &Address, term: Term) -> Html {
    let wanted = address.section.as_deref() == Some(term.id());
    html! {
        <div class={classes!("word", wanted.then_some("wanted"))} id={term.id()}>
            <dt>{ term.name(language) }</dt>
            <dd>
                <p>{ term.tip(language) }</p>
                <p>
                    { term.more(language) }{ " " }
                    <Link to={address.reading(View::Explanation, term.section)}>{ tr!(language, "learn.more") }</Link>
                </p>
            </dd>
        </div>
    }
}
