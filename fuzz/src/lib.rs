//! Shared parts of the fuzz targets: boards that are small enough for a search, and checks of any text that
//! may be a result document.

mod text;

use queens_core::Size;

pub use text::{DOCUMENTS, check_text};

/// Returns a board that is searched quickly: N = 1 to `most`.
pub fn small(size: Size, most: u32) -> Size {
    Size::new((size.get() - 1) % most + 1).unwrap_or(size)
}
