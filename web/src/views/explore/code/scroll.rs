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
    let function_top = function_of(&line).map(|start| start.get_bounding_client_rect().top());
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
        // The whole function up to the line, if there is room, so that the listing stays where it is while the
        // search is in that function. Otherwise near the top, because the lower end of the listing may be outside
        // a low window.
        let fits = |top: &f64| line.bottom() - top < bottom - frame.top() - 2.0 * ROOM;
        let top = function_top.filter(fits).unwrap_or(line.top() - ROOM / 2.0);
        let target = f64::from(listing.scroll_top()) + top - frame.top() - ROOM / 2.0;
        listing.set_scroll_top(target as i32);
    }
}

/// Returns the first line of the function that a line is in.
fn function_of(line: &Element) -> Option<Element> {
    let mut line = Some(line.clone());
    while let Some(current) = line {
        if current.has_attribute("data-function") {
            return Some(current);
        }
        line = current.previous_element_sibling();
    }
    None
}
