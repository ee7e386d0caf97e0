//! The series of the chart of Results, published times, the differences of two results, and results as links.

mod difference;
mod excerpt;
pub mod link;
mod published;
mod series;

pub use difference::{Difference, FieldPair, differences, must_agree, split_equal, verdict};
pub use excerpt::shown;
pub use published::Figures;
pub use series::{Board, Compared, Comparison, Series};
