//! The registers of the current row in binary, below the board of a figure.

use queens_core::{Register, View};
use yew::prelude::*;

use crate::words::{Language, tr};

/// Renders the registers that describe attacked and free columns of the current row, aligned with
/// the columns of the board.
pub fn row_words(language: Language, view: &View) -> Html {
    let (n, rows) = (view.size, view.size.rows());
    let registers = [Register::Left, Register::Down, Register::Right, Register::Free];
    let words = registers.map(|register| {
        let name = register.name();
        let bits = (view.register(register).unwrap_or_default() & n.mask()).bits();
        let bits = format!("{bits:0rows$b}");
        let digits = bits.chars().map(|bit| {
            html! { <span class={classes!("bit", (bit == '1').then_some("one"))}>{ bit }</span> }
        });
        html! {
            <>
                <span class="word-name" aria-hidden="true">{ name }</span>
                <span
                    class="bits" role="img"
                    aria-label={tr!(language, "explore.register-bits", name = name, bits = bits)}
                >
                    { for digits }
                </span>
            </>
        }
    });
    html! { <div class={format!("figure-words n-{n}")}>{ for words }</div> }
}
