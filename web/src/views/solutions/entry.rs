//! The input field for a solution, with its error messages.

use std::cell::Cell;

use queens_core::Placement;
use queens_core::notation::{Notation, NotationError, solution};
use web_sys::HtmlInputElement;
use yew::prelude::*;

use crate::address::{solution_address, use_address};
use crate::parts::field_error::FieldError;
use crate::parts::paste::use_paste;
use crate::words::{notation_error, tr, use_language};

thread_local! {
    /// The solution that was last read with columns counted from 1. Showing it replaces the field.
    static FROM_1: Cell<Option<Placement>> = const { Cell::new(None) };
}

#[derive(Properties, PartialEq)]
pub struct Props {
    /// The displayed columns as text, from the address or an example.
    pub given: AttrValue,
    /// The error in these columns.
    #[prop_or_default]
    pub wrong: Option<NotationError>,
}

/// The input field, which also takes what is pasted anywhere in the view. An invalid entry shows an error when
/// it is submitted, not while the user types.
#[component]
pub fn Entry(props: &Props) -> Html {
    let language = use_language();
    let field = use_node_ref();
    let error = use_state_eq(|| None::<NotationError>);
    {
        // A solution set elsewhere replaces the entry and its error.
        let (error, field) = (error.setter(), field.clone());
        use_effect_with((props.given.clone(), props.wrong.clone()), move |(given, wrong)| {
            error.set(wrong.clone());
            if let Some(input) = field.cast::<HtmlInputElement>() {
                input.set_value(given);
            }
        });
    }
    let (address, navigate) = use_address();
    let submit = {
        let (error, field) = (error.setter(), field.clone());
        Callback::from(move |text: String| match solution(&text) {
            Ok((placement, notation)) => {
                error.set(None);
                let is_from_1 = notation == Notation::Columns { first: 1 };
                FROM_1.set(is_from_1.then_some(placement));
                navigate.push(solution_address(&address, &placement));
            }
            Err(wrong) => {
                error.set(Some(wrong));
                if let Some(input) = field.cast::<HtmlInputElement>() {
                    input.set_value(&text);
                    // A click on the button has taken the focus.
                    let _ = input.focus();
                }
            }
        })
    };
    let onsubmit = {
        let (submit, field) = (submit.clone(), field.clone());
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            if let Some(input) = field.cast::<HtmlInputElement>() {
                submit.emit(input.value());
            }
        })
    };
    use_paste(submit);
    let invalid = error.is_some().then_some("true");
    let is_from_1 = FROM_1.get().is_some_and(|read| props.given.parse() == Ok(read));
    let message = (*error).as_ref().map(|error| notation_error(language, error));
    html! {
        <form class="entry" {onsubmit}>
            <label for="solution">{ tr!(language, "symmetries.entry-label") }</label>
            <div class="entry-line">
                <input
                    id="solution" ref={field} type="text" inputmode="text" autocomplete="off"
                    spellcheck="false" class="mono" aria-invalid={invalid}
                    aria-describedby="solution-hint solution-error"
                />
                <button type="submit" class="primary">{ tr!(language, "symmetries.show") }</button>
            </div>
            <p id="solution-hint" class="hint">{ tr!(language, "symmetries.entry-hint") }</p>
            if is_from_1 {
                <p id="solution-from-1" class="hint" role="status">{ tr!(language, "symmetries.entry-from-1") }</p>
            }
            <FieldError id="solution-error" {message} />
        </form>
    }
}
