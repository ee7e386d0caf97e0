//! The page's views. None of them knows another.

pub mod classes;
pub mod count;
pub mod explanation;
pub mod explore;
pub mod learn;
pub mod numbers;
pub mod play;
pub mod results;
pub mod symmetries;
