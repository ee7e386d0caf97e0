//! The field for N.

use gloo_timers::callback::Timeout;
use queens_core::Size;
use web_sys::HtmlInputElement;
use yew::prelude::*;

use crate::place::use_address;
use crate::words::{size_error, use_language};

/// The pause in typing after which the board changes, in milliseconds. While the user types 12, the
/// board of N = 1 should not appear.
const PAUSE: u32 = 350;

/// The field for N. An invalid entry shows an error next to the field and leaves the board
/// unchanged.
#[component]
pub fn SizeField() -> Html {
    let language = use_language();
    let (address, navigate) = use_address();
    let size = address.size;
    let text = use_state_eq(|| size.to_string());
    let waiting = use_mut_ref(|| None::<Timeout>);
    {
        // A size that was set elsewhere replaces the typed text.
        let text = text.clone();
        use_effect_with(size, move |&size| {
            if text.parse() != Ok(size) {
                text.set(size.to_string());
            }
        });
    }
    let set_size = {
        let waiting = waiting.clone();
        move |typed: &str, pause: u32| {
            let size = typed.parse::<Size>().ok().filter(|&size| size != address.size);
            let navigate = navigate.clone();
            *waiting.borrow_mut() = size.map(|size| {
                Timeout::new(pause, move || navigate.push(navigate.address().with_size(size)))
            });
        }
    };
    let oninput = {
        let (text, set_size) = (text.clone(), set_size.clone());
        Callback::from(move |event: InputEvent| {
            let input: HtmlInputElement = event.target_unchecked_into();
            set_size(&input.value(), PAUSE);
            text.set(input.value());
        })
    };
    // The user pressed Enter or left the field.
    let onchange = Callback::from(move |event: Event| {
        let input: HtmlInputElement = event.target_unchecked_into();
        set_size(&input.value(), 0);
    });
    let error = text.parse::<Size>().err();
    html! {
        <span class="size-field">
            <label for="size">{ "N" }</label>
            <input
                id="size" type="text" inputmode="numeric" autocomplete="off" maxlength="12"
                value={(*text).clone()} {oninput} {onchange}
                aria-invalid={error.is_some().then_some("true")} aria-describedby="size-error"
            />
            <span id="size-error" class="field-error" role="alert">
                { error.map(|error| size_error(language, error)) }
            </span>
        </span>
    }
}
