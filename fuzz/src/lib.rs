//! What the fuzz targets share: boards small enough to be searched, and what must be true of every
//! text that may be a result document.

mod text;

use queens_core::Size;

pub use text::{DOCUMENTS, hold_to_its_word};

/// A board that is searched in no time: N = 1 to `most`.
pub fn small(size: Size, most: u32) -> Size {
    Size::new((size.get() - 1) % most + 1).unwrap_or(size)
}
