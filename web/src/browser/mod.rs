//! The browser's own: its window, files and storage.

pub mod download;
mod fetch;
pub mod storage;
mod theme;
mod window;

pub use fetch::{fetch, remove};
pub use theme::Theme;
pub use window::{copy, fits, focus, language_tag, link_to, mark, now, scroll_to};
