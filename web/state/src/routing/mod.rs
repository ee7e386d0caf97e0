//! Routing: the page's whole state as its URL, the views, and the links between them.

mod address;
#[cfg(all(test, not(target_family = "wasm")))]
mod any_address;
mod class_filter;
mod count_parameters;
mod explore_layout;
mod links;
mod listing;
mod view;

pub use address::{Address, AddressError, Here};
pub use class_filter::{ClassFilter, First, Kind};
pub use count_parameters::CountParameters;
pub use explore_layout::{ExploreLayout, Layer, Layers};
pub use links::{exploring, learning, playing, showing, weighing};
pub use listing::{Field, Listing};
pub use view::View;
