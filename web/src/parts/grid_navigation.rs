//! Keyboard navigation on a board: a roving tab index, arrow keys, and an action on click, Space or
//! Enter.

use queens_core::{Size, Square};
use wasm_bindgen::JsCast;
use web_sys::Element;
use yew::prelude::*;

use crate::board::squares::{focus, neighbour, square_of};
use crate::browser::has_modifier;

/// The event handlers and the state of a board with keyboard navigation.
pub struct GridNavigation {
    /// The board's element, whose squares have `data-row` and `data-column`.
    pub board: NodeRef,
    /// The square to which the Tab key leads.
    pub at: Option<Square>,
    pub onclick: Callback<MouseEvent>,
    pub onkeydown: Callback<KeyboardEvent>,
    pub onfocusin: Callback<FocusEvent>,
}

/// Returns the handlers with which the user moves over a board and calls `act` for its squares.
#[hook]
pub fn use_grid_navigation(size: Size, act: &Callback<Square>) -> GridNavigation {
    let board = use_node_ref();
    let at = use_state_eq(|| None::<Square>);
    // If no square has been focused since the size changed, the Tab key leads to the first square.
    let roving = at.filter(|square| square.size() == size).or_else(|| Square::all(size).next());
    let onclick = {
        let (at, act) = (at.setter(), act.clone());
        Callback::from(move |event: MouseEvent| {
            if let Some(square) = square_of(size, event.target_dyn_into::<Element>()) {
                at.set(Some(square));
                act.emit(square);
            }
        })
    };
    let onkeydown = {
        let (board, at, act) = (board.clone(), at.setter(), act.clone());
        Callback::from(move |event: KeyboardEvent| {
            if has_modifier(&event) {
                return;
            }
            let Some(square) = roving else { return };
            match event.key().as_str() {
                " " | "Enter" => act.emit(square),
                key => match neighbour(key, square) {
                    Some(next) => {
                        at.set(Some(next));
                        focus(&board, next);
                    }
                    None => return,
                },
            }
            event.prevent_default();
        })
    };
    let onfocusin = {
        let at = at.setter();
        Callback::from(move |event: FocusEvent| {
            let element = event.target().and_then(|target| target.dyn_into::<Element>().ok());
            if let Some(square) = square_of(size, element) {
                at.set(Some(square));
            }
        })
    };
    GridNavigation { board, at: roving, onclick, onkeydown, onfocusin }
}
