//! Components that more than one view uses.

pub mod back;
pub mod chart;
pub mod choice;
pub mod code;
pub mod command;
pub mod comparison;
pub mod completion;
pub mod confirm;
pub mod deferred;
pub mod details;
pub mod dialog;
pub mod field_error;
pub mod grid_navigation;
pub mod link;
pub mod pager;
pub mod paste;
#[cfg(all(test, not(target_family = "wasm")))]
pub mod rendered;
pub mod roving;
pub mod row_words;
pub mod save;
pub mod share_link;
pub mod sheet;
pub mod step;
pub mod table;
pub mod term;
