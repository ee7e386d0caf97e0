//! The lessons: their contents, their exercises, the verdicts on answers, and the learner's progress.

pub mod asked;
pub mod emblem;
pub mod judge;
pub mod order;
pub mod plan;
pub mod progress;
pub mod replay;
pub mod title;
