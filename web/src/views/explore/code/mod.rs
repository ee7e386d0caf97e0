//! The method's code as it runs.

pub mod lines;
pub mod panel;
pub mod scroll;
pub mod stack;
pub mod values;
pub mod words;
