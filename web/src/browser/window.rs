//! The window: its clock, its size, its language.

/// Milliseconds since the page was opened.
pub fn now() -> f64 {
    web_sys::window()
        .and_then(|window| window.performance())
        .map_or(0.0, |performance| performance.now())
}

/// Whether the window is as a media query says.
pub fn fits(query: &str) -> bool {
    web_sys::window()
        .and_then(|window| window.match_media(query).ok()?)
        .is_some_and(|query| query.matches())
}

/// The language that the browser's user prefers, as a tag such as `ja-JP`; empty if it keeps that
/// to itself.
pub fn language_tag() -> String {
    web_sys::window().and_then(|window| window.navigator().language()).unwrap_or_default()
}

/// Sets an attribute of the page's outermost element.
pub fn mark(name: &str, value: &str) {
    let document = web_sys::window().and_then(|window| window.document());
    if let Some(root) = document.and_then(|document| document.document_element()) {
        // Fails only for what cannot be an attribute's name.
        let _ = root.set_attribute(name, value);
    }
}
