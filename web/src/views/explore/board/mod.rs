//! The board, and the panels that align with its columns.

mod bits;
pub mod branches;
pub mod drawing;
pub mod end;
pub mod grid;
pub mod legend;
pub mod registers;
