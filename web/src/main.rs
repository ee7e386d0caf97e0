//! The page and its worker: one WebAssembly module that is loaded twice.
//!
//! The browser starts it first for the page and then again, by the same loader
//! script, inside a Web Worker. Which of the two it is shows by whether there
//! is a window.

mod address;
mod app;
mod components;
mod i18n;
mod navigation;
mod settings;
mod views;
mod worker;

use gloo_worker::Registrable;

fn main() {
    let Some(window) = web_sys::window() else {
        worker::Solver::registrar().register();
        return;
    };
    let root = window.document().and_then(|d| d.get_element_by_id("app"));
    if let Some(root) = root {
        // What stands there until the module is loaded.
        root.set_inner_html("");
        yew::Renderer::<app::App>::with_root(root).render();
    }
}
