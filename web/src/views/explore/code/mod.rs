//! The source code panel.

pub mod lines;
pub mod panel;
pub mod published;
pub mod scroll;
pub mod stack;
pub mod values;
pub mod words;
