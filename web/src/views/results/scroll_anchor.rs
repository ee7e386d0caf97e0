//! Scroll anchoring: the row under the pointer or with the focus stays in place while the contents
//! above it change.

use web_sys::Element;
use yew::prelude::*;

use crate::browser::window;

/// The row with the focus, or the row under the pointer unless the focus is in the comparison: a button there scrolls
/// the page, which moves other rows under the pointer.
const POINTED_AT: &str =
    "body:not(:has(#pair :focus)) #results tbody:hover, #results tbody:focus-within";

/// Scrolls by the distance that a rendering moves the row under the pointer or with the focus.
/// Browsers do the same (scroll anchoring), but not at the top of a page.
#[hook]
pub fn use_scroll_anchor() {
    let before = pointed_at().map(|row| (row.get_bounding_client_rect().top(), row));
    use_effect(move || {
        if let Some((top, row)) = before.filter(|(_, row)| row.is_connected())
            && let Some(window) = window()
        {
            let moved = row.get_bounding_client_rect().top() - top;
            // Browsers also count a scroll by zero as a scroll.
            if moved.abs() >= 0.5 {
                window.scroll_by_with_x_and_y(0.0, moved);
            }
        }
    });
}

fn pointed_at() -> Option<Element> {
    window()?.document()?.query_selector(POINTED_AT).ok()?
}
