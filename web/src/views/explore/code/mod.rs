//! The tab with the source code, the published program, the saved rows and the variables.

pub mod acting;
pub mod lines;
pub mod panel;
pub mod published;
pub mod scroll;
pub mod stack;
pub mod syntax;
pub mod tab;
pub mod values;
pub mod words;
