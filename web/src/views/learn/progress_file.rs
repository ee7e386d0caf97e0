//! The progress as a file, for another browser.

use queens_state::learn::progress::{LARGEST_FILE, Progress};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{File, HtmlInputElement};
use yew::prelude::*;

use super::progress;
use crate::browser::download;
use crate::words::{Language, tr, use_language};

/// The name of the saved file.
const NAME: &str = "queens-progress.json";

#[derive(Properties, PartialEq)]
pub struct Props {
    /// Whether there is any progress to save.
    pub can_save: bool,
    /// Called after a file was read, even if it added no lessons.
    pub on_change: Callback<()>,
}

/// The outcome of adding a file.
#[derive(Clone, Copy, PartialEq)]
enum Outcome {
    /// The file has no progress.
    NotRead,
    /// The browser does not store the progress.
    NotStored,
    /// The file added this number of lessons.
    Added(usize),
}

/// The buttons that save the progress and add that of a file.
#[component]
pub fn ProgressFile(props: &Props) -> Html {
    let language = use_language();
    // `None` until a file was read.
    let outcome = use_state_eq(|| None::<Outcome>);
    let save = Callback::from(|_: MouseEvent| {
        download::file(NAME, "application/json", &progress::known().to_file());
    });
    let load = {
        let (outcome, on_change) = (outcome.setter(), props.on_change.clone());
        Callback::from(move |event: Event| {
            let input: HtmlInputElement = event.target_unchecked_into();
            let file = input.files().and_then(|files| files.get(0));
            // An empty field lets the user choose the same file again after correcting it.
            input.set_value("");
            let Some(file) = file else { return };
            let (outcome, on_change) = (outcome.clone(), on_change.clone());
            spawn_local(async move {
                outcome.set(Some(match read(&file).await.as_ref().map(progress::merge) {
                    None => Outcome::NotRead,
                    Some(None) => Outcome::NotStored,
                    Some(Some(added)) => Outcome::Added(added),
                }));
                on_change.emit(());
            });
        })
    };
    html! {
        <div class="progress-file">
            if props.can_save {
                <button id="save-progress" type="button" onclick={save}>
                    { tr!(language, "learn.progress.save") }
                </button>
            }
            <label class="button">
                <input
                    id="progress-file" class="hidden-text" type="file"
                    accept=".json,application/json" onchange={load}
                />
                { tr!(language, "learn.progress.load") }
            </label>
            <p id="progress-loaded" role="status">{ outcome.map(|outcome| said(language, outcome)) }</p>
            <p class="hint">{ tr!(language, "learn.progress.hint") }</p>
        </div>
    }
}

/// Reads the progress from a file; returns `None` if it has none.
async fn read(file: &File) -> Option<Progress> {
    if file.size() > LARGEST_FILE as f64 {
        return None;
    }
    let text = JsFuture::from(file.text()).await.ok()?;
    Progress::from_file(&text.as_string()?)
}

fn said(language: Language, outcome: Outcome) -> String {
    match outcome {
        Outcome::NotRead => tr!(language, "learn.progress.not-read"),
        Outcome::NotStored => tr!(language, "learn.progress.not-stored"),
        Outcome::Added(0) => tr!(language, "learn.progress.nothing-new"),
        Outcome::Added(1) => tr!(language, "learn.progress.added-one"),
        Outcome::Added(count) => tr!(language, "learn.progress.added", count = count),
    }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::parts::rendered::{elements, rendered};

    #[test]
    fn every_outcome_has_a_sentence() {
        let [none, one, four] = [0, 1, 4].map(Outcome::Added);
        let outcomes = [Outcome::NotRead, Outcome::NotStored, none, one, four];
        for language in Language::ALL {
            let texts = outcomes.map(|outcome| said(language, outcome));
            assert!(texts[4].contains('4'), "{texts:?}");
            let different: BTreeSet<_> = texts.iter().collect();
            assert_eq!(different.len(), outcomes.len(), "{texts:?}");
        }
    }

    #[test]
    fn progress_that_is_not_stored_is_not_added() {
        // The host has no storage.
        assert_eq!(progress::merge(&Progress::parse("flags")), None);
    }

    #[test]
    fn progress_can_be_saved_once_there_is_any() {
        for can_save in [false, true] {
            let on_change = Callback::noop();
            let html =
                rendered(Language::English, html! { <ProgressFile {can_save} {on_change} /> });
            assert_eq!(elements(&html, "id=\"save-progress\"").len(), usize::from(can_save));
            assert_eq!(elements(&html, "id=\"progress-file\"").len(), 1);
        }
    }
}
