//! The page. Work that takes longer than a frame of the screen runs in the worker, which is a separate
//! module, or in slices.

#![warn(clippy::too_many_lines)]

mod address;
mod app;
mod board;
mod browser;
mod parts;
mod search;
mod views;
mod words;
mod worker;

// The fuzz targets use these.
pub use address::Address;
pub use views::results::model::link;
pub use words::Language;

/// Shows the page.
pub fn start() {
    let document = browser::window().and_then(|window| window.document());
    if let Some(root) = document.and_then(|document| document.get_element_by_id("app")) {
        // Removes the content that is shown until the module is loaded.
        root.set_inner_html("");
        yew::Renderer::<app::App>::with_root(root).render();
    }
}
