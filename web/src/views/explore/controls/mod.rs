//! Controls of the search, their and their shortcuts.

pub mod help;
pub mod keys;
pub mod last_solutions;
pub mod transport;
pub mod whole;
