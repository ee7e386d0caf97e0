//! The Explore view: steps through a method on a board.

mod board;
mod controls;
mod displayed;
mod model;
mod panels;
mod player;
mod program;
mod scene;
mod screen;
mod share;
#[cfg(all(test, not(target_family = "wasm")))]
mod tests;

use yew::prelude::*;

use crate::address::{use_address, use_navigation_count};
use crate::words::use_language;
use crate::worker::use_worker;
use player::Player;

#[component]
pub fn Explore() -> Html {
    let language = use_language();
    let (address, navigate) = use_address();
    let navigation_count = use_navigation_count();
    let worker = use_worker();
    html! { <Player {address} {navigation_count} {navigate} {language} {worker} /> }
}
