//! Moves, and their undo and redo.

use gloo_events::{EventListener, EventListenerOptions};
use queens_core::{Puzzle, Queens, Size, Square};
use wasm_bindgen::JsCast;
use web_sys::{Event, HtmlInputElement, KeyboardEvent};
use yew::prelude::*;

use crate::browser::window;

/// The queens on the board with the puzzle to which they belong, and the squares that the user has marked.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Position {
    queens: Queens,
    puzzle: Option<Puzzle>,
    marks: Queens,
}

/// The marks, and the positions before and after the current one. They belong to one board, with this puzzle now.
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
    /// Removes all marks and all queens that no puzzle gives or, if nothing else is left, ends the puzzle, as a move
    /// that can be undone. `None` if the board is empty.
    pub clear: Option<Callback<()>>,
    /// Undoes the last move.
    pub undo: Option<Callback<()>>,
    /// Redoes the move that was undone last.
    pub redo: Option<Callback<()>>,
}

/// Records the moves that lead to `queens` on a board, with the puzzle that gives some of them. Each action calls
/// `write` with the new queens and their puzzle. Another board or puzzle begins without marks and moves. Ctrl+Z
/// undoes; Ctrl+Shift+Z or Ctrl+Y redoes.
#[hook]
pub fn use_moves(
    queens: Queens,
    puzzle: Option<Puzzle>,
    given: Queens,
    write: Callback<(Queens, Option<Puzzle>)>,
) -> BoardActions {
    let state = use_state_eq(|| None::<Moves>);
    let size = queens.size();
    let board = (size, puzzle);
    let none = Queens::none(size);
    let moves = (*state).clone().filter(|moves| moves.board == board);
    let moves = moves.unwrap_or_else(|| Moves { board, marks: none, past: vec![], future: vec![] });
    let now = Position { queens, puzzle, marks: moves.marks };
    let change = {
        let (state, past, write) = (state.setter(), moves.past.clone(), write.clone());
        Callback::from(move |next: Position| {
            if next != now {
                let past = past.iter().copied().chain([now]).collect();
                let board = (size, next.puzzle);
                state.set(Some(Moves { board, marks: next.marks, past, future: vec![] }));
                write.emit((next.queens, next.puzzle));
            }
        })
    };
    // A step takes its target from the end of `from`, and appends the current position to `to`.
    let step = |from: &[Position], to: &[Position], is_undo: bool| {
        let (&next, rest) = from.split_last()?;
        let (rest, other) = (rest.to_vec(), [to, &[now]].concat());
        let (past, future) = if is_undo { (rest, other) } else { (other, rest) };
        let stepped = Moves { board: (size, next.puzzle), marks: next.marks, past, future };
        let (state, write) = (state.setter(), write.clone());
        Some(Callback::from(move |()| {
            state.set(Some(stepped.clone()));
            write.emit((next.queens, next.puzzle));
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
        clear: cleared(now, given).map(|next| change.reform(move |()| next)),
        undo,
        redo,
    }
}

/// Returns the position after the button Clear was pressed.
fn cleared(now: Position, given: Queens) -> Option<Position> {
    let marks = Queens::none(now.queens.size());
    let without_moves = Position { queens: given, marks, ..now };
    let without_puzzle = Position { queens: marks, puzzle: None, marks };
    [without_moves, without_puzzle].into_iter().find(|&next| next != now)
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

#[cfg(test)]
mod tests {
    use queens_core::notation;

    use super::*;

    #[test]
    fn clear_removes_first_the_moves_and_then_the_puzzle() {
        let eight = Size::new(8).unwrap();
        let board = |squares| notation::queens(eight, squares).unwrap();
        let (none, given, puzzle) = (board(""), board("0:0,1:4"), "easy:1".parse().ok());
        let open = Position { queens: given, puzzle, marks: none };
        let empty = Position { queens: none, puzzle: None, marks: none };
        for (now, given, next) in [
            (Position { queens: board("0:0,1:4,2:7"), ..open }, given, Some(open)),
            (Position { marks: board("7:7"), ..open }, given, Some(open)),
            (open, given, Some(empty)),
            (Position { queens: board("3:3"), ..empty }, none, Some(empty)),
            (empty, none, None),
        ] {
            assert_eq!(cleared(now, given), next, "{now:?}");
        }
    }
}
