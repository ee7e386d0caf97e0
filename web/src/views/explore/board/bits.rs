//! The header of rows of bits, which are aligned with the board's columns.

use yew::prelude::*;

use crate::words::{Language, tr};

/// Renders the numbers of the `n` bits, one of them highlighted, and a button for the values next to the bits.
/// Screen readers skip a header without a button, because it has nothing but numbers.
pub fn head(
    language: Language,
    n: u32,
    highlighted_bit: Option<u32>,
    button: Option<Html>,
) -> Html {
    let numbers = (0..n).rev().map(|bit| {
        let lit = (highlighted_bit == Some(bit)).then_some("lit");
        html! { <span key={bit} class={classes!("bit", lit)} data-bit={bit.to_string()}>{ bit }</span> }
    });
    html! {
        <div class="register register-head" aria-hidden={button.is_none().then_some("true")}>
            <span class="register-name">{ tr!(language, "explore.bits") }</span>
            <span class="bits" aria-hidden="true">{ for numbers }</span>
            if let Some(button) = button {
                <span class="register-hex">{ button }</span>
            }
        </div>
    }
}
