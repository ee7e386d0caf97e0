//! Controls of the search, and their keyboard shortcuts.

pub mod help;
pub mod keys;
pub mod last_solutions;
pub mod transport;
pub mod whole;
