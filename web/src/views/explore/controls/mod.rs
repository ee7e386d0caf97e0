//! Controls of the search, their shortcuts and the tour.

pub mod help;
pub mod keys;
pub mod tour;
pub mod transport;
