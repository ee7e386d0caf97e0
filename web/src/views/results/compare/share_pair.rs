//! The link to a comparison. Results that are only in this browser are published for it, or are in the link without
//! their tasks.

use std::rc::Rc;

use queens_state::results::link;
use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

use super::ticks::{ticked, with_tick_moved};
use crate::browser::{copy, focus, link_to};
use crate::parts::confirm::Confirm;
use crate::parts::share_link::ShareLink;
use crate::place::{Address, Field, Navigate, View, use_address};
use crate::views::results::archive::{Archive, Server};
use crate::views::results::entry::{Entry, LINKED, LINKED_SECOND, Source};
use crate::views::results::last_opened::with_id_replaced;
use crate::views::results::publish::{failure, question, store_published};
use crate::views::results::{stored_files, words};
use crate::words::{Language, tr, use_language};
use crate::worker::PublishOutcome;

/// The id of the sentence that says that the results are published.
const PUBLISHED: &str = "pair-published";

/// The id of the sentence that says that a file was not published.
const NOT_PUBLISHED: &str = "pair-not-published";

#[derive(Properties, PartialEq)]
pub struct Props {
    pub pair: [Entry; 2],
    pub archive: UseReducerDispatcher<Archive>,
    pub server: Server,
}

/// What was done to publish a pair.
#[derive(Clone, Debug, PartialEq)]
enum Stage {
    Idle,
    Sent,
    /// The server has both results. `is_copied` says whether the browser let the page copy the link.
    Published {
        is_copied: bool,
    },
    /// A file was not published, or the page does not know whether it was.
    Failed {
        /// The name of the other file, if that was published before.
        published: Option<String>,
        name: String,
        outcome: PublishOutcome,
    },
}

/// The publication that was started last.
#[derive(Clone, Debug, PartialEq)]
struct PairProgress {
    /// The ids of the pair, joined by a comma. The id of a published file is that of the server's document.
    pair: String,
    stage: Stage,
}

impl Default for PairProgress {
    fn default() -> PairProgress {
        PairProgress { pair: String::new(), stage: Stage::Idle }
    }
}

impl PairProgress {
    /// Returns the stage of this pair. That of another pair says nothing about it.
    fn of(&self, pair: &str) -> &Stage {
        if self.pair == pair { &self.stage } else { &Stage::Idle }
    }
}

/// A change of the progress.
enum ProgressChange {
    Start(String),
    /// The publication of the pair `before` reached this stage. It is ignored after the start of another one.
    Next {
        before: String,
        now: PairProgress,
    },
}

impl Reducible for PairProgress {
    type Action = ProgressChange;

    fn reduce(self: Rc<Self>, step: ProgressChange) -> Rc<PairProgress> {
        match step {
            ProgressChange::Start(pair) => Rc::new(PairProgress { pair, stage: Stage::Sent }),
            ProgressChange::Next { before, now } if before == self.pair => Rc::new(now),
            ProgressChange::Next { .. } => self,
        }
    }
}

/// The link to the comparison, with a button that copies it and, for files, one that publishes them first.
#[component]
pub fn SharePair(props: &Props) -> Html {
    let language = use_language();
    let (address, navigate) = use_address();
    let progress = use_reducer_eq(PairProgress::default);
    use_effect_with((*progress).clone(), |progress| match progress.stage {
        // The button with the focus is gone.
        Stage::Published { .. } => focus(PUBLISHED),
        Stage::Failed { .. } => focus(NOT_PUBLISHED),
        Stage::Idle | Stage::Sent => {}
    });
    let ids = ids(&props.pair);
    let on_publish = {
        let (progress, archive) = (progress.dispatcher(), props.archive.clone());
        let (pair, ids) = (props.pair.clone(), ids.clone());
        Callback::from(move |()| {
            progress.dispatch(ProgressChange::Start(ids.clone()));
            let run = Publication {
                files: pair.iter().filter(|entry| is_file(entry)).cloned().collect(),
                archive: archive.clone(),
                navigate: navigate.clone(),
                progress: progress.clone(),
            };
            publish(Rc::new(run), Done { pair: ids.clone(), names: vec![] });
        })
    };
    html! {
        <div class="pair-share">
            { shown(language, &address, &props.pair, props.server, progress.of(&ids), &on_publish) }
        </div>
    }
}

/// Returns the ids of a pair, joined by a comma.
fn ids(pair: &[Entry; 2]) -> String {
    pair.each_ref().map(|entry| &*entry.id).join(",")
}

fn is_file(entry: &Entry) -> bool {
    matches!(entry.source, Source::File(_))
}

fn shown(
    language: Language,
    address: &Address,
    pair: &[Entry; 2],
    server: Server,
    stage: &Stage,
    on_publish: &Callback<()>,
) -> Html {
    let link = link_of(address, pair);
    let is_on_server = pair.iter().all(|entry| entry.source == Source::Server);
    let has_server = !matches!(server, Server::Unknown | Server::Absent);
    let can_publish = has_server && !is_on_server && pair.iter().all(is_publishable);
    html! {
        <>
            if can_publish {
                { publishing(language, pair, stage, on_publish) }
            }
            if let Stage::Published { is_copied } = stage {
                <p id={PUBLISHED} class="good" tabindex="-1">{ published(language, *is_copied) }</p>
            }
            if let Some(link) = link {
                <ShareLink
                    id="pair-share" link={link_to(&link)}
                    label={tr!(language, "results.compare.link")}
                    hint={hint(language, pair, server)}
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
            (tr!(language, "results.compare.publish-one", name = name), question(language, file))
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
            if let Stage::Failed { published, name, outcome } = stage {
                <p id={NOT_PUBLISHED} role="alert" tabindex="-1">
                    if let Some(published) = published {
                        { tr!(language, "results.compare.published-only", name = published) }
                        { language.space() }
                    }
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

/// Says what the link contains and for whom it works. Whether the page has a server is unknown at first.
fn hint(language: Language, pair: &[Entry; 2], server: Server) -> String {
    let in_link = pair.iter().filter(|entry| entry.source != Source::Server).count();
    let key = match (in_link, server) {
        (0, _) => "results.compare.link-server",
        (1, _) => "results.compare.link-mixed",
        (_, Server::Absent) => "results.compare.link-files-alone",
        _ => "results.compare.link-files",
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

/// The publication of the files of a pair.
struct Publication {
    files: Vec<Entry>,
    archive: UseReducerDispatcher<Archive>,
    navigate: Navigate,
    progress: UseReducerDispatcher<PairProgress>,
}

/// How far a publication has got.
#[derive(Clone)]
struct Done {
    /// The ids of the pair, joined by a comma.
    pair: String,
    /// The names of the published files.
    names: Vec<String>,
}

impl Done {
    /// Returns the progress after a file, given by its name and its id, was published with the id `published`.
    fn with(&self, name: &str, file: &str, published: &str) -> Done {
        let pair = with_id_replaced(&self.pair, file, published);
        Done { pair, names: [self.names.as_slice(), &[name.to_owned()]].concat() }
    }
}

impl Publication {
    /// Shows the next stage of the pair, unless the user has started another publication. The ids of the pair were
    /// `before`.
    fn show(&self, before: &str, pair: &str, stage: Stage) {
        let now = PairProgress { pair: pair.to_owned(), stage };
        self.progress.dispatch(ProgressChange::Next { before: before.to_owned(), now });
    }
}

/// Publishes the next file and those after it. The last one is followed by copying the link.
fn publish(run: Rc<Publication>, done: Done) {
    let Some(file) = run.files.get(done.names.len()) else { return copy_link(run, done.pair) };
    let (Some(key), Source::File(name)) = (file.key(), file.source.clone()) else { return };
    let id = file.id.clone();
    stored_files::publish(key, move |outcome| match outcome {
        PublishOutcome::Stored(listed) => {
            if let Some(published) = store_published(&run.archive, &id, &listed) {
                let address = run.navigate.address();
                // The user may have changed the ticks or the view while the file was sent.
                if ticked(&address.results).any(|ticked| ticked == id) {
                    run.navigate.replace(with_tick_moved(&address, &id, &published));
                }
                let next = done.with(&name, &id, &published);
                run.show(&done.pair, &next.pair, Stage::Sent);
                publish(Rc::clone(&run), next);
            } else {
                // The view reports the answer that it cannot read.
                run.show(&done.pair, &done.pair, Stage::Idle);
            }
        }
        outcome => {
            let published = done.names.last().cloned();
            let failed = Stage::Failed { published, name: name.clone(), outcome };
            run.show(&done.pair, &done.pair, failed);
        }
    });
}

/// Copies the link to the published pair, both results of which the server has now, if the user still compares it.
fn copy_link(run: Rc<Publication>, pair: String) {
    let link = link_to_copy(&run.navigate.address(), &pair);
    spawn_local(async move {
        let is_copied = match link {
            Some(link) => copy(&link_to(&link)).await,
            None => false,
        };
        run.show(&pair, &pair, Stage::Published { is_copied });
    });
}

/// Returns the query of the link to a published pair; `None` if the user has left its comparison.
fn link_to_copy(address: &Address, pair: &str) -> Option<String> {
    let is_compared = address.view == View::Results && address.results.get(Field::Pair) == pair;
    is_compared.then(|| comparison(address, pair, None).to_link())
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use queens_core::Method;

    use super::*;
    use crate::parts::rendered::{elements, rendered, texts};
    use crate::views::results::entry::{contradictory, counted};

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
        let text = |language, pair: [Entry; 2], server, stage: &Stage| {
            let address = Address::default();
            let html = shown(language, &address, &pair, server, stage, &Callback::noop());
            rendered(language, html)
        };
        let files = || [file("file-1", 1.0), file("file-2", 2.0)];
        let english = Language::English;
        let [live, absent] = [Server::Live, Server::Absent];
        let can_publish = |pair, server| {
            let html = text(english, pair, server, &Stage::Idle);
            !elements(&html, "id=\"pair-publish\"").is_empty()
        };
        let linked = Entry::of_link(LINKED, (*file("a", 1.0).header).clone());
        assert!(can_publish(files(), live) && can_publish([file("a", 1.0), on_server("b")], live));
        assert!(!can_publish(files(), absent));
        assert!(!can_publish([on_server("a"), on_server("b")], live));
        assert!(!can_publish([file("a", 1.0), linked], live));
        assert!(!can_publish([file("a", 1.0), contradictory(1)], live));
        for (language, parts) in [
            (
                english,
                [
                    "with all",
                    "device, processor, system",
                    "times of all tasks",
                    "Everyone who can reach",
                ],
            ),
            (
                Language::Japanese,
                ["すべての項目", "デバイス、プロセッサ、システム", "すべてのタスク", "だれでも"],
            ),
        ] {
            for said in [
                tr!(language, "results.compare.publish-both-question"),
                question(language, &file("a", 1.0)),
            ] {
                assert!(parts.iter().all(|part| said.contains(part)), "{said}");
            }
        }
        let alone = texts(&text(english, files(), absent, &Stage::Idle));
        assert!(
            alone.contains("without their tasks") && alone.contains("send both files"),
            "{alone}"
        );
        // The page does not know yet whether it has a server.
        let unknown = texts(&text(english, files(), Server::Unknown, &Stage::Idle));
        assert!(!unknown.contains("no server"), "{unknown}");
    }

    #[test]
    fn a_failed_publication_names_the_file_that_was_published_before() {
        let said = |language, published: Option<&str>| {
            let (published, name) = (published.map(str::to_owned), "b.json".to_owned());
            let failed = Stage::Failed { published, name, outcome: PublishOutcome::NoAnswer };
            let pair = [on_server("a"), file("file-2", 2.0)];
            let address = Address::default();
            let html = shown(language, &address, &pair, Server::Live, &failed, &Callback::noop());
            texts(&rendered(language, html))
        };
        let english = said(Language::English, Some("a.json"));
        assert!(english.contains("a.json is published. b.json: "), "{english}");
        assert!(!said(Language::English, None).contains("is published."));
        assert!(
            said(Language::Japanese, Some("a.json")).contains("「a.json」は公開しました。b.json")
        );
    }

    #[test]
    fn the_link_to_a_published_pair_leads_to_what_was_published() {
        let done = Done { pair: "file-1,file-2".into(), names: vec![] };
        let done = done.with("a.json", "file-1", "aa").with("b.json", "file-2", "bb");
        assert_eq!(done.pair, "aa,bb");
        assert_eq!(done.names, ["a.json", "b.json"]);
        let compared = |pair: &str| Address {
            view: View::Results,
            ..Address::default().with_field(Field::Pair, pair)
        };
        let link = link_to_copy(&compared("aa,bb"), &done.pair).unwrap();
        let (address, _) = Address::parse(&link);
        assert_eq!(address.results.get(Field::Pair), "aa,bb");
        // The user has ticked another result, or has left the view.
        assert_eq!(link_to_copy(&compared("bb,cc"), &done.pair), None);
        let left = Address { view: View::Explore, ..compared("aa,bb") };
        assert_eq!(link_to_copy(&left, &done.pair), None);
    }

    #[test]
    fn each_pair_has_its_own_publication() {
        let at = |pair: &str, stage| PairProgress { pair: pair.to_owned(), stage };
        let after = |progress: &PairProgress, before: &str, now| {
            let next = ProgressChange::Next { before: before.to_owned(), now };
            (*Rc::new(progress.clone()).reduce(next)).clone()
        };
        let sent =
            (*Rc::new(PairProgress::default()).reduce(ProgressChange::Start("a,b".into()))).clone();
        assert_eq!(sent.of("a,b"), &Stage::Sent);
        assert_eq!(sent.of("b,c"), &Stage::Idle);
        // The ids of files change when they are published.
        let published = after(&sent, "a,b", at("x,y", Stage::Published { is_copied: true }));
        assert_eq!(published.of("x,y"), &Stage::Published { is_copied: true });
        assert_eq!(published.of("a,b"), &Stage::Idle);
        // An answer to an earlier publication does not end the later one.
        assert_eq!(after(&sent, "c,d", at("c,d", Stage::Idle)), sent);
    }

    #[test]
    fn a_published_pair_says_whether_its_link_was_copied() {
        let said = |language, is_copied, ids: &str| {
            let pair = [on_server("a"), on_server("b")];
            let progress =
                PairProgress { pair: ids.to_owned(), stage: Stage::Published { is_copied } };
            let stage = progress.of(&super::ids(&pair));
            let address = Address::default();
            let html = shown(language, &address, &pair, Server::Live, stage, &Callback::noop());
            texts(&rendered(language, html))
        };
        assert!(said(Language::English, true, "a,b").contains("The link is in the clipboard"));
        assert!(said(Language::English, false, "a,b").contains("Copy the link"));
        assert!(said(Language::Japanese, true, "a,b").contains("コピーしました"));
        // Another pair is compared now.
        assert!(!said(Language::English, true, "a,c").contains("Published"));
    }
}
