//! The progress as a file or a link, for another browser.

use queens_core::Method;
use queens_state::learn::progress::{LARGEST_FILE, Progress};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{File, HtmlInputElement};
use yew::prelude::*;

use super::progress;
use crate::browser::{bring_into_view, download, focus, link_to};
use crate::parts::share_link::ShareLink;
use crate::place::{Address, View, use_address};
use crate::words::{Language, tr, use_language};

/// The name of the saved file.
const NAME: &str = "queens-progress.json";

#[derive(Properties, PartialEq)]
pub struct Props {
    /// Whether there is any progress to save.
    pub can_save: bool,
    /// Called after a file or a link was added, even if it has no new levels.
    pub on_change: Callback<()>,
}

/// The outcome of adding the progress of a file or a link.
#[derive(Clone, Copy, PartialEq)]
enum MergeOutcome {
    /// The file could not be read, or it has no progress.
    NotRead,
    /// The browser does not store the progress.
    NotStored,
    /// The number of lessons with new levels.
    Added(usize),
}

/// The progress as a link and as a file, and the controls that add the progress of a link or a file.
#[component]
pub fn ProgressFile(props: &Props) -> Html {
    let language = use_language();
    let (address, navigate) = use_address();
    let linked = address.section.as_deref().and_then(Progress::from_link);
    // `None` until a file or a link was added.
    let outcome = use_state_eq(|| None::<MergeOutcome>);
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
                outcome.set(Some(merged(read(&file).await.as_ref())));
                on_change.emit(());
            });
        })
    };
    let add_linked = linked.clone().map(|linked| {
        let (outcome, on_change) = (outcome.setter(), props.on_change.clone());
        let here = Address { section: None, ..(*address).clone() };
        Callback::from(move |_: MouseEvent| {
            outcome.set(Some(merged(Some(&linked))));
            navigate.replace(here.clone());
            on_change.emit(());
            // The focused button disappears.
            focus("progress-loaded");
        })
    });
    use_effect_with(linked.is_some(), |&is_linked| {
        if is_linked {
            bring_into_view("linked-progress");
        }
    });
    let link = props.can_save.then(|| link(&address)).flatten();
    html! {
        <div class="progress-file">
            if let Some(onclick) = add_linked {
                <div id="linked-progress">
                    <p>{ tr!(language, "learn.progress.linked", levels = linked.as_ref().map_or(0, levels)) }</p>
                    <button id="add-linked" type="button" class="primary" {onclick}>{ tr!(language, "learn.progress.add") }</button>
                </div>
            }
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
            <p id="progress-loaded" role="status" tabindex="-1">{ outcome.map(|outcome| outcome_text(language, outcome)) }</p>
            <p class="hint">{ tr!(language, "learn.progress.hint") }</p>
            if let Some(link) = link {
                <details id="progress-link" class="set-homework">
                    <summary>{ tr!(language, "learn.progress.link") }</summary>
                    <ShareLink
                        link={link_to(&link)} label={tr!(language, "learn.progress.link-label")}
                        hint={tr!(language, "learn.progress.link-hint")}
                        copy={[tr!(language, "results.share.copy"), tr!(language, "results.share.copied")].map(AttrValue::from)}
                    />
                </details>
            }
        </div>
    }
}

/// The number of solved levels. A link may contain only lessons that are not done, so the number of
/// done lessons would say too little.
fn levels(progress: &Progress) -> u32 {
    Method::ALL.iter().map(|&lesson| progress.levels(lesson).count()).sum()
}

/// Adds the progress of a file or a link to that of this browser.
fn merged(other: Option<&Progress>) -> MergeOutcome {
    match other.map(progress::merge) {
        None => MergeOutcome::NotRead,
        Some(None) => MergeOutcome::NotStored,
        Some(Some(added)) => MergeOutcome::Added(added),
    }
}

/// Returns the link that carries the progress; `None` if no level is solved.
fn link(address: &Address) -> Option<String> {
    let section = Some(progress::known().to_link()?);
    let language = address.language;
    Some(Address { view: View::Learn, section, language, ..Address::default() }.to_link())
}

/// Reads the progress from a file; returns `None` if it has none.
async fn read(file: &File) -> Option<Progress> {
    if file.size() > LARGEST_FILE as f64 {
        return None;
    }
    let text = JsFuture::from(file.text()).await.ok()?;
    Progress::from_file(&text.as_string()?)
}

fn outcome_text(language: Language, outcome: MergeOutcome) -> String {
    match outcome {
        MergeOutcome::NotRead => tr!(language, "learn.progress.not-read"),
        MergeOutcome::NotStored => tr!(language, "learn.progress.not-stored"),
        MergeOutcome::Added(0) => tr!(language, "learn.progress.nothing-new"),
        MergeOutcome::Added(1) => tr!(language, "learn.progress.added-one"),
        MergeOutcome::Added(count) => tr!(language, "learn.progress.added", count = count),
    }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::parts::rendered::{elements, rendered, rendered_at};

    #[test]
    fn every_outcome_has_a_sentence() {
        let [none, one, four] = [0, 1, 4].map(MergeOutcome::Added);
        let outcomes = [MergeOutcome::NotRead, MergeOutcome::NotStored, none, one, four];
        for language in Language::ALL {
            let texts = outcomes.map(|outcome| outcome_text(language, outcome));
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
    fn levels_of_lessons_that_are_not_done_count() {
        assert_eq!(levels(&Progress::parse("flags:2")), 1);
        assert_eq!(levels(&Progress::parse("flags brute-force:13")), 6);
    }

    #[test]
    fn a_link_carries_the_progress() {
        assert_eq!(link(&Address::default()), None);
        progress::note(Method::Flags, 1);
        let query = link(&Address::default()).unwrap();
        assert_eq!(query, "?view=learn#progress=flags:2");
        progress::forget();
        let (address, problems) = Address::parse(&query);
        assert!(problems.is_empty(), "{problems:?}");
        let offered = |address: &Address| {
            let on_change = Callback::noop();
            let file = html! { <ProgressFile can_save=false {on_change} /> };
            elements(&rendered_at(Language::English, address.clone(), file), "id=\"add-linked\"")
                .len()
        };
        assert_eq!(offered(&address), 1);
        // Another fragment is a section of the text.
        for section in ["bound2", "progress=", "progress=fl%61gs"] {
            assert_eq!(
                offered(&Address { section: Some(section.to_owned()), ..address.clone() }),
                0
            );
        }
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
