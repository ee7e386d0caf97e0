//! Results: the series of a chart with their forecasts and labels, and the layout of the map of tasks.

mod excerpt;
mod forecast;
mod labels;
pub mod layout;
mod published;
mod scale;
mod series;

pub use excerpt::{shortened, shown};
pub use forecast::Forecast;
pub use scale::LogScale;
pub use series::{Board, Comparison, Line, Quantity, Series};
