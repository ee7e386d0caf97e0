//! The contents of the page as data: pure functions that use neither a browser nor Yew, so that
//! they can be tested on the host.
//!
//! | folder | what |
//! |---|---|
//! | text/ | the texts in two languages, names, durations |
//! | routing/ | the page's whole state as its address |
//! | board.rs | a board as it is drawn, square by square |
//! | search/ | a search that can be stepped through: its state, its board and its sentences |
//! | animation/ | a search as pictures made of pixels, and as a GIF |
//! | learn/ | the contents of the lessons, their exercises, and the verdicts on answers |
//! | results/ | series, forecasts and labels of the chart, and the layout of the map of tasks |
//! | count/ | a count in several workers: its messages, its state, and the estimate of its time |

#![warn(clippy::too_many_lines)]

pub mod board;
pub mod count;
pub mod learn;
pub mod results;
pub mod routing;
pub mod search;
pub mod text;
