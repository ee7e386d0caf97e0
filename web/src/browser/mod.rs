//! The browser's own: its window, files and storage.

pub mod download;
mod fetch;
pub mod settings;
mod window;

pub use fetch::fetch;
pub use window::{fits, now};
