//! Walking over the squares of a board: a roving focus, arrows, and what a click, Space or Enter does.

use queens_core::{Size, Square};
use wasm_bindgen::JsCast;
use web_sys::Element;
use yew::prelude::*;

use crate::board::squares::{focus, neighbour, square_of};

/// What a board that can be walked over listens with.
pub struct Walk {
    /// The board's element, whose squares have `data-row` and `data-column`.
    pub board: NodeRef,
    /// The square that Tab leads to.
    pub at: Option<Square>,
    /// For the board's clicks.
    pub onclick: Callback<MouseEvent>,
    /// For its keys.
    pub onkeydown: Callback<KeyboardEvent>,
    /// For where the focus goes.
    pub onfocusin: Callback<FocusEvent>,
}

/// Lets somebody walk over a board and do something with its squares.
#[hook]
pub fn use_walk(size: Size, act: &Callback<Square>) -> Walk {
    let board = use_node_ref();
    let at = use_state_eq(|| None::<Square>);
    // The board may be another one since. Every board has a first square.
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
            if event.ctrl_key() || event.alt_key() || event.meta_key() {
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
            let to = event.target().and_then(|to| to.dyn_into::<Element>().ok());
            if let Some(square) = square_of(size, to) {
                at.set(Some(square));
            }
        })
    };
    Walk { board, at: roving, onclick, onkeydown, onfocusin }
}
