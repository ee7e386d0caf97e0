//! A button that asks before it acts.

use web_sys::HtmlDialogElement;
use yew::prelude::*;

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
}

/// The button, and the question as a modal dialog. The browser moves the focus to the answer that changes nothing,
/// and back to the button when the dialog closes.
#[component]
pub fn Confirm(props: &Props) -> Html {
    let Props { id, question, on_confirm, .. } = props;
    let dialog = use_node_ref();
    let question_id = format!("{id}-question");
    let press = {
        let (dialog, on_confirm) = (dialog.clone(), on_confirm.clone());
        Callback::from(move |_: MouseEvent| match dialog.cast::<HtmlDialogElement>() {
            // Fails only if the dialog is already open.
            Some(dialog) => drop(dialog.show_modal()),
            None => on_confirm.emit(()),
        })
    };
    let close = {
        let dialog = dialog.clone();
        Callback::from(move |_: MouseEvent| {
            if let Some(dialog) = dialog.cast::<HtmlDialogElement>() {
                dialog.close();
            }
        })
    };
    let confirm = {
        let (close, on_confirm) = (close.clone(), on_confirm.clone());
        Callback::from(move |event: MouseEvent| {
            close.emit(event);
            on_confirm.emit(());
        })
    };
    html! {
        <>
            <button
                id={*id} class={props.class.clone()} type="button" disabled={props.disabled}
                aria-haspopup={question.is_some().then_some("dialog")} onclick={press}
            >
                { &props.text }
            </button>
            if let Some(question) = question {
                <dialog ref={dialog} class="question" aria-labelledby={question_id.clone()}>
                    <p id={question_id}>{ question }</p>
                    <p class="button-line">
                        <button id={format!("{id}-yes")} type="button" onclick={confirm}>{ &props.yes }</button>
                        <button id={format!("{id}-no")} type="button" autofocus=true onclick={close}>{ &props.no }</button>
                    </p>
                </dialog>
            }
        </>
    }
}

#[cfg(all(test, not(target_family = "wasm")))]
mod tests {
    use super::*;
    use crate::parts::rendered::{elements, rendered};
    use crate::words::Language;

    /// A question that was pending when it lost its cause, such as another range of a count, appeared again by
    /// itself when the cause came back.
    #[test]
    fn only_the_button_asks() {
        let shown = |question: Option<&'static str>| {
            let question = question.map(AttrValue::from);
            rendered(
                Language::English,
                html! {
                    <Confirm
                        id="drop" text="Drop" {question} yes="Drop" no="Keep"
                        on_confirm={Callback::noop()}
                    />
                },
            )
        };
        let html = shown(Some("Drop it?"));
        let dialog = elements(&html, "class=\"question\"")[0];
        assert_eq!(dialog.attribute("open"), None);
        assert!(elements(&html, "id=\"drop-no\"")[0].attribute("autofocus").is_some());
        // Nothing is left to ask about.
        assert!(!shown(None).contains("dialog"));
    }
}
