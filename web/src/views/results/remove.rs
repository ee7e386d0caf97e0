//! Removal of a document from the server, for all of its users.

use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

use super::server;
use crate::browser::focus;
use crate::words::{Language, tr, use_language};

#[derive(Properties, PartialEq)]
pub struct Props {
    /// The document's id on the server.
    pub id: String,
    /// Called after the document was removed.
    pub on_removed: Callback<()>,
}

/// The progress of a removal.
#[derive(Clone, Copy, PartialEq)]
enum Stage {
    /// Not requested, or cancelled.
    Idle,
    /// Waiting for the confirmation.
    Asking,
    /// The request was sent.
    Sent,
    /// The server refused with this status, or did not answer (`None`).
    Refused(Option<u16>),
}

/// A button that removes the document after a confirmation.
#[component]
pub fn Remove(props: &Props) -> Html {
    let language = use_language();
    let stage = use_state_eq(|| Stage::Idle);
    use_effect_with(*stage, |stage| {
        // The focus moves to the answer that deletes nothing.
        if *stage == Stage::Asking {
            focus("keep");
        }
    });
    let go = |to: Stage| {
        let stage = stage.setter();
        Callback::from(move |_: MouseEvent| stage.set(to))
    };
    let keep = {
        let stage = stage.setter();
        Callback::from(move |_: MouseEvent| {
            focus("remove");
            stage.set(Stage::Idle);
        })
    };
    let remove = {
        let (id, on_removed, stage) = (props.id.clone(), props.on_removed.clone(), stage.setter());
        Callback::from(move |_: MouseEvent| {
            stage.set(Stage::Sent);
            let (id, on_removed, stage) = (id.clone(), on_removed.clone(), stage.clone());
            spawn_local(async move {
                match server::remove(&id).await {
                    Ok(()) => on_removed.emit(()),
                    Err(status) => stage.set(Stage::Refused(status)),
                }
            });
        })
    };
    let is_asking = *stage == Stage::Asking;
    html! {
        <div class="remove">
            <button
                id="remove" type="button" aria-expanded={is_asking.to_string()}
                disabled={*stage == Stage::Sent} onclick={go(Stage::Asking)}
            >
                { tr!(language, "results.remove") }
            </button>
            if is_asking {
                <p id="remove-question">{ tr!(language, "results.remove-question") }</p>
                <button
                    id="remove-yes" type="button" onclick={remove}
                    aria-describedby="remove-question"
                >
                    { tr!(language, "results.remove-yes") }
                </button>
                <button id="keep" type="button" onclick={keep} aria-describedby="remove-question">
                    { tr!(language, "results.remove-no") }
                </button>
            }
            if let Some(refusal) = refusal(language, *stage) {
                <p role="alert" data-testid="not-removed">{ refusal }</p>
            }
        </div>
    }
}

fn refusal(language: Language, stage: Stage) -> Option<String> {
    match stage {
        Stage::Refused(Some(401)) => Some(tr!(language, "results.remove-untrusted")),
        Stage::Refused(Some(status)) => {
            Some(tr!(language, "results.remove-refused", status = status))
        }
        Stage::Refused(None) => Some(tr!(language, "results.remove-unheard")),
        Stage::Idle | Stage::Asking | Stage::Sent => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_an_unknown_outcome_without_a_response() {
        let messages =
            Language::ALL.map(|language| refusal(language, Stage::Refused(None)).unwrap());
        assert!(messages[0].contains("may or may not have been deleted"), "{messages:?}");
        assert!(messages[1].contains("削除されたかどうかはわかりません"), "{messages:?}");
    }
}
