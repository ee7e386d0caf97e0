//! A search that can be stepped through: its state, its board and its sentences.

pub mod name;
pub mod sentences;
pub mod squares;
pub mod state;
pub mod summary;
pub mod work_unit;
