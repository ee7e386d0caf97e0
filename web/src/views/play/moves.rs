//! Undo and redo of moves.

use gloo_events::{EventListener, EventListenerOptions};
use queens_core::Queens;
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlInputElement, KeyboardEvent};
use yew::prelude::*;

/// The boards before and after the current one.
#[derive(Clone, Debug, Default, PartialEq)]
struct Moves {
    past: Vec<Queens>,
    future: Vec<Queens>,
}

/// Changes the board; undo and redo are `None` if there is no such move.
#[derive(Clone, PartialEq)]
pub struct Ways {
    /// Sets the queens on the board, as a move that can be undone.
    pub set: Callback<Queens>,
    /// Undoes the last move.
    pub undo: Option<Callback<()>>,
    /// Redoes the move that was undone last.
    pub redo: Option<Callback<()>>,
}

/// Records the moves that lead to `queens`, which `write` changes. Moves on a board of another size
/// are discarded. Ctrl+Z undoes; Ctrl+Shift+Z or Ctrl+Y redoes.
#[hook]
pub fn use_moves(queens: Queens, write: Callback<Queens>) -> Ways {
    let moves = use_state_eq(Moves::default);
    let of_size = |boards: &[Queens]| -> Vec<Queens> {
        boards.iter().filter(|board| board.size() == queens.size()).copied().collect()
    };
    let (past, future) = (of_size(&moves.past), of_size(&moves.future));
    let set = {
        let (moves, past, write) = (moves.setter(), past.clone(), write.clone());
        Callback::from(move |next: Queens| {
            if next != queens {
                let past = past.iter().copied().chain([queens]).collect();
                moves.set(Moves { past, future: vec![] });
                write.emit(next);
            }
        })
    };
    // The target is taken from the end of one list, and the current board is appended to the other.
    let way = |from: &[Queens], to: &[Queens], is_undo: bool| {
        let (&next, left) = from.split_last()?;
        let (left, other) = (left.to_vec(), [to, &[queens]].concat());
        let (moves, write) = (moves.setter(), write.clone());
        Some(Callback::from(move |()| {
            let (left, other) = (left.clone(), other.clone());
            moves.set(if is_undo {
                Moves { past: left, future: other }
            } else {
                Moves { past: other, future: left }
            });
            write.emit(next);
        }))
    };
    let (undo, redo) = (way(&past, &future, true), way(&future, &past, false));
    use_effect_with((queens, past, future), {
        let (undo, redo) = (undo.clone(), redo.clone());
        move |_| {
            let listener = listen(undo, redo);
            move || drop(listener)
        }
    });
    Ways { set, undo, redo }
}

/// Listens to the keys for undo and redo, except in text fields with their own undo.
fn listen(undo: Option<Callback<()>>, redo: Option<Callback<()>>) -> Option<EventListener> {
    let follow = move |event: &Event| {
        let Some(event) = event.dyn_ref::<KeyboardEvent>() else { return };
        let writes =
            event.target().is_some_and(|target| target.is_instance_of::<HtmlInputElement>());
        if writes || event.alt_key() || !(event.ctrl_key() || event.meta_key()) {
            return;
        }
        let way = match event.key().as_str() {
            "z" | "Z" if event.shift_key() => &redo,
            "z" | "Z" => &undo,
            "y" | "Y" => &redo,
            _ => return,
        };
        event.prevent_default();
        if let Some(way) = way {
            way.emit(());
        }
    };
    let may_prevent = EventListenerOptions::enable_prevent_default();
    let window = web_sys::window()?;
    Some(EventListener::new_with_options(&window, "keydown", may_prevent, follow))
}
