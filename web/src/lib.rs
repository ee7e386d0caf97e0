//! The page. Work that takes longer than a frame of the screen runs in the worker, which is a separate
//! module, or in slices.
//!
//! A folder or file named `model` has what a view or a part shows, as data. These files, and those of `address`,
//! `search` and `words` except their hooks (`use_….rs`), use neither Yew nor the browser.

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

// The fuzz targets and the tests use these.
pub use address::Address;
pub use views::results::model::link;
pub use words::{Language, contradiction, document_error, plain};

/// Shows the page.
pub fn start() {
    let document = browser::window().and_then(|window| window.document());
    if let Some(root) = document.and_then(|document| document.get_element_by_id("app")) {
        // Removes the content that is shown until the module is loaded.
        root.set_inner_html("");
        yew::Renderer::<app::App>::with_root(root).render();
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    #[test]
    fn models_use_neither_yew_nor_the_browser() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let (mut paths, mut models) = (vec![root.clone()], 0);
        while let Some(path) = paths.pop() {
            if path.is_dir() {
                paths.extend(fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
                continue;
            }
            let place = path.strip_prefix(&root).unwrap().with_extension("");
            let is_model = place.iter().any(|part| part == "model")
                || ["address", "search", "words"].iter().any(|folder| place.starts_with(folder));
            if !is_model || path.file_name().unwrap().to_string_lossy().starts_with("use_") {
                continue;
            }
            let source = fs::read_to_string(&path).unwrap();
            for other in ["yew", "web_sys", "js_sys", "gloo", "wasm_bindgen", "crate::browser"] {
                assert!(!source.contains(other), "{}: {other}", path.display());
            }
            models += 1;
        }
        assert!(models > 50, "{models}");
    }
}
