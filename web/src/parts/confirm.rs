//! A button that asks before it acts.

use std::cell::Cell;
use std::rc::Rc;

use yew::prelude::*;

use crate::browser::focus;

#[derive(Properties, PartialEq)]
pub struct Props {
    /// The id of the button. The ids of the question and of its answers begin with it.
    pub id: &'static str,
    pub text: AttrValue,
    /// The question; `None` if the button acts at once.
    pub question: Option<AttrValue>,
    /// The answers.
    pub yes: AttrValue,
    pub no: AttrValue,
    /// Called when the user presses the button and answers the question with yes.
    pub on_confirm: Callback<()>,
    #[prop_or_default]
    pub class: Classes,
    #[prop_or_default]
    pub disabled: bool,
    /// Whether the question is asked from the start, for tests.
    #[prop_or_default]
    pub is_asking: bool,
}

/// The button or, after a click on it, the question with its answers. The question is where the button was, so
/// that a second click does nothing.
#[component]
pub fn Confirm(props: &Props) -> Html {
    let Props { id, question, on_confirm, .. } = props;
    let is_asking = use_state_eq(|| props.is_asking);
    let is_cancelled = use_memo((), |()| Cell::new(false));
    let question_id = format!("{id}-question");
    let [yes_id, no_id] = ["yes", "no"].map(|answer| format!("{id}-{answer}"));
    let shown = question.as_ref().filter(|_| *is_asking);
    {
        let no_id = no_id.clone();
        let (id, is_cancelled) = (*id, Rc::clone(&is_cancelled));
        use_effect_with(shown.is_some(), move |&is_shown| {
            if is_shown {
                // The focus moves to the answer that changes nothing.
                focus(&no_id);
            } else if is_cancelled.take() {
                focus(id);
            }
        });
    }
    let press = {
        let (is_asking, asks, on_confirm) =
            (is_asking.setter(), question.is_some(), on_confirm.clone());
        Callback::from(move |_: MouseEvent| {
            if asks {
                is_asking.set(true);
            } else {
                on_confirm.emit(());
            }
        })
    };
    let cancel = {
        let is_asking = is_asking.setter();
        Callback::from(move |_: MouseEvent| {
            // The button gets the focus once it is there again.
            is_cancelled.set(true);
            is_asking.set(false);
        })
    };
    let confirm = {
        let (is_asking, on_confirm) = (is_asking.setter(), on_confirm.clone());
        Callback::from(move |_: MouseEvent| {
            is_asking.set(false);
            on_confirm.emit(());
        })
    };
    let expanded = question.is_some().then_some("false");
    html! {
        <>
            if let Some(question) = shown {
                <span id={question_id.clone()} class="question">{ question }</span>
                <button id={yes_id} type="button" onclick={confirm} aria-describedby={question_id.clone()}>
                    { &props.yes }
                </button>
                <button id={no_id} type="button" onclick={cancel} aria-describedby={question_id}>
                    { &props.no }
                </button>
            } else {
                <button
                    id={*id} class={props.class.clone()} type="button" disabled={props.disabled}
                    aria-expanded={expanded} onclick={press}
                >
                    { &props.text }
                </button>
            }
        </>
    }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;
    use crate::parts::rendered::{elements, rendered};
    use crate::words::Language;

    fn ids(question: Option<&'static str>, is_asking: bool) -> Vec<String> {
        let question = question.map(AttrValue::from);
        let html = rendered(
            Language::English,
            html! {
                <Confirm
                    id="drop" text="Drop" {question} yes="Drop" no="Keep" {is_asking}
                    on_confirm={Callback::noop()}
                />
            },
        );
        let buttons = elements(&html, "button id");
        buttons
            .iter()
            .filter_map(|button| button.attribute("id"))
            .map(|id| id.to_string())
            .collect()
    }

    #[test]
    fn the_answers_replace_the_button() {
        assert_eq!(ids(Some("Drop it?"), false), ["drop"]);
        assert_eq!(ids(Some("Drop it?"), true), ["drop-yes", "drop-no"]);
        // Nothing is left to ask about.
        assert_eq!(ids(None, true), ["drop"]);
    }
}
