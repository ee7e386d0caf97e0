//! What the search is moved with, and help with that.

pub mod help;
pub mod keys;
pub mod tour;
pub mod transport;
