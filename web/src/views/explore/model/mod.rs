//! What Explore shows of a race, and says about its map.

pub mod map_sentence;
pub mod race;
pub mod race_sentences;
