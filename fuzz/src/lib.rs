//! What the fuzz targets share: arbitrary values of the core's types, and what must be true of
//! every text that may be a result document.

mod any;
mod text;

pub use any::{Bits, Board, Spot, Steps, Turn, small};
pub use text::{DOCUMENTS, hold_to_its_word};
