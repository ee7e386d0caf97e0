//! Recounts of an open document's tasks, with a different implementation than the one that counted
//! them.

use yew::prelude::*;

use super::archive::Entry;
use super::tasks::chosen;
use crate::browser::focus;
use crate::place::{Field, use_address};
use crate::words::{Language, grouped, tr, use_language};
use crate::worker::{Again as Recount, Answer, Held, Job, Recounted, Request, State, use_job};

/// The largest board whose tasks can all be recounted. Plain backtracking takes about a minute for
/// this board.
const LARGEST_AGAIN: u32 = 16;

/// The largest board of which a single task can be recounted. Tasks of larger boards take too long.
const LARGEST_TASK: u32 = 18;

#[derive(Properties, PartialEq)]
pub struct Props {
    /// A document that the worker has read.
    pub entry: Entry,
}

/// Buttons that start a recount, and its outcome. The address names the tasks to recount.
#[component]
pub fn Again(props: &Props) -> Html {
    let language = use_language();
    let (address, navigate) = use_address();
    let header = &props.entry.header;
    let n = header.n.get();
    let chosen = chosen(&address.list).filter(|_| n <= LARGEST_TASK);
    let which = address.list.get(Field::Again);
    let largest = if which == "all" { LARGEST_AGAIN } else { LARGEST_TASK };
    let document = props.entry.document.as_ref().filter(|_| n <= largest);
    let request = document.and_then(|document| recount(document, which));
    let counts = request.is_some();
    let job = use_job(request, take);
    let button = |id: &'static str, value: String, name: String| {
        // The address already has this value, so setting it again would not restart the recount.
        let onclick = if value == which {
            job.again.clone()
        } else {
            let (address, navigate) = (address.clone(), navigate.clone());
            Callback::from(move |_| navigate.replace(address.listing(Field::Again, &value)))
        };
        html! { <button {id} type="button" {onclick}>{ name }</button> }
    };
    let begin = if which == "all" { "again-all" } else { "again" };
    html! {
        <section class="again">
            <h3>{ tr!(language, "results.again.title") }</h3>
            <p class="hint">{ tr!(language, "results.again.hint") }</p>
            <p class="choosers">
                if let Some(id) = chosen {
                    { button("again", id.to_string(), tr!(language, "results.again.one", id = id)) }
                }
                if n <= LARGEST_AGAIN {
                    { button("again-all", "all".to_owned(), tr!(language, "results.again.all")) }
                }
            </p>
            if n > LARGEST_TASK {
                <p>{ tr!(language, "results.again.too-large") }</p>
            }
            if counts {
                { outcome(language, &job, begin) }
            }
        </section>
    }
}

/// Returns the request to recount a document's tasks; `which` is `all` or the id of a task.
fn recount(document: &Held, which: &str) -> Option<Request> {
    let task = if which == "all" { None } else { Some(which.parse().ok()?) };
    Some(Request::Again(Recount { document: document.id(), task }))
}

/// Stores the latest answer. Returns whether the recount is complete.
fn take(so_far: &mut Recounted, answer: Answer) -> bool {
    if let Answer::Recounted(recounted) = answer {
        *so_far = recounted;
    }
    so_far.left == 0
}

/// Renders the outcome of the recount, with a button that stops it and moves the focus to the
/// button `begin`.
fn outcome(language: Language, job: &Job<Recounted>, begin: &'static str) -> Html {
    let Job { answer: Recounted { counted, left, different, others }, state, stop, .. } = job;
    let share = *counted as f64 / (counted + left).max(1) as f64;
    let count = grouped(*counted);
    let (class, sentence) = match (counted, different) {
        (0, _) => ("soft", tr!(language, "results.again.none")),
        (_, 0) => ("good", tr!(language, "results.again.agree", count = count)),
        (_, different) => {
            let different = grouped(*different);
            ("bad", tr!(language, "results.again.differ", count = count, different = different))
        }
    };
    let lines = others.iter().map(|other| {
        let recounted = other.here.map_or_else(|| "–".to_owned(), grouped);
        let claimed = grouped(other.told);
        html! { <li>{ tr!(language, "results.again.task", id = other.id, told = claimed, here = recounted) }</li> }
    });
    let stop = stop.reform(move |event| {
        focus(begin);
        event
    });
    // Screen readers announce the outcome once, not after each task.
    let spoken = if state.goes_on() { "" } else { sentence.as_str() };
    html! {
        <>
            <div id="again-said" data-state={state.id()}>
                if state.goes_on() {
                    <div class="progress-line">
                        <progress
                            max="1" value={format!("{share:.4}")}
                            aria-label={tr!(language, "results.again.title")}
                        />
                        <button
                            id="again-stop" type="button" onclick={stop}
                            disabled={*state == State::Waiting}
                        >
                            { tr!(language, "results.again.stop") }
                        </button>
                    </div>
                }
                if *counted > 0 || !state.goes_on() {
                    <p {class}>{ &sentence }</p>
                }
                if !others.is_empty() {
                    <ul>{ for lines }</ul>
                }
                if *left > 0 {
                    <p class="soft">{ tr!(language, "results.again.left", left = grouped(*left)) }</p>
                }
            </div>
            <p class="hidden-text" role="status">{ spoken }</p>
        </>
    }
}
