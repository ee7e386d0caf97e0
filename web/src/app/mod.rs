//! The root component: the top bar, messages about failures, and the current view.

mod later;
mod size_field;
mod top_bar;

use queens_core::Method;
use yew::prelude::*;

use crate::address::{AddressError, Navigation, View, use_navigation};
use crate::browser::{Theme, focus, mark_what_moves_the_focus, reload, window};
use crate::parts::deferred::Deferred;
use crate::words::{Language, mark_language, numbered_method, plain, preferred_language, tr};
use crate::worker::{self, Failures, Health};
use later::{Code, show, use_code};
use top_bar::TopBar;

/// The title of the browser's tab and of bookmarks.
fn title(language: Language, view: View, lesson: Method) -> String {
    let name = match view {
        View::Lesson => numbered_method(language, lesson),
        other => other.name(language),
    };
    plain(&format!("{name} · queens"))
}

/// The page. If the code of a view cannot be fetched, it shows a message with a button to try again.
#[component]
pub fn App() -> Html {
    let navigation = use_navigation();
    let (view, lesson) = (navigation.address().view, navigation.address().lesson);
    let language = navigation.address().language.unwrap_or_else(preferred_language);
    let needs_code = view != View::Explore;
    let tries = use_state(|| 0_u32);
    let code = use_code(needs_code, navigation.address().is_embedded, *tries);
    let worker_is_possible = *use_memo((), |()| worker::is_possible());
    let mut failures = worker::use_failures();
    if !worker_is_possible {
        failures.shared = Health::Failed;
    }
    use_effect_with((view, lesson, language), |&(view, lesson, language)| {
        mark_language(language);
        if let Some(document) = window().and_then(|window| window.document()) {
            document.set_title(&title(language, view, lesson));
        }
    });
    use_effect_with((), |()| {
        if let Some(theme) = Theme::chosen() {
            theme.show();
        }
        let listeners = mark_what_moves_the_focus();
        move || drop(listeners)
    });
    html! {
        <ContextProvider<Navigation> context={navigation.clone()}>
            <ContextProvider<Language> context={language}>
                if !navigation.address().is_embedded {
                    <a class="skip" href="#main" onclick={|event: MouseEvent| skip_to_main(&event)}>{ tr!(language, "bar.skip") }</a>
                    <TopBar />
                }
                if needs_code && code == Code::Failed {
                    { view_missing(language, Callback::from(move |_| tries.set(*tries + 1))) }
                }
                { worker_missing(language, worker_is_possible, failures.worst()) }
                { address_problems(language, navigation.problems()) }
                <main id="main" tabindex="-1">
                    if !needs_code || code == Code::Loaded {
                        <ContextProvider<Failures> context={failures}>
                            <Deferred>{ show(view) }</Deferred>
                        </ContextProvider<Failures>>
                    } else if code == Code::Failed {
                        <h1>{ view.name(language) }</h1>
                    } else {
                        { loading_view(language, view) }
                    }
                </main>
            </ContextProvider<Language>>
        </ContextProvider<Navigation>>
    }
}

/// Renders what the page shows until the code of a view has arrived. After some seconds, the notice appears.
fn loading_view(language: Language, view: View) -> Html {
    html! {
        <>
            // An `<h1>` says that the view is there.
            <div class="hidden-text" role="heading" aria-level="1">{ view.name(language) }</div>
            <p role="status">{ tr!(language, "bar.loading") }</p>
            <div id="slow-start" class="notice" role="alert">{ tr!(language, "bar.view-slow") }</div>
        </>
    }
}

/// Renders a message and a button to try again: the view could not be loaded.
fn view_missing(language: Language, try_again: Callback<MouseEvent>) -> Html {
    html! {
        <div id="view-missing" class="notice" role="alert">
            { tr!(language, "bar.view-missing") }{ " " }
            <button id="try-again" type="button" onclick={try_again}>{ tr!(language, "bar.again") }</button>
        </div>
    }
}

/// Moves the focus to the view. The link's default action would replace the fragment of the address, which may
/// contain a result.
fn skip_to_main(event: &MouseEvent) {
    event.prevent_default();
    focus("main");
}

/// Renders a message if the browser lacks what the worker needs, or if a worker has failed or is silent.
fn worker_missing(language: Language, is_possible: bool, worst: Health) -> Html {
    if !is_possible {
        let text = tr!(language, "bar.no-worker");
        return html! { <p id="no-worker" class="notice" role="alert">{ text }</p> };
    }
    let key = match worst {
        Health::Working => return html! {},
        Health::Silent => "bar.worker-silent",
        Health::Failed => "bar.worker-failed",
    };
    html! {
        <div id="no-worker" class="notice" role="alert">
            { tr!(language, key) }{ " " }
            <button id="start-again" type="button" onclick={|_| reload()}>
                { tr!(language, "bar.again") }
            </button>
        </div>
    }
}

/// Lists the errors in the parameters of the address.
fn address_problems(language: Language, problems: &[AddressError]) -> Option<Html> {
    let items = problems.iter().map(|problem| html! { <li>{ problem.text(language) }</li> });
    (!problems.is_empty()).then(|| {
        html! {
            <div id="address-problems" class="notice" role="alert">
                <ul>{ for items }</ul>
            </div>
        }
    })
}

#[cfg(all(test, not(target_family = "wasm")))]
mod view_snapshots;
#[cfg(all(test, not(target_family = "wasm")))]
mod view_states;

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;
    use crate::parts::rendered::{Tag, elements, rendered};

    #[test]
    fn titles_name_the_view_and_the_lesson() {
        let title = |language, view| title(language, view, Method::Mirror);
        assert_eq!(title(Language::English, View::Explore), "Explore · queens");
        assert_eq!(title(Language::English, View::Lesson), "8 Mirror · queens");
        assert_eq!(title(Language::Japanese, View::Lesson), "8 ミラー · queens");
        // Bookmarks and file names would keep the invisible joiners of the page's texts.
        assert_eq!(title(Language::Japanese, View::Play), "自分で並べる · queens");
    }

    #[test]
    fn a_silent_worker_is_reported_until_it_is_ready() {
        for language in Language::ALL {
            let html = |health| rendered(language, worker_missing(language, true, health));
            assert_eq!(html(Health::Working), "");
            let texts = [Health::Silent, Health::Failed].map(|health| {
                let html = html(health);
                assert_eq!(elements(&html, "id=\"start-again\"").len(), 1, "{html}");
                elements(&html, "id=\"no-worker\"").iter().map(Tag::content).collect::<String>()
            });
            let silent = plain(&tr!(language, "bar.worker-silent"));
            assert!(texts[0].starts_with(&silent), "{texts:?}");
            assert_ne!(texts[0], texts[1]);
        }
    }

    #[test]
    fn a_view_that_does_not_arrive_is_reported_as_loading() {
        for (language, loading, slow) in [
            (Language::English, "Loading…", "Reload the page"),
            (Language::Japanese, "読み込んでいます…", "再読み込み"),
        ] {
            let html = rendered(language, loading_view(language, View::Learn));
            let [status, notice] = ["role=\"status\"", "id=\"slow-start\""]
                .map(|mark| elements(&html, mark).iter().map(Tag::content).collect::<String>());
            assert_eq!(status, loading);
            assert!(notice.contains(slow), "{notice}");
        }
    }
}
