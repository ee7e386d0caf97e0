//! Publication of a loaded file on the page's own server, for all of its users.

use queens_core::document::harmless;
use yew::prelude::*;

use super::archive::{Archive, Change};
use super::entry::{Entry, Source};
use super::{stored_files, words};
use crate::browser::focus;
use crate::parts::confirm::Confirm;
use crate::words::{Language, tr, use_language};
use crate::worker::PublishOutcome;

/// The id of the sentence that says that the file is published.
const PUBLISHED: &str = "publish-done";

/// The number of characters of a server's reason that are shown.
const LONGEST_REASON: usize = 300;

#[derive(Properties, PartialEq)]
pub struct Props {
    pub entry: Entry,
    /// Receives the document's entry in the server's list, as JSON. `None` if the page has no server.
    pub on_published: Option<Callback<String>>,
}

/// The progress of a publication.
#[derive(Clone, Debug, PartialEq)]
enum Stage {
    Idle,
    /// The file was sent.
    Sent,
    /// The server has the document. The view now shows the server's document instead of the file.
    Published,
    /// The document was not published, or the page does not know whether it was.
    Failed(PublishOutcome),
}

/// A button that publishes a loaded file after a confirmation, and the outcome.
#[component]
pub fn Publish(props: &Props) -> Html {
    let language = use_language();
    let stage = use_state_eq(|| Stage::Idle);
    use_effect_with((*stage).clone(), |stage| {
        // The button with the focus is gone.
        if *stage == Stage::Published {
            focus(PUBLISHED);
        }
    });
    let Some(on_published) = props.on_published.clone() else { return html! {} };
    let on_publish = {
        let (stage, key) = (stage.setter(), props.entry.key());
        Callback::from(move |()| {
            let Some(key) = key.clone() else { return };
            stage.set(Stage::Sent);
            let (stage, on_published) = (stage.clone(), on_published.clone());
            stored_files::publish(key, move |outcome| match outcome {
                PublishOutcome::Stored(entry) => {
                    on_published.emit(entry);
                    stage.set(Stage::Published);
                }
                failed => stage.set(Stage::Failed(failed)),
            });
        })
    };
    shown(language, &props.entry, &stage, on_publish)
}

/// Returns the question whether to publish a file, which says what the server gets.
pub fn question(language: Language, file: &Entry) -> String {
    tr!(language, "results.publish.question", name = words::source(language, &file.source))
}

fn shown(language: Language, entry: &Entry, stage: &Stage, on_publish: Callback<()>) -> Html {
    match (&entry.source, stage) {
        (Source::File(_), _) if !entry.contradictions.is_empty() => html! {
            <p class="soft" id="no-publish">{ tr!(language, "results.publish.contradictory") }</p>
        },
        (Source::File(_), stage) => html! {
            <div class="publish">
                <Confirm
                    id="publish" text={tr!(language, "results.publish.ask")}
                    question={Some(AttrValue::from(question(language, entry)))}
                    yes={tr!(language, "results.publish.yes")} no={tr!(language, "results.publish.no")}
                    disabled={*stage == Stage::Sent} on_confirm={on_publish}
                />
                if *stage == Stage::Sent {
                    <p role="status">{ tr!(language, "results.publish.sending") }</p>
                }
                if let Stage::Failed(outcome) = stage {
                    <p role="alert" data-testid="not-published">{ failure(language, outcome) }</p>
                }
            </div>
        },
        (Source::Server, Stage::Published) => html! {
            <p id={PUBLISHED} class="good" tabindex="-1">{ tr!(language, "results.publish.done") }</p>
        },
        (Source::Server | Source::Link, _) => html! {},
    }
}

/// Adds a published file to the list as a document of the server, and returns the document's id. `file` is the id of
/// the file, which the browser keeps, and `listed` the entry in the server's list, as JSON. Returns `None` if the page
/// cannot read that.
pub fn store_published(
    archive: &UseReducerDispatcher<Archive>,
    file: &str,
    listed: &str,
) -> Option<String> {
    let listed = serde_json::from_str(listed).unwrap_or_default();
    match Entry::of_summary(listed) {
        Ok(published) => {
            let id = published.id.clone();
            archive.dispatch(Change::Published(file.to_owned(), Box::new(published)));
            Some(id)
        }
        Err(rejection) => {
            archive.dispatch(Change::Files(vec![Err(rejection)]));
            None
        }
    }
}

/// Says why a document was not published.
pub fn failure(language: Language, outcome: &PublishOutcome) -> String {
    match outcome {
        PublishOutcome::Rejected { status: 401, .. } => {
            tr!(language, "results.publish.untrusted")
        }
        PublishOutcome::Rejected { status, reason } if reason.is_empty() => {
            tr!(language, "results.publish.refused", status = status)
        }
        PublishOutcome::Rejected { status, reason } => {
            let reason: String = harmless(reason).chars().take(LONGEST_REASON).collect();
            tr!(language, "results.publish.refused-because", status = status, reason = reason)
        }
        PublishOutcome::Missing => tr!(language, "results.publish.missing"),
        PublishOutcome::NoAnswer | PublishOutcome::Stored(_) => {
            tr!(language, "results.publish.unheard")
        }
    }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use queens_core::Method;

    use super::*;
    use crate::parts::rendered::{elements, rendered, texts};
    use crate::views::results::entry::{LINKED, contradictory, counted};

    fn html(language: Language, entry: &Entry, stage: &Stage) -> String {
        rendered(language, shown(language, entry, stage, Callback::noop()))
    }

    #[test]
    fn only_consistent_files_can_be_published() {
        let language = Language::English;
        let file = counted("file-1", 12, Method::Mirror, 2.5);
        let linked = Entry::of_link(LINKED, (*file.header).clone());
        let mut server = file.clone();
        server.source = Source::Server;
        let has_button = |entry: &Entry| {
            !elements(&html(language, entry, &Stage::Idle), "id=\"publish\"").is_empty()
        };
        assert_eq!(
            [&file, &contradictory(1), &linked, &server].map(has_button),
            [true, false, false, false]
        );
        let why = texts(&html(language, &contradictory(1), &Stage::Idle));
        assert!(why.contains("contradicts itself"), "{why}");
        // The page does not know yet whether it has a server, or it has none.
        let entry = file.clone();
        let without_server = rendered(
            language,
            html! { <Publish {entry} on_published={None::<Callback<String>>} /> },
        );
        assert_eq!(texts(&without_server), "");
        let on_published = Some(Callback::noop());
        let with_server = rendered(language, html! { <Publish entry={file} {on_published} /> });
        assert!(texts(&with_server).contains("Publish to this server"), "{with_server}");
    }

    #[test]
    fn a_published_result_says_so() {
        let file = counted("file-1", 12, Method::Mirror, 2.5);
        let mut server = file.clone();
        server.source = Source::Server;
        for (language, part) in
            [(Language::English, "Published."), (Language::Japanese, "公開しました")]
        {
            let done = texts(&html(language, &server, &Stage::Published));
            assert!(done.contains(part), "{done}");
            let sent = html(language, &file, &Stage::Sent);
            let button = &elements(&sent, "id=\"publish\"")[0];
            assert!(button.attribute("disabled").is_some(), "{sent}");
        }
    }

    #[test]
    fn failures_are_sentences_in_both_languages() {
        let rejected =
            |status, reason: &str| PublishOutcome::Rejected { status, reason: reason.into() };
        for (outcome, english, japanese) in [
            (rejected(401, "no token"), "needs the server’s token", "トークンが必要です"),
            (rejected(503, ""), "(status 503).", "（ステータス 503）。"),
            (
                rejected(422, "n: x\u{202e}"),
                "(status 422): “n: x\\u{202e}”",
                "「n: x\\u{202e}」（英語）",
            ),
            (PublishOutcome::NoAnswer, "may or may not", "わかりません"),
            (PublishOutcome::Missing, "Load it again", "もう一度読み込んで"),
        ] {
            for (language, part) in [(Language::English, english), (Language::Japanese, japanese)] {
                let file = counted("file-1", 12, Method::Mirror, 2.5);
                let stage = Stage::Failed(outcome.clone());
                let said = texts(&html(language, &file, &stage));
                assert!(said.contains(part), "{part}: {said}");
            }
        }
        let long = failure(Language::English, &rejected(422, &"x".repeat(1000)));
        assert!(long.len() < 400, "{long}");
    }
}
