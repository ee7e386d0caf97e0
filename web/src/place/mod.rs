//! Where the page is: its address, the views, and the ways between them.

mod address;
#[cfg(all(test, not(target_family = "wasm")))]
mod any_address;
mod choice;
mod navigation;
mod shown;
mod view;
mod ways;

pub use address::{Address, Here};
pub use choice::{Choice, First, Kind, ToCount};
pub use navigation::{Navigate, Navigation, use_address, use_arrival, use_navigation, use_section};
pub use queens_worker::{Field, Listing};
pub use shown::{Layer, Layers, Shown};
pub use view::View;
pub use ways::{exploring, learning, playing, showing, weighing};
