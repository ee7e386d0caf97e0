//! Moves, and their undo and redo.

use gloo_events::{EventListener, EventListenerOptions};
use queens_core::{Puzzle, Queens, Size, Square};
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlInputElement, KeyboardEvent};
use yew::prelude::*;

use crate::browser::window;

/// The queens on the board, and the squares that the user has marked.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Position {
    queens: Queens,
    marks: Queens,
}

/// The marks, and the positions before and after the current one. They belong to one board or puzzle.
#[derive(Clone, Debug, PartialEq)]
struct Moves {
    board: (Size, Option<Puzzle>),
    marks: Queens,
    past: Vec<Position>,
    future: Vec<Position>,
}

/// The marked squares, and the actions that change the board. Undo and redo are `None` if no move can be undone
/// or redone.
#[derive(Clone, PartialEq)]
pub struct BoardActions {
    pub marks: Queens,
    /// Sets the queens on the board, as a move that can be undone.
    pub set: Callback<Queens>,
    /// Marks a square or removes its mark, as a move that can be undone.
    pub mark: Callback<Square>,
    /// Removes all marks and sets the queens, as a move that can be undone.
    pub clear: Callback<Queens>,
    /// Undoes the last move.
    pub undo: Option<Callback<()>>,
    /// Redoes the move that was undone last.
    pub redo: Option<Callback<()>>,
}

/// Records the moves that lead to `queens` on a board. Each action calls `write` with the new queens. Another board
/// or puzzle begins without marks and moves. Ctrl+Z undoes; Ctrl+Shift+Z or Ctrl+Y redoes.
#[hook]
pub fn use_moves(
    queens: Queens,
    board: (Size, Option<Puzzle>),
    write: Callback<Queens>,
) -> BoardActions {
    let state = use_state_eq(|| None::<Moves>);
    let moves = (*state).clone().filter(|moves| moves.board == board);
    let moves = moves.unwrap_or_else(|| Moves {
        board,
        marks: Queens::none(board.0),
        past: vec![],
        future: vec![],
    });
    let now = Position { queens, marks: moves.marks };
    let change = {
        let (state, past, write) = (state.setter(), moves.past.clone(), write.clone());
        Callback::from(move |next: Position| {
            if next != now {
                let past = past.iter().copied().chain([now]).collect();
                state.set(Some(Moves { board, marks: next.marks, past, future: vec![] }));
                write.emit(next.queens);
            }
        })
    };
    // A step takes its target from the end of `from`, and appends the current position to `to`.
    let step = |from: &[Position], to: &[Position], is_undo: bool| {
        let (&next, rest) = from.split_last()?;
        let (rest, other) = (rest.to_vec(), [to, &[now]].concat());
        let (past, future) = if is_undo { (rest, other) } else { (other, rest) };
        let stepped = Moves { board, marks: next.marks, past, future };
        let (state, write) = (state.setter(), write.clone());
        Some(Callback::from(move |()| {
            state.set(Some(stepped.clone()));
            write.emit(next.queens);
        }))
    };
    let undo = step(&moves.past, &moves.future, true);
    let redo = step(&moves.future, &moves.past, false);
    use_effect_with((now, moves), {
        let (undo, redo) = (undo.clone(), redo.clone());
        move |_| {
            let listener = listen(undo, redo);
            move || drop(listener)
        }
    });
    BoardActions {
        marks: now.marks,
        set: change.reform(move |queens| Position { queens, ..now }),
        mark: change.reform(move |square| Position { marks: now.marks.toggled(square), ..now }),
        clear: change.reform(move |queens| Position { queens, marks: Queens::none(board.0) }),
        undo,
        redo,
    }
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
