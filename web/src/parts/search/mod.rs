//! A search that can be stepped through: its state, its board and its words.

pub mod picture;
pub mod row_words;
pub mod state;
pub mod why;
