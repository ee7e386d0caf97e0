//! Undo and redo of moves.

use gloo_events::{EventListener, EventListenerOptions};
use queens_core::Queens;
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlInputElement, KeyboardEvent};
use yew::prelude::*;

use crate::browser::window;

/// The boards before and after the current one.
#[derive(Clone, Debug, Default, PartialEq)]
struct Moves {
    past: Vec<Queens>,
    future: Vec<Queens>,
}

/// The actions that change the board. Undo and redo are `None` if no move can be undone or redone.
#[derive(Clone, PartialEq)]
pub struct BoardActions {
    /// Sets the queens on the board, as a move that can be undone.
    pub set: Callback<Queens>,
    /// Undoes the last move.
    pub undo: Option<Callback<()>>,
    /// Redoes the move that was undone last.
    pub redo: Option<Callback<()>>,
}

/// Records the moves that lead to `queens`. Each action calls `write` with the new queens. Moves on
/// a board of another size cannot be undone or redone. Ctrl+Z undoes; Ctrl+Shift+Z or Ctrl+Y redoes.
#[hook]
pub fn use_moves(queens: Queens, write: Callback<Queens>) -> BoardActions {
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
    // A step takes its target from the end of `from`, and appends the current board to `to`.
    let step = |from: &[Queens], to: &[Queens], is_undo: bool| {
        let (&next, rest) = from.split_last()?;
        let (rest, other) = (rest.to_vec(), [to, &[queens]].concat());
        let (moves, write) = (moves.setter(), write.clone());
        Some(Callback::from(move |()| {
            let (rest, other) = (rest.clone(), other.clone());
            moves.set(if is_undo {
                Moves { past: rest, future: other }
            } else {
                Moves { past: other, future: rest }
            });
            write.emit(next);
        }))
    };
    let (undo, redo) = (step(&past, &future, true), step(&future, &past, false));
    use_effect_with((queens, past, future), {
        let (undo, redo) = (undo.clone(), redo.clone());
        move |_| {
            let listener = listen(undo, redo);
            move || drop(listener)
        }
    });
    BoardActions { set, undo, redo }
}

/// Listens to the keys for undo and redo, except in text fields, which have their own undo.
fn listen(undo: Option<Callback<()>>, redo: Option<Callback<()>>) -> Option<EventListener> {
    let on_key = move |event: &Event| {
        let Some(event) = event.dyn_ref::<KeyboardEvent>() else { return };
        let in_text_field =
            event.target().is_some_and(|target| target.is_instance_of::<HtmlInputElement>());
        if in_text_field || event.alt_key() || !(event.ctrl_key() || event.meta_key()) {
            return;
        }
        let action = match event.key().as_str() {
            "z" | "Z" if event.shift_key() => &redo,
            "z" | "Z" => &undo,
            "y" | "Y" => &redo,
            _ => return,
        };
        event.prevent_default();
        if let Some(action) = action {
            action.emit(());
        }
    };
    let may_prevent = EventListenerOptions::enable_prevent_default();
    let window = window()?;
    Some(EventListener::new_with_options(&window, "keydown", may_prevent, on_key))
}
