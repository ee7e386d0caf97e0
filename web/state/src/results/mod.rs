//! Results: the series of a chart and the labels of its axes, and the differences of two results and of their
//! tasks.

mod difference;
mod excerpt;
mod labels;
pub mod link;
mod published;
mod series;

pub use difference::{Difference, FieldPair, differences, must_agree, split_equal, verdict};
pub use excerpt::{shortened, shown};
pub use labels::{time_tick, time_ticks};
pub use series::{Board, Compared, Comparison, Line, Point, Series};
