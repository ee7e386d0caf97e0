//! Routing: the address bar and the state that `queens-state` parses from it.

mod navigation;

pub use navigation::{Navigate, Navigation, use_address, use_arrival, use_navigation, use_section};
pub use queens_state::routing::{
    Address, AddressError, ClassFilter, CountParameters, ExploreLayout, Field, First, Here, Kind,
    Layer, Listing, View, exploring, learning, playing, showing, weighing,
};
