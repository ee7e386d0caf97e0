//! The link to a comparison. Results that are only in this browser are published for it, or are in the link without
//! their tasks.

use std::rc::Rc;

use queens_state::results::link;
use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

use super::ticks::with_tick_moved;
use crate::browser::{copy, focus, link_to};
use crate::parts::confirm::Confirm;
use crate::parts::share_link::ShareLink;
use crate::place::{Address, Field, Navigate, View, use_address};
use crate::views::results::archive::{Archive, Entry, LINKED, LINKED_SECOND, Source};
use crate::views::results::publish::{failure, store_published};
use crate::views::results::{stored_files, words};
use crate::words::{Language, tr, use_language};
use crate::worker::PublishOutcome;

/// The id of the sentence that says that the results are published.
const PUBLISHED: &str = "pair-published";

#[derive(Properties, PartialEq)]
pub struct Props {
    pub pair: [Entry; 2],
    pub archive: UseReducerDispatcher<Archive>,
    /// Whether the page has a server.
    pub has_server: bool,
}

/// The progress of a publication.
#[derive(Clone, Debug, PartialEq)]
enum Stage {
    Idle,
    Sent,
    /// The server has both results, whose ids are joined by a comma. `is_copied` says whether the browser let the page
    /// copy the link.
    Published {
        pair: String,
        is_copied: bool,
    },
    /// A file, given by its name, was not published, or the page does not know whether it was.
    Failed(String, PublishOutcome),
}

/// The link to the comparison, with a button that copies it and, for files, one that publishes them first.
#[component]
pub fn SharePair(props: &Props) -> Html {
    let language = use_language();
    let (address, navigate) = use_address();
    let stage = use_state_eq(|| Stage::Idle);
    use_effect_with((*stage).clone(), |stage| {
        // The button with the focus is gone.
        if matches!(stage, Stage::Published { .. }) {
            focus(PUBLISHED);
        }
    });
    let on_publish = {
        let (stage, archive) = (stage.setter(), props.archive.clone());
        let pair = props.pair.clone();
        Callback::from(move |()| {
            stage.set(Stage::Sent);
            let run = Publication {
                files: pair.iter().filter(|entry| is_file(entry)).cloned().collect(),
                archive: archive.clone(),
                navigate: navigate.clone(),
                stage: stage.clone(),
            };
            publish(Rc::new(run), 0);
        })
    };
    html! {
        <div class="pair-share">
            { shown(language, &address, &props.pair, props.has_server, &stage, &on_publish) }
        </div>
    }
}

fn is_file(entry: &Entry) -> bool {
    matches!(entry.source, Source::File(_))
}

fn shown(
    language: Language,
    address: &Address,
    pair: &[Entry; 2],
    has_server: bool,
    stage: &Stage,
    on_publish: &Callback<()>,
) -> Html {
    let link = link_of(address, pair);
    let is_on_server = pair.iter().all(|entry| entry.source == Source::Server);
    let can_publish = has_server && !is_on_server && pair.iter().all(is_publishable);
    let ids = pair.each_ref().map(|entry| &*entry.id).join(",");
    html! {
        <>
            if can_publish {
                { publishing(language, pair, stage, on_publish) }
            }
            if let Stage::Published { pair, is_copied } = stage && *pair == ids {
                <p id={PUBLISHED} class="good" tabindex="-1">{ published(language, *is_copied) }</p>
            }
            if let Some(link) = link {
                <ShareLink
                    id="pair-share" link={link_to(&link)}
                    label={tr!(language, "results.compare.link")}
                    hint={hint(language, pair, has_server)}
                    copy={["results.compare.copy", "results.share.copied"].map(|key| AttrValue::from(tr!(language, key)))}
                />
            } else {
                <p class="soft" id="no-pair-share">{ tr!(language, "results.compare.link-too-long") }</p>
            }
        </>
    }
}

/// Whether the server has the result or would accept it from this browser.
fn is_publishable(entry: &Entry) -> bool {
    match entry.source {
        Source::Server => true,
        Source::File(_) => entry.contradictions.is_empty(),
        Source::Link => false,
    }
}

/// Renders the button that publishes what the server lacks, and the outcome.
fn publishing(
    language: Language,
    pair: &[Entry; 2],
    stage: &Stage,
    on_publish: &Callback<()>,
) -> Html {
    let files: Vec<&Entry> = pair.iter().filter(|entry| is_file(entry)).collect();
    let (text, question) = match files[..] {
        [file] => {
            let name = words::source(language, &file.source);
            (
                tr!(language, "results.compare.publish-one", name = name),
                tr!(language, "results.compare.publish-one-question", name = name),
            )
        }
        _ => (
            tr!(language, "results.compare.publish-both"),
            tr!(language, "results.compare.publish-both-question"),
        ),
    };
    html! {
        <div class="pair-publish">
            <Confirm
                id="pair-publish" {text} question={Some(AttrValue::from(question))} class="primary"
                yes={tr!(language, "results.compare.publish-yes")}
                no={tr!(language, "results.remove-no")}
                disabled={*stage == Stage::Sent} on_confirm={on_publish.clone()}
            />
            if *stage == Stage::Sent {
                <p role="status">{ tr!(language, "results.publish.sending") }</p>
            }
            if let Stage::Failed(name, outcome) = stage {
                <p role="alert" data-testid="pair-not-published">
                    { name }{ language.colon() }{ failure(language, outcome) }
                </p>
            }
        </div>
    }
}

/// Says that the results are published, and whether their link was copied.
fn published(language: Language, is_copied: bool) -> String {
    let key =
        if is_copied { "results.compare.published-copied" } else { "results.compare.published" };
    tr!(language, key)
}

/// Says what the link contains and for whom it works.
fn hint(language: Language, pair: &[Entry; 2], has_server: bool) -> String {
    let in_link = pair.iter().filter(|entry| entry.source != Source::Server).count();
    let key = match (in_link, has_server) {
        (0, _) => "results.compare.link-server",
        (1, _) => "results.compare.link-mixed",
        (_, true) => "results.compare.link-files",
        (_, false) => "results.compare.link-files-alone",
    };
    tr!(language, key)
}

/// Returns the query and the fragment of the link to a comparison. Results that are not on the server are in the
/// fragment; `None` if it would be too long.
fn link_of(address: &Address, pair: &[Entry; 2]) -> Option<String> {
    let mut linked = [LINKED, LINKED_SECOND].into_iter();
    let mut headers = vec![];
    let ids = pair.each_ref().map(|entry| {
        if entry.source == Source::Server {
            return &*entry.id;
        }
        headers.push(&*entry.header);
        linked.next().unwrap_or_default()
    });
    let section = if headers.is_empty() { None } else { Some(link::to_fragment(&headers)?) };
    Some(comparison(address, &ids.join(","), section).to_link())
}

/// Returns the address of a comparison.
fn comparison(address: &Address, pair: &str, section: Option<String>) -> Address {
    let page =
        Address { view: View::Results, language: address.language, section, ..Address::default() };
    page.with_field(Field::Pair, pair)
}

/// The publication of files.
struct Publication {
    files: Vec<Entry>,
    archive: UseReducerDispatcher<Archive>,
    navigate: Navigate,
    stage: UseStateSetter<Stage>,
}

/// Publishes the file with this index and those after it. The last one is followed by copying the link.
fn publish(run: Rc<Publication>, index: usize) {
    let Some(file) = run.files.get(index) else { return copy_link(&run) };
    let (Some(key), Source::File(name)) = (file.key(), file.source.clone()) else { return };
    let id = file.id.clone();
    stored_files::publish(key, move |outcome| match outcome {
        PublishOutcome::Stored(listed) => {
            if let Some(published) = store_published(&run.archive, &id, &listed) {
                let moved = with_tick_moved(&run.navigate.address(), &id, &published);
                run.navigate.replace(moved);
                publish(Rc::clone(&run), index + 1);
            } else {
                // The view reports the answer that it cannot read.
                run.stage.set(Stage::Idle);
            }
        }
        failed => run.stage.set(Stage::Failed(name.clone(), failed)),
    });
}

/// Copies the link to the ticked results, both of which the server has now.
fn copy_link(run: &Publication) {
    let address = run.navigate.address();
    let pair = address.results.get(Field::Pair).to_owned();
    let link = link_to(&comparison(&address, &pair, None).to_link());
    let stage = run.stage.clone();
    spawn_local(async move {
        let is_copied = copy(&link).await;
        stage.set(Stage::Published { pair, is_copied });
    });
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use queens_core::Method;

    use super::*;
    use crate::parts::rendered::{elements, rendered, texts};
    use crate::views::results::archive::{contradictory, counted};

    fn file(id: &str, seconds: f64) -> Entry {
        counted(id, 8, Method::Symmetry, seconds)
    }

    fn on_server(id: &str) -> Entry {
        let mut entry = file(id, 1.0);
        entry.source = Source::Server;
        entry
    }

    #[test]
    fn a_link_to_a_comparison_names_results_of_the_server_and_contains_others() {
        let open = |pair: [Entry; 2]| {
            let link = link_of(&Address::default(), &pair).unwrap();
            let (address, problems) = Address::parse(&link);
            assert!(problems.is_empty() && address.result.is_none(), "{link}");
            let headers = address.section.as_deref().and_then(link::from_fragment);
            let times = headers.unwrap_or_default().into_iter().map(|header| header.unwrap());
            let times: Vec<_> = times.map(|header| header.seconds.get()).collect();
            (address.results.get(Field::Pair).to_owned(), times)
        };
        assert_eq!(open([on_server("aa"), on_server("bb")]), ("aa,bb".to_owned(), vec![]));
        let mixed = open([file("file-1", 3.0), on_server("bb")]);
        assert_eq!(mixed, ("linked,bb".to_owned(), vec![3.0]));
        let both = open([file("file-1", 3.0), file("file-2", 4.0)]);
        assert_eq!(both, ("linked,linked-2".to_owned(), vec![3.0, 4.0]));
        let mut long = file("file-1", 3.0);
        Rc::make_mut(&mut long.header).backend.detail = "x".repeat(5000);
        assert_eq!(link_of(&Address::default(), &[long, on_server("bb")]), None);
    }

    #[test]
    fn files_are_published_only_after_a_question_that_says_what_is_sent() {
        let text = |language, pair: [Entry; 2], has_server, stage: &Stage| {
            let address = Address::default();
            let html = shown(language, &address, &pair, has_server, stage, &Callback::noop());
            rendered(language, html)
        };
        let files = || [file("file-1", 1.0), file("file-2", 2.0)];
        let english = Language::English;
        let can_publish = |pair, has_server| {
            let html = text(english, pair, has_server, &Stage::Idle);
            !elements(&html, "id=\"pair-publish\"").is_empty()
        };
        let linked = Entry::of_link(LINKED, (*file("a", 1.0).header).clone());
        assert!(can_publish(files(), true) && can_publish([file("a", 1.0), on_server("b")], true));
        assert!(!can_publish(files(), false));
        assert!(!can_publish([on_server("a"), on_server("b")], true));
        assert!(!can_publish([file("a", 1.0), linked], true));
        assert!(!can_publish([file("a", 1.0), contradictory(1)], true));
        for (language, parts) in [
            (english, ["times of all tasks", "Everyone who can reach"]),
            (Language::Japanese, ["すべてのタスク", "だれでも"]),
        ] {
            for key in ["both-question", "one-question"] {
                let said = tr!(language, format!("results.compare.publish-{key}"), name = "a");
                assert!(parts.iter().all(|part| said.contains(part)), "{said}");
            }
        }
        let alone = texts(&text(english, files(), false, &Stage::Idle));
        assert!(
            alone.contains("without their tasks") && alone.contains("send both files"),
            "{alone}"
        );
        let failed = Stage::Failed("a.json".into(), PublishOutcome::NoAnswer);
        assert!(texts(&text(english, files(), true, &failed)).contains("a.json: "));
    }

    #[test]
    fn a_published_pair_says_whether_its_link_was_copied() {
        let said = |language, is_copied, ids: &str| {
            let pair = [on_server("a"), on_server("b")];
            let stage = Stage::Published { pair: ids.to_owned(), is_copied };
            let address = Address::default();
            let html = shown(language, &address, &pair, true, &stage, &Callback::noop());
            texts(&rendered(language, html))
        };
        assert!(said(Language::English, true, "a,b").contains("The link is in the clipboard"));
        assert!(said(Language::English, false, "a,b").contains("Copy the link"));
        assert!(said(Language::Japanese, true, "a,b").contains("コピーしました"));
        // Another pair is compared now.
        assert!(!said(Language::English, true, "a,c").contains("Published"));
    }
}
