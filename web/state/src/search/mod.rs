//! A search that can be stepped through: its state, its board and its sentences.

pub mod map_sentence;
pub mod name;
pub mod picture;
pub mod race;
pub mod race_sentences;
pub mod square_counts;
pub mod state;
pub mod summary;
pub mod why;
