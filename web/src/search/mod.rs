//! A search that can be stepped through: its state, its board and its sentences.

pub mod name;
pub mod picture;
pub mod state;
pub mod summary;
pub mod why;
pub mod work_unit;
