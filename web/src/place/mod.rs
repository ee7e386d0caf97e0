//! Routing: the address bar and the state that `queens-state` parses from it.

mod navigation;

pub use navigation::{
    Navigate, Navigation, use_address, use_navigation, use_navigation_count, use_section,
};
pub use queens_state::routing::{
    Address, AddressError, ClassFilter, CountParameters, ExploreLayout, ExplorePosition, Field,
    First, Homework, Kind, ResultsParameters, View, explore_address, lesson_address, play_address,
    solution_address,
};
