//! Fetches the page's texts.

use std::rc::Rc;

use queens_state::text::{Bundle, Language, add, is_loaded};
use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

use crate::browser::{fetch, load_style};

/// Fetches a bundle of a language's texts, with the styles of the views that show it. Returns whether
/// the texts have arrived.
async fn fetch_texts(language: Language, bundle: Bundle) -> bool {
    let (name, style) = match bundle {
        Bundle::First => ("texts", None),
        Bundle::Later => ("later", Some(load_style("later.css"))),
    };
    if let Ok(lines) = fetch(&format!("{name}.{}.txt", language.id())).await {
        // The texts are needed as long as the page lives, and fetched once.
        add(language, bundle, lines.leak());
    }
    if let Some(style) = style {
        style.await;
    }
    bundle.is_here(language)
}

/// Returns the language that the page can be shown in, and whether texts of the wanted one could not
/// be fetched.
///
/// A language can be shown when its texts are loaded up to the bundle that the page `needs`. Until
/// then, and if fetching fails, the page keeps the previous language, or none at the start. Bundles
/// up to `come`, which may be more than is needed yet, are fetched, and again whenever `tries` or
/// the needs change.
#[hook]
pub fn use_texts(
    wanted: Language,
    needs: Bundle,
    come: Bundle,
    tries: u32,
) -> (Option<Language>, bool) {
    let failed = use_state(|| None);
    let shown = use_mut_ref(|| None);
    let on_the_way = use_mut_ref(Vec::new);
    let redraw = use_force_update();
    {
        let failed = failed.setter();
        use_effect_with((wanted, needs, come, tries), move |&(wanted, _, come, _)| {
            failed.set(None);
            let missing = |each: &Bundle| {
                *each <= come
                    && !each.is_here(wanted)
                    && !on_the_way.borrow().contains(&(wanted, *each))
            };
            for each in [Bundle::First, Bundle::Later].into_iter().filter(missing) {
                on_the_way.borrow_mut().push((wanted, each));
                let (failed, redraw) = (failed.clone(), redraw.clone());
                let on_the_way = Rc::clone(&on_the_way);
                spawn_local(async move {
                    let is_here = fetch_texts(wanted, each).await;
                    on_the_way.borrow_mut().retain(|&coming| coming != (wanted, each));
                    if is_here {
                        redraw.force_update();
                    } else {
                        failed.set(Some((wanted, each)));
                    }
                });
            }
        });
    }
    if is_loaded(wanted, needs) {
        shown.replace(Some(wanted));
    }
    let is_missing = (*failed).is_some_and(|(of, bundle)| of == wanted && bundle <= needs);
    (*shown.borrow(), is_missing && !is_loaded(wanted, needs))
}
