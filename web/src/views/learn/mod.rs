//! The view Learn: the ways to what is read, and what the words mean.

use yew::prelude::*;

use crate::parts::back::Back;
use crate::parts::link::Link;
use crate::place::{Address, View, use_address, use_section, weighing};
use crate::words::{Language, Word, tr, use_language};

/// The view Learn.
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
    let groups = Word::GROUPS.map(|(id, words)| {
        html! {
            <section aria-labelledby={id}>
                <h2 {id}>{ tr!(language, format!("learn.group.{id}")) }</h2>
                <dl>{ for words.iter().map(|&word| entry(language, &address, word)) }</dl>
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
                    <Link to={weighing(&address)} id="to-work">{ tr!(language, "learn.work-title") }</Link>
                    <p>{ tr!(language, "learn.work") }</p>
                </li>
            </ul>
            <p>{ tr!(language, "learn.words") }</p>
            { for groups }
            <footer id="about" class="soft">
                { tr!(language, "learn.about", version = env!("CARGO_PKG_VERSION")) }
            </footer>
        </article>
    }
}

/// A word, what it means, and where more is said of it.
fn entry(language: Language, address: &Address, word: Word) -> Html {
    let wanted = address.section.as_deref() == Some(word.id());
    html! {
        <div class={classes!("word", wanted.then_some("wanted"))} id={word.id()}>
            <dt>{ word.name(language) }</dt>
            <dd>
                <p>{ word.tip(language) }</p>
                <p>
                    { word.more(language) }{ " " }
                    <Link to={address.reading(View::Explanation, word.section)}>{ tr!(language, "learn.more") }</Link>
                </p>
            </dd>
        </div>
    }
}
