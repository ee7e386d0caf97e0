//! What the window tells.

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
