//! The input field for a solution, with its error messages.

use queens_core::Placement;
use queens_core::material::Finding;
use queens_core::notation::{Ignored, Notation, NotationError, solution};
use web_sys::HtmlInputElement;
use yew::prelude::*;

use crate::address::{solution_address, use_address};
use crate::browser::bring_into_view;
use crate::parts::field_error::FieldError;
use crate::parts::paste::use_paste;
use crate::words::{Language, finding, notation_error, tr, use_language};

/// The solution that was last read, how it was written, and the ignored lines.
pub type Reading = (Placement, Notation, Vec<Ignored>);

#[derive(Properties, PartialEq)]
pub struct Props {
    /// The displayed columns as text, from the address or an example.
    pub given: AttrValue,
    /// What was read last. The view keeps it, because the solution has another field than the list of all.
    pub reading: UseStateHandle<Option<Reading>>,
    /// The error in these columns.
    #[prop_or_default]
    pub wrong: Option<NotationError>,
}

/// The input field, which also takes what is pasted anywhere in the view. An invalid entry shows an error when
/// it is submitted, not while the user types.
#[component]
pub fn SolutionField(props: &Props) -> Html {
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
    // The field may be at the lower edge of the window. The error appears above its hint.
    use_effect_with((*error).clone(), |error| {
        if error.is_some() {
            bring_into_view("solution-hint");
        }
    });
    let (address, navigate) = use_address();
    let submit = {
        let (error, field) = (error.setter(), field.clone());
        let reading = props.reading.setter();
        Callback::from(move |text: String| match solution(&text) {
            Ok(read) => {
                error.set(None);
                navigate.push(solution_address(&address, &read.0));
                reading.set(Some(read));
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
    let reading = props.reading.as_ref().filter(|read| props.given.parse() == Ok(read.0));
    let notes = reading.map(|reading| notes(language, reading)).unwrap_or_default();
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
                <button type="submit">{ tr!(language, "symmetries.show") }</button>
            </div>
            <FieldError id="solution-error" {message} />
            <p id="solution-hint" class="hint">{ tr!(language, "symmetries.entry-hint") }</p>
            if !notes.is_empty() {
                <p id="solution-notes" class="hint" role="status">{ notes }</p>
            }
        </form>
    }
}

/// Says whether columns were counted from 1, and names the ignored lines.
fn notes(language: Language, (_, notation, ignored): &Reading) -> String {
    let is_from_1 = *notation == Notation::Columns { first: 1 };
    let from_1 = is_from_1.then(|| tr!(language, "symmetries.entry-from-1"));
    let ignored = ignored.iter().map(|line| finding(language, &Finding::from(line)));
    from_1.into_iter().chain(ignored).collect::<Vec<_>>().join(language.space())
}
