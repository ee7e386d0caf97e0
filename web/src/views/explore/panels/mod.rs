//! The panels next to the board.

pub mod compare;
pub mod counters;
pub mod selected_square;
pub mod tree;
