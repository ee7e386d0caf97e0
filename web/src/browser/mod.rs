//! The browser's own: its window, files and storage.

pub mod download;
mod fetch;
pub mod storage;
mod theme;
mod window;

pub use fetch::fetch;
pub use theme::Theme;
pub use window::{fits, focus, language_tag, mark, now, scroll_to};
