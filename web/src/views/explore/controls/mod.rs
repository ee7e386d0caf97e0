//! Controls of the search, their and their shortcuts.

pub mod help;
pub mod keys;
pub mod shelf;
pub mod transport;
