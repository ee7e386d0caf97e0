//! The field for N.

use gloo_timers::callback::Timeout;
use queens_core::Size;
use queens_core::notation::number;
use web_sys::HtmlInputElement;
use yew::prelude::*;

use crate::address::use_address;
use crate::browser::focus_in_place;
use crate::words::{size_error, tr, use_language};

/// The pause in typing after which the board changes, in milliseconds. While the user types 12, the
/// board of N = 1 should not appear.
const PAUSE: u32 = 350;

/// The field for N between two buttons for the next smaller and larger board. An invalid entry shows an error
/// next to the field and leaves the board unchanged. Enter moves the focus to the board, so that the next keys
/// act on it.
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
            if number(&text) != Ok(size) {
                text.set(size.to_string());
            }
        });
    }
    let set_size = {
        let waiting = waiting.clone();
        move |typed: &str, pause: u32| {
            let size = number::<Size>(typed).ok().filter(|&size| size != address.size);
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
    // The user left the field.
    let onchange = {
        let set_size = set_size.clone();
        Callback::from(move |event: Event| {
            let input: HtmlInputElement = event.target_unchecked_into();
            set_size(&input.value(), 0);
        })
    };
    let beside = |step: i64| Size::new(u32::try_from(i64::from(size.get()) + step).ok()?).ok();
    let [smaller, larger] = [-1, 1].map(beside);
    let onkeydown = {
        let set_size = set_size.clone();
        Callback::from(move |event: KeyboardEvent| {
            let input: HtmlInputElement = event.target_unchecked_into();
            match event.key().as_str() {
                "Enter" if number::<Size>(&input.value()).is_ok() => focus_in_place("board"),
                key @ ("ArrowUp" | "ArrowDown") => {
                    event.prevent_default();
                    if let Some(size) = if key == "ArrowUp" { larger } else { smaller } {
                        set_size(&size.to_string(), 0);
                    }
                }
                _ => {}
            }
        })
    };
    let button = |id: &'static str, sign: &'static str, to: Option<Size>| {
        let set_size = set_size.clone();
        let onclick = Callback::from(move |_: MouseEvent| {
            if let Some(size) = to {
                set_size(&size.to_string(), 0);
            }
        });
        let disabled = to.is_none().then_some("true");
        html! {
            <button
                {id} type="button" class="size-step" {onclick} aria-disabled={disabled}
                aria-label={tr!(language, format!("bar.{id}"))}
            >
                { sign }
            </button>
        }
    };
    let error = number::<Size>(&text).err();
    html! {
        <span class="size-field">
            <label for="size">{ "N" }</label>
            { button("size-smaller", "−", smaller) }
            <input
                id="size" type="text" inputmode="numeric" autocomplete="off" maxlength="12"
                value={(*text).clone()} {oninput} {onchange} {onkeydown}
                aria-invalid={error.is_some().then_some("true")} aria-describedby="size-error"
            />
            { button("size-larger", "+", larger) }
            <span id="size-error" class="field-error" role="alert">
                { error.map(|error| size_error(language, error)) }
            </span>
        </span>
    }
}
