//! The page's frame.

use yew::prelude::*;

use crate::components::top_bar::TopBar;
use crate::i18n::{Language, tr, use_texts};
use crate::navigation::{Navigation, use_navigation};
use crate::settings::{self, Theme};
use crate::worker;

/// The whole page.
#[component]
pub fn App() -> Html {
    let navigation = use_navigation();
    let view = navigation.address().view;
    let wanted = navigation.address().language.unwrap_or_else(settings::language);
    let (language, missing) = use_texts(wanted);
    let worker_is_possible = *use_memo((), |()| worker::is_possible());
    use_effect_with((view, language), |&(view, language)| {
        let Some(language) = language else { return };
        settings::mark_language(language);
        if let Some(document) = web_sys::window().and_then(|window| window.document()) {
            document.set_title(&format!("{} · queens", view.name(language)));
        }
    });
    use_effect_with((), |()| {
        if let Some(theme) = Theme::chosen() {
            theme.show();
        }
    });
    let Some(language) = language else {
        // There is no text to say it in another language.
        let failed = "The page’s texts could not be fetched. Load it anew to try again.";
        return if missing {
            html! { <p id="texts-missing" class="notice" role="alert">{ failed }</p> }
        } else {
            html! {}
        };
    };
    let problems = navigation.problems().iter().map(|problem| {
        html! { <li>{ problem.text(language) }</li> }
    });
    html! {
        <ContextProvider<Navigation> context={navigation.clone()}>
            <ContextProvider<Language> context={language}>
                if !navigation.address().embed {
                    <a class="skip" href="#main">{ tr!(language, "bar.skip") }</a>
                    <TopBar />
                }
                if missing {
                    <p id="texts-missing" class="notice" role="alert">
                        { tr!(language, "bar.texts-missing", language = wanted.own_name()) }
                    </p>
                }
                if !worker_is_possible {
                    <p id="no-worker" class="notice" role="alert">{ tr!(language, "bar.no-worker") }</p>
                }
                if !navigation.problems().is_empty() {
                    <div id="address-problems" class="notice" role="alert">
                        <ul>{ for problems }</ul>
                    </div>
                }
                <main id="main" tabindex="-1">{ view.show() }</main>
            </ContextProvider<Language>>
        </ContextProvider<Navigation>>
    }
}
