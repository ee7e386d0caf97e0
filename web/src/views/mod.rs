//! The page's views. They do not depend on each other.

pub mod count;
pub mod explanation;
pub mod explore;
pub mod learn;
pub mod numbers;
pub mod play;
pub mod results;
pub mod solutions;
