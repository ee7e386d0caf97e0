//! Routing: the page's whole state as its URL, the views, and the links between them.

mod address;
#[cfg(all(test, not(target_family = "wasm")))]
mod any_address;
mod class_filter;
mod count_parameters;
mod explore_layout;
mod homework;
mod links;
mod results_parameters;
mod view;

pub use address::{Address, AddressError, ExplorePosition};
pub use class_filter::{ClassFilter, First, Kind};
pub use count_parameters::CountParameters;
pub use explore_layout::ExploreLayout;
pub use homework::Homework;
pub use links::{explore_address, lesson_address, play_address, solution_address};
pub use results_parameters::{Field, ResultsParameters};
pub use view::View;
