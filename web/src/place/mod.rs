//! The address bar, and the address that it shows.

mod navigation;

pub use navigation::{
    Navigate, Navigation, use_address, use_navigation, use_navigation_count, use_section,
};

pub use crate::address::{
    Address, AddressError, ClassFilter, CountParameters, ExploreLayout, ExplorePosition, Field,
    First, Homework, Kind, ResultsParameters, View, explore_address, lesson_address, play_address,
    solution_address,
};
