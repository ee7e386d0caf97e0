//! The registers of the current row in binary, below the board of a figure.

use std::fmt::Write;

use queens_core::{Register, View};
use yew::prelude::*;

use crate::words::{Language, tr};

/// Renders the registers that describe attacked and free columns of the current row, aligned with
/// the columns of the board. They are written as text, like the board.
pub fn row_words(language: Language, view: &View) -> Html {
    let (n, rows) = (view.size, view.size.rows());
    let mut text = format!("<div class=\"figure-words n-{n}\">");
    // Writing to a string cannot fail.
    for register in [Register::Left, Register::Down, Register::Right, Register::Free] {
        let name = register.name();
        let bits = (view.register(register).unwrap_or_default() & n.mask()).bits();
        let bits = format!("{bits:0rows$b}");
        let label = tr!(language, "explore.register-bits", name = name, bits = bits);
        let _ = write!(
            text,
            "<span class=\"word-name\" aria-hidden=\"true\">{name}</span>\
             <span class=\"bits\" role=\"img\" aria-label=\"{label}\">"
        );
        for bit in bits.chars() {
            let class = if bit == '1' { " one" } else { "" };
            let _ = write!(text, "<span class=\"bit{class}\">{bit}</span>");
        }
        text.push_str("</span>");
    }
    text.push_str("</div>");
    Html::from_html_unchecked(text.into())
}
