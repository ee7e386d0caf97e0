//! The root component: the top bar, messages about failures, and the current view.

mod later;
mod size_field;
mod top_bar;

use queens_core::Method;
use yew::prelude::*;

use crate::browser::{Theme, fetch_ahead, reload, window};
use crate::place::{Address, AddressError, Clip, Navigation, View, use_navigation};
use crate::views::explore::{LaterParts, Part};
use crate::words::{
    Bundle, Language, is_loaded, mark_language, numbered_method, plain, preferred_language, tr,
    use_texts,
};
use crate::worker;
use later::{Code, show, show_part, use_code};
use top_bar::TopBar;

/// Returns the name of the text file that a view fetches when it is opened. The page fetches the
/// file together with the view's code instead of after it.
const fn text_file(view: View) -> Option<&'static str> {
    match view {
        View::Explanation => Some("explanation"),
        View::Lesson => Some("lessons"),
        _ => None,
    }
}

/// The title of the browser's tab and of bookmarks.
fn title(language: Language, view: View, lesson: Method) -> String {
    let name = match view {
        View::Lesson => numbered_method(language, lesson),
        other => other.name(language),
    };
    plain(&format!("{name} · queens"))
}

/// Whether Explore has parts that are not on its first screen: the race of a comparison, the work of all
/// methods, the picture of the whole search, steps that play by themselves, or marked moments.
fn has_later_parts(address: &Address) -> bool {
    let layout = &address.layout;
    let is_guided = address.clip != Clip::default() || !address.moments.is_empty();
    let has_panel = address.compare.is_some() || layout.work || layout.whole;
    address.view == View::Explore && (has_panel || is_guided)
}

/// Returns the state of the code of Explore's later parts. They also need the later bundle of texts.
fn later_parts(
    language: Language,
    code: Code,
    (ask, show): (Callback<()>, Callback<Part, Html>),
) -> LaterParts {
    match code {
        Code::Loaded if is_loaded(language, Bundle::Later) => LaterParts::Loaded(show),
        Code::Failed => LaterParts::Failed,
        _ => LaterParts::Loading(ask),
    }
}

#[component]
pub fn App() -> Html {
    let navigation = use_navigation();
    let (view, lesson) = (navigation.address().view, navigation.address().lesson);
    let wanted = navigation.address().language.unwrap_or_else(preferred_language);
    let bundle = if view == View::Explore { Bundle::First } else { Bundle::Later };
    // A user who points at another view's link is likely to open it, so the code is fetched now.
    let expects_later = use_state_eq(|| false);
    let has_later_parts = has_later_parts(navigation.address());
    let fetched = if *expects_later || has_later_parts { Bundle::Later } else { bundle };
    {
        let expects_later = expects_later.setter();
        use_effect_with(view, move |_| expects_later.set(false));
    }
    let tries = use_state(|| 0_u32);
    let (language, texts_missing) = use_texts(wanted, bundle, fetched, *tries);
    let code = use_code(fetched == Bundle::Later, (bundle, *tries));
    use_effect_with((view, wanted), move |&(view, wanted)| {
        // A view whose code is loaded requests its text itself.
        if let Some(name) = text_file(view).filter(|_| code != Code::Loaded) {
            fetch_ahead(format!("{name}.{}.json", wanted.id()));
        }
    });
    let is_missing = texts_missing || bundle == Bundle::Later && code == Code::Failed;
    let can_show =
        |language| is_loaded(language, bundle) && (bundle == Bundle::First || code == Code::Loaded);
    let render_part = use_callback((), |part, &()| show_part(part));
    let on_expect = use_callback(expects_later.setter(), |(), setter| setter.set(true));
    let worker_is_possible = *use_memo((), |()| worker::is_possible());
    let worker_has_failed = worker::use_failure();
    use_effect_with((view, lesson, language), |&(view, lesson, language)| {
        let Some(language) = language else { return };
        mark_language(language);
        if let Some(document) = window().and_then(|window| window.document()) {
            document.set_title(&title(language, view, lesson));
        }
    });
    use_effect_with((), |()| {
        if let Some(theme) = Theme::chosen() {
            theme.show();
        }
    });
    let Some(language) = language else {
        return if texts_missing {
            no_texts()
        } else {
            html! {}
        };
    };
    let try_again = Callback::from(move |_| tries.set(*tries + 1));
    html! {
        <ContextProvider<Navigation> context={navigation.clone()}>
            <ContextProvider<Language> context={language}>
                if !navigation.address().is_embedded {
                    <a class="skip" href="#main">{ tr!(language, "bar.skip") }</a>
                    <TopBar on_expect={&on_expect} />
                }
                if is_missing { { part_missing(language, wanted, try_again) } }
                { worker_missing(language, worker_is_possible, worker_has_failed) }
                { address_problems(language, navigation.problems()) }
                <main id="main" tabindex="-1">
                    if can_show(language) {
                        <ContextProvider<LaterParts> context={later_parts(language, code, (on_expect.clone(), render_part))}>
                            { show(view) }
                        </ContextProvider<LaterParts>>
                    } else if is_missing {
                        <h1>{ view.name(language) }</h1>
                    }
                </main>
            </ContextProvider<Language>>
        </ContextProvider<Navigation>>
    }
}

/// Renders a message in both languages: the texts of the page could not be loaded.
fn no_texts() -> Html {
    let english = "The texts of this page could not be loaded. Reload the page to try again.";
    let japanese = "テキストを読み込めませんでした。ページを再読み込みしてください。";
    html! {
        <p id="texts-missing" class="notice" role="alert">
            { english }<br /><span lang="ja">{ japanese }</span>
        </p>
    }
}

/// Renders a message and a button to try again: the view, or its texts in the wanted language, could
/// not be loaded.
fn part_missing(language: Language, wanted: Language, try_again: Callback<MouseEvent>) -> Html {
    html! {
        <div id="texts-missing" class="notice" role="alert">
            if wanted == language {
                { tr!(language, "bar.view-missing") }
            } else {
                { tr!(language, "bar.texts-missing", language = wanted.own_name()) }
            }
            { " " }
            <button id="try-again" type="button" onclick={try_again}>
                { tr!(language, "explanation.again") }
            </button>
        </div>
    }
}

/// Renders a message if the browser lacks what the worker needs, or if a worker has failed.
fn worker_missing(language: Language, is_possible: bool, has_failed: bool) -> Html {
    html! {
        if !is_possible {
            <p id="no-worker" class="notice" role="alert">{ tr!(language, "bar.no-worker") }</p>
        } else if has_failed {
            <div id="no-worker" class="notice" role="alert">
                { tr!(language, "bar.worker-failed") }{ " " }
                <button id="start-again" type="button" onclick={|_| reload()}>
                    { tr!(language, "explanation.again") }
                </button>
            </div>
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_name_the_view_and_the_lesson() {
        let title = |language, view| title(language, view, Method::Mirror);
        assert_eq!(title(Language::English, View::Explore), "Explore · queens");
        assert_eq!(title(Language::English, View::Lesson), "8 Mirror · queens");
        assert_eq!(title(Language::Japanese, View::Lesson), "8 ミラー · queens");
        // Bookmarks and file names would keep the invisible joiners of the page's texts.
        assert_eq!(title(Language::Japanese, View::Play), "自分で並べる · queens");
    }
}
