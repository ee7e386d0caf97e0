//! The field for N.

use queens_core::{Size, SizeError};
use web_sys::HtmlInputElement;
use yew::prelude::*;

use crate::i18n::{size_error, use_language};
use crate::navigation::use_address;

/// The field for N. A wrong entry gets a sentence beside it; the board stays as it was.
#[component]
pub fn SizeField() -> Html {
    let language = use_language();
    let (address, navigate) = use_address();
    let error = use_state_eq(|| None::<SizeError>);
    let size = address.size;
    {
        // Another board from elsewhere ends the complaint.
        let error = error.setter();
        use_effect_with(size, move |_| error.set(None));
    }
    let oninput = {
        let error = error.setter();
        Callback::from(move |event: InputEvent| {
            let input: HtmlInputElement = event.target_unchecked_into();
            match input.value().parse::<Size>() {
                Ok(size) => {
                    error.set(None);
                    if size != address.size {
                        navigate.push(address.with_size(size));
                    }
                }
                Err(wrong) => error.set(Some(wrong)),
            }
        })
    };
    let invalid = error.is_some().then_some("true");
    html! {
        <span class="size-field">
            <label for="size">{ "N" }</label>
            <input
                id="size" type="text" inputmode="numeric" autocomplete="off" maxlength="12"
                value={size.to_string()} {oninput} aria-invalid={invalid}
                aria-describedby="size-error"
            />
            <span id="size-error" class="field-error" role="alert">
                { error.map(|error| size_error(language, error)) }
            </span>
        </span>
    }
}
