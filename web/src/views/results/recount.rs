//! Recounts of an open document's tasks by plain backtracking, independent of the code that counted
//! them.

use yew::prelude::*;

use super::archive::Entry;
use super::tasks::chosen;
use crate::browser::focus;
use crate::place::{Field, use_address};
use crate::words::{Language, grouped, tr, use_language};
use crate::worker::{
    Answer, DocumentHandle, Job, JobState, RecountProgress, RecountRequest, Request, use_job,
};

/// The largest board whose tasks can all be recounted. Plain backtracking takes about a minute for
/// this board.
const MAX_SIZE_ALL: u32 = 16;

/// The largest board of which a single task can be recounted. Tasks of larger boards take too long.
const MAX_SIZE_ONE: u32 = 18;

#[derive(Properties, PartialEq)]
pub struct Props {
    /// A document that the worker has read.
    pub entry: Entry,
}

/// Buttons that start a recount, and its outcome. The address names the tasks to recount.
#[component]
pub fn Recount(props: &Props) -> Html {
    let language = use_language();
    let (address, navigate) = use_address();
    let header = &props.entry.header;
    let n = header.n.get();
    let chosen = chosen(&address.results).filter(|_| n <= MAX_SIZE_ONE);
    let which = address.results.get(Field::Recount);
    let largest = if which == "all" { MAX_SIZE_ALL } else { MAX_SIZE_ONE };
    let document = props.entry.document.as_ref().filter(|_| n <= largest);
    let request = document.and_then(|document| recount_request(document, which));
    let is_requested = request.is_some();
    let job = use_job(request, receive);
    let button = |id: &'static str, value: String, name: String| {
        // If the address already has this value, setting it again would not restart the recount.
        let onclick = if value == which {
            job.restart.clone()
        } else {
            let (address, navigate) = (address.clone(), navigate.clone());
            Callback::from(move |_| navigate.replace(address.with_field(Field::Recount, &value)))
        };
        html! { <button {id} type="button" {onclick}>{ name }</button> }
    };
    let start_button = if which == "all" { "again-all" } else { "again" };
    html! {
        <section class="again">
            <h3>{ tr!(language, "results.again.title") }</h3>
            <p class="hint">{ tr!(language, "results.again.hint") }</p>
            <p class="choosers">
                if let Some(id) = chosen {
                    { button("again", id.to_string(), tr!(language, "results.again.one", id = id)) }
                }
                if n <= MAX_SIZE_ALL {
                    { button("again-all", "all".to_owned(), tr!(language, "results.again.all")) }
                }
            </p>
            if n > MAX_SIZE_ONE {
                <p>{ tr!(language, "results.again.too-large") }</p>
            }
            if is_requested {
                { outcome(language, &job, start_button) }
            }
        </section>
    }
}

/// Returns the request to recount a document's tasks; `which` is `all` or the id of a task.
fn recount_request(document: &DocumentHandle, which: &str) -> Option<Request> {
    let task = if which == "all" { None } else { Some(which.parse().ok()?) };
    Some(Request::Recount(RecountRequest { document: document.id(), task }))
}

/// Stores the latest answer. Returns whether the recount is complete.
fn receive(progress: &mut RecountProgress, answer: Answer) -> bool {
    if let Answer::RecountProgress(latest) = answer {
        *progress = latest;
    }
    progress.remaining == 0
}

/// Renders the progress and the outcome of the recount, and a button that stops it. A click on this
/// button moves the focus to the button with the id `start_button`, because the stop button disappears.
fn outcome(language: Language, job: &Job<RecountProgress>, start_button: &'static str) -> Html {
    let Job {
        answer: RecountProgress { counted, remaining, mismatch_count, mismatches },
        state,
        stop,
        ..
    } = job;
    let share = *counted as f64 / (counted + remaining).max(1) as f64;
    let count = grouped(*counted);
    let (class, sentence) = match (counted, mismatch_count) {
        (0, _) => ("soft", tr!(language, "results.again.none")),
        (_, 0) => ("good", tr!(language, "results.again.agree", count = count)),
        (_, different) => {
            let different = grouped(*different);
            ("bad", tr!(language, "results.again.differ", count = count, different = different))
        }
    };
    let items = mismatches.iter().map(|mismatch| {
        let recounted = mismatch.recounted.map_or_else(|| "–".to_owned(), grouped);
        let claimed = grouped(mismatch.claimed);
        html! { <li>{ tr!(language, "results.again.task", id = mismatch.id, claimed = claimed, recounted = recounted) }</li> }
    });
    let stop = stop.reform(move |event| {
        focus(start_button);
        event
    });
    // Screen readers announce the outcome once, not after each task.
    let announcement = if state.is_active() { "" } else { sentence.as_str() };
    html! {
        <>
            <div id="again-said" data-state={state.id()}>
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
