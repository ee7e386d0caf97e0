//! What is next to the board, in front of it, or in its place.

pub mod all;
pub mod counters;
pub mod numbers;
pub mod pruned;
pub mod race;
pub mod selected_square;
