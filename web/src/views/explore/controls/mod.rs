//! Controls of the search, and their keyboard shortcuts.

pub mod bar;
pub mod help;
pub mod keys;
pub mod map;
pub mod more;
