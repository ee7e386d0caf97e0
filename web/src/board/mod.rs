//! Drawing of boards and their squares.

pub mod glyph;
pub mod lines;
pub mod marked_board;
pub mod markup;
pub mod mini_board;
mod model;
pub mod paths;
pub mod patterns;
pub mod squares;

pub use model::{Row, SquareStyle};
