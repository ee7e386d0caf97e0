//! The view Explore: step through a method on a board.

mod asked;
mod board;
mod branches;
mod code;
mod compare;
mod counters;
mod drawing;
mod help;
mod keys;
mod legend;
mod lines;
pub(super) mod patterns;
pub mod picture;
mod player;
mod registers;
mod screen;
mod stack;
pub mod state;
mod tour;
mod transport;
mod tree;
mod values;
pub mod why;

use yew::prelude::*;

use crate::i18n::use_language;
use crate::navigation::use_address;
use crate::worker::use_worker;

/// The view Explore.
#[component]
pub fn Explore() -> Html {
    let language = use_language();
    let (address, navigate) = use_address();
    let worker = use_worker();
    html! { <player::Player {address} {navigate} {language} {worker} /> }
}
