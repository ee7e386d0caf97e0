//! QR codes of links.

use std::fmt::Write;

use qrcodegen::{QrCode, QrCodeEcc};
use yew::prelude::*;

/// The width of the empty margin that readers need, in modules.
const MARGIN: i32 = 4;

/// Renders the QR code of a text; `None` if the text is too long for one.
pub fn qr_code(text: &str, label: &str) -> Option<Html> {
    let code = QrCode::encode_text(text, QrCodeEcc::Medium).ok()?;
    let side = code.size() + 2 * MARGIN;
    let label = label.to_owned();
    Some(html! {
        <svg class="qr-code" viewBox={format!("0 0 {side} {side}")} role="img" aria-label={label} shape-rendering="crispEdges">
            <rect width={side.to_string()} height={side.to_string()} fill="#fff" />
            <path fill="#000" d={path(&code)} />
        </svg>
    })
}

/// Draws each dark module as a square.
fn path(code: &QrCode) -> String {
    let mut path = String::new();
    for y in 0..code.size() {
        for x in (0..code.size()).filter(|&x| code.get_module(x, y)) {
            // Writing to a string cannot fail.
            let _ = write!(path, "M{} {}h1v1h-1z", x + MARGIN, y + MARGIN);
        }
    }
    path
}
