//! The lessons: what they show, their exercises, and the verdicts on answers.

pub mod asked;
pub mod judge;
pub mod plan;
pub mod title;
