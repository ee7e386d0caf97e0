//! Recounts of an open document's tasks by plain backtracking, independent of the code that counted
//! them.

use std::rc::Rc;

use queens_core::document::Contradiction;
use yew::prelude::*;

use super::entry::Entry;
use crate::address::{Address, Field, Navigate, use_address};
use crate::browser::{bring_into_view, focus};
use crate::words::{Language, grouped, tr};
use crate::worker::{
    Answer, DocumentHandle, Job, JobState, RecountProgress, RecountRequest, Request, use_job,
};

/// The largest board whose tasks can all be recounted. Plain backtracking takes about a minute for
/// this board.
const MAX_SIZE_ALL: u32 = 16;

/// The largest board of which a single task can be recounted. Tasks of larger boards take too long.
const MAX_SIZE_ONE: u32 = 18;

/// The id of the progress and the outcome.
const OUTCOME: &str = "again-said";

/// The value of the address for a recount of all tasks.
const ALL: &str = "all";

/// The recount of a document, whose tasks the address names.
pub struct Recount {
    n: u32,
    address: Rc<Address>,
    navigate: Navigate,
    is_requested: bool,
    job: Job<RecountProgress>,
    on_start: Callback<()>,
}

/// Recounts the tasks that the address names, if the board is not too large.
#[hook]
pub fn use_recount(entry: &Entry) -> Recount {
    let (address, navigate) = use_address();
    let n = entry.header.n.get();
    let which = address.results.get(Field::Recount);
    let largest = if which == ALL { MAX_SIZE_ALL } else { MAX_SIZE_ONE };
    let document = entry.document.as_ref().filter(|_| n <= largest);
    let request = document.and_then(|document| recount_request(document, which));
    let is_requested = request.is_some();
    let job = use_job(request, receive);
    let on_start = use_progress_in_view(is_requested && job.state.is_active());
    Recount { n, address, navigate, is_requested, job, on_start }
}

impl Recount {
    /// Whether the board is small enough to recount a single task.
    pub fn can_do_one(&self) -> bool {
        self.n <= MAX_SIZE_ONE
    }

    /// Renders the button that recounts a task, or all tasks.
    pub fn button(&self, language: Language, task: Option<u32>) -> Html {
        let value = task.map_or_else(|| ALL.to_owned(), |id| id.to_string());
        let id = format!("again-{value}");
        let is_chosen = value == self.address.results.get(Field::Recount);
        // If the address already has this value, setting it again would not restart the recount.
        let onclick = if is_chosen {
            self.job.restart.clone()
        } else {
            let (address, navigate) = (self.address.clone(), self.navigate.clone());
            Callback::from(move |_| navigate.replace(address.with_field(Field::Recount, &value)))
        };
        let Some(task) = task else {
            // The outcome is below the table.
            let on_start = self.on_start.clone();
            let onclick = Callback::from(move |event| {
                on_start.emit(());
                onclick.emit(event);
            });
            let name = tr!(language, "results.again.all");
            return html! { <button {id} type="button" {onclick}>{ name }</button> };
        };
        let (class, sign) = match self.job.answer {
            RecountProgress { counted: 1.., mismatch_count: 0, .. } if is_chosen => ("good", "✓"),
            RecountProgress { counted: 1.., .. } if is_chosen => ("bad", "✗"),
            _ => ("", ""),
        };
        let label = tr!(language, "results.again.one", id = task);
        html! {
            <>
                <button {id} type="button" {onclick} aria-label={label}>
                    { tr!(language, "results.again.button") }
                </button>
                { " " }<span {class} aria-hidden="true">{ sign }</span>
            </>
        }
    }

    /// Renders the button for all tasks, and the progress and the outcome.
    pub fn shown(&self, language: Language, entry: &Entry) -> Html {
        let start_button = format!("again-{}", self.address.results.get(Field::Recount));
        html! {
            <section class="again">
                <h3>{ tr!(language, "results.again.title") }</h3>
                <p class="hint">{ tr!(language, "results.again.hint") }</p>
                if self.n <= MAX_SIZE_ALL {
                    <p class="choosers">{ self.button(language, None) }</p>
                }
                if !self.can_do_one() {
                    <p>{ tr!(language, "results.again.too-large") }</p>
                }
                if self.is_requested {
                    { outcome(language, &self.job, start_button, &entry.contradictions) }
                }
            </section>
        }
    }
}

/// Scrolls the progress of a recount into view when it appears. It is below the buttons, which may be at the lower edge
/// of the window. Returns a callback for the start by the user: a recount that the address starts does not scroll the
/// page.
#[hook]
fn use_progress_in_view(is_active: bool) -> Callback<()> {
    let is_started = use_mut_ref(|| false);
    let has_started = Rc::clone(&is_started);
    use_effect_with(is_active, move |&is_active| {
        if has_started.replace(false) && is_active {
            bring_into_view(OUTCOME);
        }
    });
    Callback::from(move |()| {
        is_started.replace(true);
    })
}

/// Returns the request to recount a document's tasks; `which` is `all` or the id of a task.
fn recount_request(document: &DocumentHandle, which: &str) -> Option<Request> {
    let task = if which == ALL { None } else { Some(which.parse().ok()?) };
    Some(Request::Recount(RecountRequest { document: document.id(), task }))
}

/// Stores the latest answer. Returns whether the recount is complete.
fn receive(progress: &mut RecountProgress, answer: Answer) -> bool {
    if let Answer::RecountProgress(latest) = answer {
        *progress = latest;
    }
    progress.remaining == 0
}

/// Returns the class and the sentence of the outcome. Tasks that all agree do not make a document right that
/// contradicts itself.
fn verdict(
    language: Language,
    counted: u64,
    mismatch_count: u64,
    contradictions: &[Contradiction],
) -> (&'static str, String) {
    let count = grouped(counted);
    let sums = contradictions.iter().find_map(|each| match each {
        Contradiction::TaskSum { sum, total } => {
            let sum = u64::try_from(*sum).map_or_else(|_| sum.to_string(), grouped);
            Some([sum, grouped(*total)])
        }
        _ => None,
    });
    match (counted, mismatch_count) {
        (0, _) => ("soft", tr!(language, "results.again.none")),
        (_, 0) => match sums {
            None if contradictions.is_empty() => {
                ("good", tr!(language, "results.again.agree", count = count))
            }
            None => ("bad", tr!(language, "results.again.agree-contradictory", count = count)),
            Some([sum, total]) => {
                let key = "results.again.agree-sum";
                ("bad", tr!(language, key, count = count, sum = sum, total = total))
            }
        },
        (_, different) => {
            let different = grouped(different);
            ("bad", tr!(language, "results.again.differ", count = count, different = different))
        }
    }
}

/// Renders the progress and the outcome of the recount, and a button that stops it. A click on this
/// button moves the focus to the button with the id `start_button`, because the stop button disappears.
/// `contradictions` are those of the document.
fn outcome(
    language: Language,
    job: &Job<RecountProgress>,
    start_button: String,
    contradictions: &[Contradiction],
) -> Html {
    let Job {
        answer: RecountProgress { counted, remaining, mismatch_count, mismatches },
        state,
        stop,
        ..
    } = job;
    let share = *counted as f64 / (counted + remaining).max(1) as f64;
    let (class, sentence) = verdict(language, *counted, *mismatch_count, contradictions);
    let items = mismatches.iter().map(|mismatch| {
        let recounted = mismatch.recounted.map_or_else(|| "–".to_owned(), grouped);
        let claimed = grouped(mismatch.claimed);
        html! { <li>{ tr!(language, "results.again.task", id = mismatch.id, claimed = claimed, recounted = recounted) }</li> }
    });
    let stop = stop.reform(move |event| {
        focus(&start_button);
        event
    });
    // Screen readers announce the outcome once, not after each task.
    let announcement = if state.is_active() { "" } else { sentence.as_str() };
    html! {
        <>
            <div id={OUTCOME} data-state={state.id()}>
                if state.is_active() {
                    <div class="progress-line">
                        <progress
                            max="1" value={format!("{share:.4}")}
                            aria-label={tr!(language, "results.again.title")}
                        />
                        <button
                            id="again-stop" type="button" onclick={stop}
                            disabled={*state == JobState::Waiting}
                        >
                            { tr!(language, "results.again.stop") }
                        </button>
                    </div>
                }
                if *counted > 0 || !state.is_active() {
                    <p {class}>{ &sentence }</p>
                }
                if !mismatches.is_empty() {
                    <ul>{ for items }</ul>
                }
                if *remaining > 0 {
                    <p class="soft">{ tr!(language, "results.again.left", left = grouped(*remaining)) }</p>
                }
            </div>
            <p class="hidden-text" role="status">{ announcement }</p>
        </>
    }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;
    use crate::words::plain;

    #[test]
    fn agreeing_tasks_do_not_hide_a_wrong_total() {
        let wrong = [Contradiction::TaskSum { sum: 365_596, total: 365_597 }];
        let other = [Contradiction::UniqueSum { sum: 12, unique: 13 }];
        let english = |counted, contradictions: &[Contradiction]| {
            let (class, sentence) = verdict(Language::English, counted, 0, contradictions);
            (class, plain(&sentence))
        };
        assert_eq!(english(506, &[]).0, "good");
        let (class, sentence) = english(506, &wrong);
        assert_eq!(class, "bad");
        assert!(sentence.ends_with("the tasks add up to 365,596, not to 365,597."), "{sentence}");
        let (class, sentence) = english(506, &other);
        assert!(class == "bad" && sentence.contains("contradicts itself"), "{sentence}");
        let (class, sentence) = verdict(Language::Japanese, 506, 0, &wrong);
        assert!(class == "bad" && sentence.contains("365,596"), "{sentence}");
        assert_eq!(english(0, &wrong).0, "soft");
    }
}
