//! The page's texts, fetched on demand.

use std::rc::Rc;

use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

use super::language::Language;
use super::lookup::{Bundle, add, is_loaded};
use crate::browser::{fetch, load_style};

/// Fetches a bundle of a language's texts, with the styles of the views that need the bundle.
/// Returns whether the texts have arrived.
async fn fetch_texts(language: Language, bundle: Bundle) -> bool {
    let (name, style) = match bundle {
        Bundle::First => ("texts", None),
        Bundle::Later => ("later", Some(load_style("later.css"))),
    };
    if let Ok(lines) = fetch(&format!("{name}.{}.txt", language.id())).await {
        // The texts are needed as long as the page lives, so their memory is never released.
        add(language, bundle, lines.leak());
    }
    if let Some(style) = style {
        style.await;
    }
    bundle.is_here(language)
}

/// Returns the language that the page can be shown in, and whether texts of the `wanted` language
/// could not be fetched.
///
/// A language can be shown when its texts are loaded up to the bundle `needed`. Until then, and if
/// fetching fails, the page keeps the previous language, or shows none at the start. Bundles up to
/// `fetched`, which may be later than `needed`, are fetched. A change of any argument, including
/// `tries`, fetches missing bundles again.
#[hook]
pub fn use_texts(
    wanted: Language,
    needed: Bundle,
    fetched: Bundle,
    tries: u32,
) -> (Option<Language>, bool) {
    let failed = use_state(|| None);
    let shown = use_mut_ref(|| None);
    let pending = use_mut_ref(Vec::new);
    let update = use_force_update();
    {
        let failed = failed.setter();
        use_effect_with((wanted, needed, fetched, tries), move |&(wanted, _, fetched, _)| {
            failed.set(None);
            let missing = |each: &Bundle| {
                *each <= fetched
                    && !each.is_here(wanted)
                    && !pending.borrow().contains(&(wanted, *each))
            };
            for each in [Bundle::First, Bundle::Later].into_iter().filter(missing) {
                pending.borrow_mut().push((wanted, each));
                let (failed, update) = (failed.clone(), update.clone());
                let pending = Rc::clone(&pending);
                spawn_local(async move {
                    let is_here = fetch_texts(wanted, each).await;
                    pending.borrow_mut().retain(|&entry| entry != (wanted, each));
                    if is_here {
                        update.force_update();
                    } else {
                        failed.set(Some((wanted, each)));
                    }
                });
            }
        });
    }
    if is_loaded(wanted, needed) {
        shown.replace(Some(wanted));
    }
    let is_missing =
        (*failed).is_some_and(|(language, bundle)| language == wanted && bundle <= needed);
    (*shown.borrow(), is_missing && !is_loaded(wanted, needed))
}
