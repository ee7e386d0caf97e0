//! The lessons: their contents, their exercises, and the verdicts on answers.

pub mod asked;
pub mod judge;
pub mod plan;
pub mod title;
