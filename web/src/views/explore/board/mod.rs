//! The board, and what stands in line with its columns.

pub mod branches;
pub mod drawing;
pub mod grid;
pub mod legend;
pub mod registers;
