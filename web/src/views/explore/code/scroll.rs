//! Scrolling to lines of a code listing.

use web_sys::Element;

use crate::browser::{bring_element_into_view, window};

fn listing(id: &str) -> Option<Element> {
    window()?.document()?.get_element_by_id(id)
}

/// Scrolls the published program to the line that did the last step.
pub fn show_published_line() {
    if let Some(listing) = listing("published") {
        scroll_to_line(&listing, ".current");
    }
}

/// Brings a line of the code listing into view and highlights it, in place of the line of the last call.
pub fn show_line(line: u32) {
    let Some(listing) = listing("code") else { return };
    if let Ok(Some(old)) = listing.query_selector(".wanted") {
        let _ = old.class_list().remove_1("wanted");
    }
    let wanted = format!("[data-line='{line}']");
    scroll_to_line(&listing, &wanted);
    if let Ok(Some(line)) = listing.query_selector(&wanted) {
        let _ = line.class_list().add_1("wanted");
        // The whole listing may be outside the window.
        bring_element_into_view(&line);
    }
}

/// Scrolls a listing to the line that matches `selector`, unless that line is well in view. On a phone, the
/// transport may be in front of the lower part of the listing; in a presentation, the tab may end above it.
pub fn scroll_to_line(listing: &Element, selector: &str) {
    /// The height of two short lines in pixels.
    const ROOM: f64 = 36.0;
    let Ok(Some(line)) = listing.query_selector(selector) else {
        return;
    };
    let frame = listing.get_bounding_client_rect();
    let line = line.get_bounding_client_rect();
    let document = window().and_then(|window| window.document());
    let frame_of = |selector: &str| {
        let element = document.as_ref()?.query_selector(selector).ok()??;
        Some(element.get_bounding_client_rect())
    };
    let transport = frame_of(".transport").map(|frame| frame.top());
    let tab = frame_of("#tab-panel").map(|frame| frame.bottom());
    let bottom = [transport, tab].into_iter().flatten().fold(frame.bottom(), f64::min);
    if line.top() < frame.top() + ROOM / 2.0 || line.bottom() > bottom - ROOM {
        // Near the top, because the lower end of the listing may be outside a low window.
        let target = f64::from(listing.scroll_top()) + line.top() - frame.top() - ROOM;
        listing.set_scroll_top(target as i32);
    }
}
