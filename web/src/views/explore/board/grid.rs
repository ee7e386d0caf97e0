//! The board.

use std::rc::Rc;

use queens_core::{Cell, Column, Rule, Size, Square, SquareState};
use wasm_bindgen::JsCast;
use web_sys::{Element, SvgElement};
use yew::prelude::*;

use super::drawing::{EmptyBoard, badges, drawing, ring};
use crate::board::patterns::Patterns;
use crate::board::squares::{SIDE, focus, neighbour, square_of};
use crate::board::{Row, SquareStyle};
use crate::browser::has_modifier;
use crate::parts::deferred::use_slices;
use crate::search::squares::Finding;
use crate::search::state::Action;
use crate::words::{Language, tr, use_language};

#[derive(Properties, PartialEq)]
pub struct Props {
    pub size: Size,
    /// The accessible name.
    pub label: AttrValue,
    /// The rows from the top.
    pub rows: Rc<[Row]>,
    /// What the last step found out.
    pub finding: Finding,
    pub highlighted_column: Option<Column>,
    pub selected_square: Option<Square>,
    /// Receives the highlighted column and the square to explain.
    pub act: Callback<Action>,
}

/// The board: a grid with a roving tab index. With the focus on the board itself, arrow keys step
/// through the search (see [`crate::views::explore::controls::keys`]). Enter moves the focus into
/// the grid, Escape back to the board.
#[component]
pub fn Board(props: &Props) -> Html {
    let language = use_language();
    let Props { rows, finding, .. } = props;
    let state = match finding {
        Finding::Solution => Some("solved"),
        Finding::Attacks(_) => Some("stuck"),
        Finding::Over => Some("over"),
        Finding::Nothing | Finding::Image(_) => None,
    };
    let board = use_node_ref();
    let focused_square = use_state_eq(|| None::<Square>);
    let size = props.size;
    let n = size.get();
    let current_row = rows.iter().find(|row| row.at_work).map_or(0, |row| row.row);
    {
        let board = board.clone();
        use_effect_with(*focused_square, move |focused_square| {
            if let Some(square) = *focused_square {
                focus(&board, square);
            }
        });
    }
    let onkeydown = {
        let (board, focused_square, act) =
            (board.clone(), focused_square.clone(), props.act.clone());
        Callback::from(move |event: KeyboardEvent| {
            // The size may have changed since the square was focused.
            let on_board = focused_square.filter(|square| square.size() == size);
            let Some(next) = focus_after_key(&event, on_board, size, current_row) else { return };
            event.prevent_default();
            event.stop_propagation();
            act.emit(Action::Pin(next));
            act.emit(Action::Highlight(next.map(Square::column)));
            if next.is_none()
                && let Some(board) = board.cast::<SvgElement>()
            {
                // The board exists as long as its squares do.
                let _ = board.focus();
            }
            focused_square.set(next);
        })
    };
    let onfocusout = {
        let focused_square = focused_square.clone();
        Callback::from(move |event: FocusEvent| {
            let to = event.related_target().and_then(|to| to.dyn_into::<Element>().ok());
            if square_of(size, to).is_none() {
                focused_square.set(None);
            }
        })
    };
    let empty_board = use_memo(n, |&n| EmptyBoard::new(n));
    let extent = n * SIDE;
    let column =
        props.highlighted_column.filter(|column| column.size() == size).map(column_highlight);
    // The ring must not hide the letter of a cell, so the letters are drawn above it.
    let ring =
        props.selected_square.map(|square| html! { <>{ ring(square) }<g>{ badges(rows) }</g></> });
    html! {
        <svg
            id="board" ref={board} class={classes!("board", state)}
            viewBox={format!("0 0 {extent} {extent}")}
            role="grid" tabindex="0" aria-label={props.label.clone()} aria-describedby="board-help"
            aria-rowcount={n.to_string()} aria-colcount={n.to_string()} lang={language.id()}
            {onkeydown} {onfocusout}
            onmouseover={pointer_action(size, &props.act, Action::Explain)} onclick={pointer_action(size, &props.act, Action::Pin)} onmouseleave={pointer_leaves(&props.act)}
        >
            <Patterns />
            { drawing(&empty_board, rows, finding) }
            <PointerTargets {size} {rows} focused={*focused_square} />
            // Always one child each: if their number changed, Yew would replace the pointer targets, which may
            // have the focus.
            { column.unwrap_or_default() }
            { ring.unwrap_or_default() }
            <rect class="frame" x="0" y="0" width={extent.to_string()} height={extent.to_string()} />
        </svg>
    }
}

/// Returns the square to focus after a key press, or `Some(None)` for the board itself; `None` if
/// the key has no effect here. Enter leads to the row `current_row`.
fn focus_after_key(
    event: &KeyboardEvent,
    focused_square: Option<Square>,
    size: Size,
    current_row: u32,
) -> Option<Option<Square>> {
    if has_modifier(event) {
        return None;
    }
    match (focused_square, event.key().as_str()) {
        (None, "Enter") => Some(Square::from_left(size, current_row, 0).ok()),
        (None, _) | (Some(_), "Tab") => None,
        (Some(_), "Escape") => Some(None),
        (Some(square), key) => neighbour(key, square).map(Some),
    }
}

/// The highlight of a column.
fn column_highlight(column: Column) -> Html {
    let x = (column.to_left() * SIDE).to_string();
    let height = (column.size().get() * SIDE).to_string();
    html! { <rect class="lit" {x} y="0" width={SIDE.to_string()} {height} /> }
}

/// Returns a handler that highlights the column of the square under the pointer and explains the
/// square. `explain` creates the second action: [`Action::Explain`] for the pointer, [`Action::Pin`] for a
/// click.
fn pointer_action(
    size: Size,
    act: &Callback<Action>,
    explain: fn(Option<Square>) -> Action,
) -> Callback<MouseEvent> {
    let act = act.clone();
    Callback::from(move |event: MouseEvent| {
        let square = square_of(size, event.target_dyn_into::<Element>());
        act.emit(Action::Highlight(square.map(Square::column)));
        act.emit(explain(square));
    })
}

/// Ends the highlight and the explanation when the pointer leaves the board.
fn pointer_leaves(act: &Callback<Action>) -> Callback<MouseEvent> {
    let act = act.clone();
    Callback::from(move |_: MouseEvent| {
        act.emit(Action::Highlight(None));
        act.emit(Action::Explain(None));
    })
}

/// The least number of pointer targets to add in one frame. Rows are added whole.
const SLICE: u32 = 32;

/// The pointer targets of the board, which screen readers also use. They are invisible, so they are added in
/// the frames after the drawing: the elements of a whole board would delay it.
#[derive(Properties, PartialEq)]
struct PointerTargetsProps {
    size: Size,
    rows: Rc<[Row]>,
    focused: Option<Square>,
}

#[component]
fn PointerTargets(props: &PointerTargetsProps) -> Html {
    let &PointerTargetsProps { size, ref rows, focused } = props;
    // Tests on the host render once.
    let first = if cfg!(target_family = "wasm") { 0 } else { rows.len() };
    let shown = use_slices(rows.len(), first, SLICE.div_ceil(size.get()) as usize);
    let shown = shown.max(focused.map_or(0, |square| square.row() as usize + 1));
    let board_rows = rows.iter().take(shown).map(|row| {
        let focused = focused.filter(|square| square.row() == row.row).map(Square::column);
        html! { <BoardRow key={row.row} {size} row={row.row} squares={row.squares.clone()} {focused} /> }
    });
    html! { <g role="rowgroup" class="tools">{ for board_rows }</g> }
}

/// A row of the board, rendered again only if it changes.
#[derive(Properties, PartialEq)]
struct RowProps {
    size: Size,
    /// The row number, from the top.
    row: u32,
    /// The squares from the left.
    squares: Vec<SquareStyle>,
    /// The column of the focused square, if it is in this row.
    focused: Option<Column>,
}

#[component]
fn BoardRow(props: &RowProps) -> Html {
    let language = use_language();
    let row = props.row;
    let squares = Square::of_row(props.size, row).zip(&props.squares);
    let squares =
        squares.map(|(at, drawn)| square(language, at, *drawn, props.focused == Some(at.column())));
    html! {
        <g
            role="row" transform={format!("translate(0 {})", row * SIDE)} aria-label={tr!(language, "explore.row", row = row)}
        >
            { for squares }
        </g>
    }
}

/// A square as pointer target and grid cell.
fn square(language: Language, square: Square, drawn: SquareStyle, focused: bool) -> Html {
    let (row, column) = square.to_left();
    html! {
        <g
            role="gridcell" tabindex={if focused { "0" } else { "-1" }}
            transform={format!("translate({} 0)", column * SIDE)}
            data-row={row.to_string()} data-column={column.to_string()} data-state={drawn.state.id()}
            data-rule={drawn.rule.map(Rule::id)} data-fresh={drawn.fresh.then_some("true")}
            data-tried={drawn.tried.then_some("true")}
            data-cell={drawn.cell.map(Cell::letter)}
            aria-label={label(language, square, drawn)}
        >
            <rect class="place" width="40" height="40" />
            <rect class="focus" x="1" y="1" width="38" height="38" />
        </g>
    }
}

/// Describes a square: its position, its state, whether it was tried, and the sign and the letter
/// on it.
fn label(language: Language, square: Square, drawn: SquareStyle) -> String {
    let mut what = match drawn.state {
        SquareState::Queen => tr!(language, "explore.is-queen"),
        SquareState::Attacked => tr!(language, "explore.is-attacked"),
        SquareState::Free => tr!(language, "explore.is-free"),
        SquareState::Closed => tr!(language, "explore.is-closed"),
        SquareState::Past => tr!(language, "explore.is-past"),
        SquareState::Open => tr!(language, "explore.is-open"),
    };
    if drawn.tried {
        what.push_str(&tr!(language, "explore.has-tried"));
    }
    if let Some(rule) = drawn.closed() {
        what.push_str(&tr!(language, "explore.has-rule", sign = rule.sign()));
    }
    if let Some(cell) = drawn.cell {
        what.push_str(&tr!(language, "explore.has-cell", cell = cell.letter()));
    }
    let (row, column) = square.to_left();
    tr!(language, "explore.square", row = row, column = column, what = what)
}
