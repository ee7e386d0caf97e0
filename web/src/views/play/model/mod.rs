//! What Play counts.

pub mod square_counts;
