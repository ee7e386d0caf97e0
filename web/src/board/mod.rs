//! Boards: their squares, and how they are drawn.

pub mod glyph;
pub mod marked_board;
pub mod mini_board;
pub mod paths;
pub mod patterns;
pub mod squares;
