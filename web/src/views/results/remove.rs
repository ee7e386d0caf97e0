//! Removal of a document from the server, for all of its users.

use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

use super::server;
use crate::parts::confirm::Confirm;
use crate::words::{Language, tr, use_language};

#[derive(Properties, PartialEq)]
pub struct Props {
    /// The document's id on the server.
    pub id: String,
    /// The name of the run.
    pub name: AttrValue,
    /// Called after the document was removed.
    pub on_removed: Callback<()>,
}

/// The progress of a removal.
#[derive(Clone, Copy, PartialEq)]
enum Stage {
    /// Not requested.
    Idle,
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
    let remove = {
        let (id, on_removed, stage) = (props.id.clone(), props.on_removed.clone(), stage.setter());
        Callback::from(move |()| {
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
    html! {
        <div class="remove">
            <Confirm
                id="remove" text={tr!(language, "results.remove")}
                question={Some(AttrValue::from(tr!(language, "results.remove-question", name = props.name)))}
                yes={tr!(language, "results.remove-yes")} no={tr!(language, "results.remove-no")}
                disabled={*stage == Stage::Sent} on_confirm={remove}
            />
            if let Some(refusal) = refusal(language, *stage) {
                <p role="alert" data-testid="not-removed">{ refusal }</p>
            }
        </div>
    }
}

fn refusal(language: Language, stage: Stage) -> Option<String> {
    match stage {
        Stage::Refused(Some(401)) => Some(tr!(language, "results.remove-untrusted")),
        Stage::Refused(Some(507)) => Some(tr!(language, "results.remove-full")),
        Stage::Refused(Some(status)) => {
            Some(tr!(language, "results.remove-refused", status = status))
        }
        Stage::Refused(None) => Some(tr!(language, "results.remove-unheard")),
        Stage::Idle | Stage::Sent => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_what_a_full_disk_needs() {
        let messages =
            Language::ALL.map(|language| refusal(language, Stage::Refused(Some(507))).unwrap());
        assert!(messages[0].contains("needs space"), "{messages:?}");
        assert!(messages[1].contains("空き容量"), "{messages:?}");
    }

    #[test]
    fn reports_an_unknown_outcome_without_a_response() {
        let messages =
            Language::ALL.map(|language| refusal(language, Stage::Refused(None)).unwrap());
        assert!(messages[0].contains("may or may not have been deleted"), "{messages:?}");
        assert!(messages[1].contains("削除されたかどうかはわかりません"), "{messages:?}");
    }
}
