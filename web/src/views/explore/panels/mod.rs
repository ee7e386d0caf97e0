//! The panels next to the board.

pub mod animation;
pub mod compare;
pub mod counters;
pub mod export;
pub mod numbers;
pub mod pruned;
pub mod save_form;
pub mod selected_square;
pub mod tree;
