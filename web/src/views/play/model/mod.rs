//! What Play shows of a board, counts on it, and says about a pasted one.

pub mod pasted;
pub mod picture;
pub mod square_counts;
