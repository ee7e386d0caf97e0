//! The page's whole state as its address: what it holds, how it is read and written, and the links from
//! one view to another.

mod address;
#[cfg(all(test, not(target_family = "wasm")))]
mod any_address;
mod class_filter;
mod count_parameters;
mod links;
mod listing;
mod shown;
mod view;

pub use address::{Address, AddressError, Here};
pub use class_filter::{ClassFilter, First, Kind};
pub use count_parameters::CountParameters;
pub use links::{exploring, learning, playing, showing, weighing};
pub use listing::{Field, Listing};
pub use shown::{Layer, Layers, Shown};
pub use view::View;
