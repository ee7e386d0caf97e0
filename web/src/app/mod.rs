//! The root component: the top bar, messages about failures, and the current view.

mod later;
mod size_field;
mod top_bar;

use queens_core::Method;
use yew::prelude::*;

use crate::address::{Address, AddressError, Navigation, View, use_navigation};
use crate::browser::{Theme, fetch_ahead, focus, mark_what_moves_the_focus, reload, window};
use crate::parts::deferred::Deferred;
use crate::views::explore::{ExplorePart, LaterCode, LaterParts};
use crate::words::{
    Bundle, Language, is_loaded, mark_language, numbered_method, plain, preferred_language, tr,
    use_texts,
};
use crate::worker::{self, Failures, Health};
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

/// Whether Explore has parts that are not on its first screen: a race, or the table of work.
fn has_later_parts(address: &Address) -> bool {
    let Address { view, compare, ref layout, .. } = *address;
    view == View::Explore && (compare.is_some() || layout.work)
}

/// Returns the state of the code of Explore's later parts. They also need the later bundle of texts.
fn later_code(language: Language, code: Code, show: Callback<ExplorePart, Html>) -> LaterCode {
    match code {
        Code::Loaded if is_loaded(language, Bundle::Later) => LaterCode::Loaded(show),
        Code::Failed => LaterCode::Failed,
        _ => LaterCode::Loading,
    }
}

/// Returns whether the code of the second part is likely to be needed while this view is open, and the
/// callback that sets this to true.
#[hook]
fn use_expectation(view: View) -> (bool, Callback<()>) {
    let expects_later = use_state_eq(|| false);
    let expect = {
        let expects_later = expects_later.setter();
        use_callback((), move |(), &()| expects_later.set(true))
    };
    {
        let expects_later = expects_later.setter();
        // The first rendering must not reset it, because a part may already have asked for its code.
        let last = use_mut_ref(|| view);
        use_effect_with(view, move |&view| {
            if last.replace(view) != view {
                expects_later.set(false);
            }
        });
    }
    (*expects_later, expect)
}

/// The page. It fetches the code and the texts that the view needs, and shows the view when they are
/// loaded. If they cannot be fetched, it shows a message with a button to try again.
#[component]
pub fn App() -> Html {
    let navigation = use_navigation();
    let (view, lesson) = (navigation.address().view, navigation.address().lesson);
    let wanted = navigation.address().language.unwrap_or_else(preferred_language);
    let bundle = if view == View::Explore { Bundle::First } else { Bundle::Later };
    // A user who points at another view's link is likely to open it, so the code is fetched now.
    let (expects_later, expect) = use_expectation(view);
    let has_later_parts = has_later_parts(navigation.address());
    let fetched = if expects_later || has_later_parts { Bundle::Later } else { bundle };
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
    let worker_is_possible = *use_memo((), |()| worker::is_possible());
    let mut failures = worker::use_failures();
    if !worker_is_possible {
        failures.shared = Health::Failed;
    }
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
        let listeners = mark_what_moves_the_focus();
        move || drop(listeners)
    });
    let Some(language) = language else {
        return if texts_missing { no_texts() } else { loading() };
    };
    let try_again = Callback::from(move |_| tries.set(*tries + 1));
    let later_parts = LaterParts {
        code: later_code(language, code, render_part),
        expect: expect.clone(),
        try_again: try_again.clone(),
    };
    html! {
        <ContextProvider<Navigation> context={navigation.clone()}>
            <ContextProvider<Language> context={language}>
                if !navigation.address().is_embedded {
                    <a class="skip" href="#main" onclick={|event: MouseEvent| skip_to_main(&event)}>{ tr!(language, "bar.skip") }</a>
                    <TopBar on_expect={expect} />
                }
                if is_missing { { part_missing(language, wanted, try_again) } }
                { worker_missing(language, worker_is_possible, failures.worst()) }
                { address_problems(language, navigation.problems()) }
                <main id="main" tabindex="-1">
                    if can_show(language) {
                        <ContextProvider<Failures> context={failures}>
                            <ContextProvider<LaterParts> context={later_parts}>
                                <Deferred>{ show(view) }</Deferred>
                            </ContextProvider<LaterParts>>
                        </ContextProvider<Failures>>
                    } else if is_missing {
                        <h1>{ view.name(language) }</h1>
                    } else {
                        { loading_view(language, view) }
                    }
                </main>
            </ContextProvider<Language>>
        </ContextProvider<Navigation>>
    }
}

/// Renders what index.html shows until the page starts. After some seconds without the texts, the notice appears.
fn loading() -> Html {
    let english =
        "If this message stays, the texts of the page do not arrive. Reload the page to try again.";
    let japanese =
        "この表示が消えない場合は、テキストを読み込めていません。ページを再読み込みしてください。";
    html! {
        <>
            <p role="status">{ "Loading… " }<span lang="ja">{ "読み込み中…" }</span></p>
            <div id="slow-start" class="notice" role="alert">
                { english }<br /><span lang="ja">{ japanese }</span>
            </div>
        </>
    }
}

/// Renders what the page shows until the code and the texts of a view have arrived. After some seconds, the
/// notice appears.
fn loading_view(language: Language, view: View) -> Html {
    html! {
        <>
            // An `<h1>` says that the view is there.
            <div class="hidden-text" role="heading" aria-level="1">{ view.name(language) }</div>
            <p role="status">{ tr!(language, "tab.loading") }</p>
            <div id="slow-start" class="notice" role="alert">{ tr!(language, "bar.view-slow") }</div>
        </>
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
                { tr!(language, "explanation.again") }
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
