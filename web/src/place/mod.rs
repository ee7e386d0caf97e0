//! Where the page is: the address bar, connected to the state that `queens-state` reads from it.

mod navigation;

pub use navigation::{Navigate, Navigation, use_address, use_arrival, use_navigation, use_section};
pub use queens_state::routing::{
    Address, ClassFilter, CountParameters, ExploreLayout, Field, First, Here, Kind, Layer, Listing,
    View, exploring, learning, playing, showing, weighing,
};
