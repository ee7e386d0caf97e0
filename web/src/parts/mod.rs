//! What more than one view shows.

pub mod back;
pub mod command;
pub mod comparison;
pub mod completion;
pub mod link;
pub mod save;
pub mod search;
pub mod sheet;
pub mod source;
pub mod step;
pub mod still;
pub mod term;
pub mod walk;
