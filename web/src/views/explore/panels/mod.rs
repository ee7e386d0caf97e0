//! The panels next to the board.

pub mod asked;
pub mod compare;
pub mod counters;
pub mod film;
pub mod take;
pub mod tree;
