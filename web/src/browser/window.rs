//! The browser window and its document: clock, size, language, focus, scrolling, styles, URL and
//! clipboard.

use gloo_events::EventListener;
use js_sys::{Object, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    Element, Event, FocusOptions, HtmlElement, KeyboardEvent, ScrollIntoViewOptions,
    ScrollLogicalPosition, SvgElement, Window,
};

/// Returns the browser's window, or `None` in tests on the host, which have no browser.
pub fn window() -> Option<Window> {
    cfg!(target_family = "wasm").then(web_sys::window).flatten()
}

/// Whether the page came from a static host. Only the static site has a manifest
/// (xtask/src/page/site.rs).
pub fn is_static_site() -> bool {
    let document = window().and_then(|window| window.document());
    let manifest = document.map(|document| document.query_selector("link[rel=manifest]"));
    matches!(manifest, Some(Ok(Some(_))))
}

/// Milliseconds since the page was opened.
pub fn now() -> f64 {
    window().and_then(|window| window.performance()).map_or(0.0, |performance| performance.now())
}

/// Whether a media query matches.
pub fn media_matches(query: &str) -> bool {
    window().and_then(|window| window.match_media(query).ok()?).is_some_and(|query| query.matches())
}

/// Whether the user prefers a page without animations.
pub fn prefers_reduced_motion() -> bool {
    media_matches("(prefers-reduced-motion: reduce)")
}

/// Formats a date and time of RFC 3339 as `2026-01-31 18:30`, in a time zone or else in the user's.
pub fn date_and_time(stamp: &str, zone: Option<&str>) -> String {
    // Tests on the host have no `Intl`.
    if !cfg!(target_family = "wasm") {
        return stamp.get(..16).unwrap_or(stamp).replace('T', " ");
    }
    let options = Object::new();
    let zone = zone.map(|zone| ("timeZone", zone));
    for (name, value) in [("dateStyle", "short"), ("timeStyle", "short")].into_iter().chain(zone) {
        let _ = Reflect::set(&options, &name.into(), &value.into());
    }
    // Swedish dates are those of ISO 8601.
    js_sys::Date::new(&stamp.into()).to_locale_string("sv", &options).into()
}

/// The user's preferred language as a tag such as `ja-JP`, or an empty string if the browser does
/// not reveal it.
pub fn language_tag() -> String {
    window().and_then(|window| window.navigator().language()).unwrap_or_default()
}

fn element(id: &str) -> Option<Element> {
    window()?.document()?.get_element_by_id(id)
}

/// Scrolls to the element with this id, if it exists.
pub fn scroll_to(id: &str) {
    if let Some(element) = element(id) {
        element.scroll_into_view();
    }
}

/// Scrolls as little as possible until the element, or as much of it as the window can show, is
/// visible.
pub fn bring_element_into_view(element: &Element) {
    let options = ScrollIntoViewOptions::new();
    options.set_block(ScrollLogicalPosition::Nearest);
    element.scroll_into_view_with_scroll_into_view_options(&options);
}

/// Scrolls to the heading with this id, and focuses it.
pub fn jump_to(id: &str) {
    scroll_to(id);
    focus_in_place(id);
}

/// Like [`bring_element_into_view`], for the element with this id, if it exists.
pub fn bring_into_view(id: &str) {
    if let Some(element) = element(id) {
        bring_element_into_view(&element);
    }
}

/// Scrolls to the top of the page.
pub fn scroll_to_top() {
    if let Some(window) = window() {
        window.scroll_to_with_x_and_y(0.0, 0.0);
    }
}

/// How far the page is scrolled down, and the element with the focus.
pub type Place = (f64, Option<Element>);

/// Returns where the user is in the page.
pub fn current_place() -> Option<Place> {
    let window = window()?;
    Some((window.scroll_y().ok()?, window.document()?.active_element()))
}

/// Returns to a place of the page.
pub fn return_to((down, focused): Place) {
    if let Some(focused) = focused {
        focus_element(&focused, &in_place());
    }
    if let Some(window) = window() {
        window.scroll_to_with_x_and_y(0.0, down);
    }
}

/// Whether the page has an element with this id.
pub fn has_element(id: &str) -> bool {
    element(id).is_some()
}

/// Focuses the HTML or SVG element with this id, if it exists.
pub fn focus(id: &str) {
    focus_with(id, &FocusOptions::new());
}

/// Focuses the HTML or SVG element with this id, if it exists, without scrolling the page.
pub fn focus_in_place(id: &str) {
    focus_with(id, &in_place());
}

fn in_place() -> FocusOptions {
    let options = FocusOptions::new();
    options.set_prevent_scroll(true);
    options
}

fn focus_with(id: &str, options: &FocusOptions) {
    if let Some(element) = element(id) {
        focus_element(&element, options);
    }
}

fn focus_element(element: &Element, options: &FocusOptions) {
    // HTML and SVG elements have the same method. Focusing an element that cannot be focused does nothing.
    let _ = element.unchecked_ref::<SvgElement>().focus_with_options(options);
}

/// Sets an attribute of the page's outermost element.
pub fn set_page_attribute(name: &str, value: &str) {
    let document = window().and_then(|window| window.document());
    if let Some(root) = document.and_then(|document| document.document_element()) {
        // Fails only for an invalid attribute name.
        let _ = root.set_attribute(name, value);
    }
}

/// Marks the document with the device that moved the focus last: the Tab key or a pointer. Stylesheets need this,
/// because a button that was clicked matches `:focus-visible` after the next key, whatever it is.
pub fn mark_what_moves_the_focus() -> Option<[EventListener; 3]> {
    const ATTRIBUTE: &str = "data-focus";
    let window = window()?;
    // If the focus comes from outside the page, only the release of the key arrives here.
    let is_tab =
        |event: &Event| event.dyn_ref::<KeyboardEvent>().is_some_and(|event| event.key() == "Tab");
    let on_press = EventListener::new(&window, "keydown", move |event| {
        if is_tab(event) {
            set_page_attribute(ATTRIBUTE, "keyboard");
        }
    });
    let on_release = EventListener::new(&window, "keyup", move |event| {
        if is_tab(event) {
            set_page_attribute(ATTRIBUTE, "keyboard");
            close_left_menu();
        }
    });
    let on_pointer = EventListener::new(&window, "pointerdown", |_| {
        set_page_attribute(ATTRIBUTE, "pointer");
    });
    Some([on_press, on_release, on_pointer])
}

/// Whether a key was pressed with Ctrl, Alt or the command key, which make it a shortcut of the browser. Shift does
/// not count.
pub fn has_modifier(event: &KeyboardEvent) -> bool {
    event.ctrl_key() || event.alt_key() || event.meta_key()
}

/// Closes the open menu if the focus is elsewhere. Browsers close it after a click elsewhere, but not after Tab.
fn close_left_menu() -> Option<()> {
    let document = window()?.document()?;
    let menu = document.query_selector("[popover]:popover-open").ok()??;
    if !menu.contains(document.active_element().as_deref()) {
        // This fails only if the menu is already closed.
        let _ = menu.dyn_ref::<HtmlElement>()?.hide_popover();
    }
    Some(())
}

/// The width and the height of the viewport, without scroll bars.
pub fn window_sides() -> [f64; 2] {
    let document = window().and_then(|window| window.document());
    let root = document.and_then(|document| document.document_element());
    root.map_or([f64::MAX; 2], |root| [root.client_width(), root.client_height()].map(f64::from))
}

/// The lower edge of the top bar in the window, in pixels.
pub fn bar_end() -> f64 {
    let document = window().and_then(|window| window.document());
    let bar = document.and_then(|document| document.query_selector(".top-bar").ok()?);
    bar.map_or(0.0, |bar| bar.get_bounding_client_rect().bottom().max(0.0))
}

/// Returns the page's URL with another query string.
pub fn link_to(query: &str) -> String {
    let location = window().map(|window| window.location());
    let part = |read: fn(&web_sys::Location) -> Result<String, JsValue>| {
        location.as_ref().and_then(|location| read(location).ok()).unwrap_or_default()
    };
    part(web_sys::Location::origin) + &part(web_sys::Location::pathname) + query
}

/// Reloads the page.
pub fn reload() {
    if let Some(window) = window() {
        // Fails only if the browser does not let the page navigate.
        let _ = window.location().reload();
    }
}

/// Copies a text to the clipboard. Returns whether that succeeded.
pub async fn copy(text: &str) -> bool {
    let Some(navigator) = window().map(|window| window.navigator()) else { return false };
    // Browsers have no clipboard for pages over plain HTTP.
    let clipboard = Reflect::get(&navigator, &"clipboard".into());
    if !clipboard.is_ok_and(|clipboard| clipboard.is_object()) {
        return false;
    }
    // Fails if the user does not permit it.
    JsFuture::from(navigator.clipboard().write_text(text)).await.is_ok()
}
