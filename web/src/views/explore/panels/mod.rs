//! Parts of the tabs next to the board.

pub mod compare;
pub mod counters;
pub mod numbers;
pub mod pruned;
pub mod selected_square;
