//! The board.

use std::rc::Rc;

use queens_core::{Cell, Column, Rule, Size, Square, SquareState};
use queens_state::board::{Row, SquareStyle};
use queens_state::search::state::Action;
use wasm_bindgen::JsCast;
use web_sys::{Element, SvgElement};
use yew::prelude::*;

use super::drawing::{Ground, badges, drawing, ring};
use crate::board::patterns::Patterns;
use crate::board::squares::{SIDE, focus, neighbour, square_of};
use crate::words::{Language, tr, use_language};

#[derive(Properties, PartialEq)]
pub struct Props {
    pub size: Size,
    /// The accessible name.
    pub label: AttrValue,
    /// The rows as described to users who point at a square or use a screen reader.
    pub told: Rc<[Row]>,
    /// The highlighted column.
    pub lit: Option<Column>,
    /// The square in question.
    pub asked: Option<Square>,
    /// Receives highlighted columns and questions about squares.
    pub act: Callback<Action>,
}

/// The parts of the board that change with every frame while the search plays. They are passed as a
/// context, past the components that change less often.
#[derive(Clone, PartialEq)]
pub struct Picture {
    /// The rows from the top, as drawn.
    pub drawn: Rc<[Row]>,
    /// Whether the last step found a solution.
    pub solved: bool,
    /// The lines of a dead end, each from a queen to a square.
    pub dead_end: Vec<(Square, Square)>,
}

/// The board: a grid with a roving tab index. With the focus on the board itself, arrow keys step
/// through the search (see [`crate::views::explore::controls::keys`]). Enter moves the focus into
/// the grid, Escape back to the board.
#[component]
pub fn Board(props: &Props) -> Html {
    let language = use_language();
    let picture = use_context::<Picture>();
    let drawn: &[Row] = picture.as_ref().map_or(&[], |picture| &picture.drawn);
    let solved = picture.as_ref().is_some_and(|picture| picture.solved);
    let dead_end = picture.as_ref().map_or(&[][..], |picture| &picture.dead_end);
    let state = match solved {
        true => Some("solved"),
        false => (!dead_end.is_empty()).then_some("stuck"),
    };
    let board = use_node_ref();
    // The focused square.
    let inside = use_state_eq(|| None::<Square>);
    let size = props.size;
    let n = size.get();
    let at_work = props.told.iter().find(|row| row.at_work).map_or(0, |row| row.row);
    {
        let board = board.clone();
        use_effect_with(*inside, move |inside| {
            if let Some(square) = *inside {
                focus(&board, square);
            }
        });
    }
    let onkeydown = {
        let (board, inside, act) = (board.clone(), inside.clone(), props.act.clone());
        Callback::from(move |event: KeyboardEvent| {
            // The size may have changed since the square was focused.
            let on_board = inside.filter(|square| square.size() == size);
            let Some(next) = pressed(&event, on_board, size, at_work) else { return };
            event.prevent_default();
            event.stop_propagation();
            act.emit(Action::Pin(next));
            act.emit(Action::Light(next.map(Square::column)));
            if next.is_none()
                && let Some(board) = board.cast::<SvgElement>()
            {
                // The board exists as long as its squares do.
                let _ = board.focus();
            }
            inside.set(next);
        })
    };
    let act = props.act.clone();
    let leave = Callback::from(move |_: MouseEvent| {
        act.emit(Action::Light(None));
        act.emit(Action::Ask(None));
    });
    let onfocusout = {
        let inside = inside.clone();
        Callback::from(move |event: FocusEvent| {
            let to = event.related_target().and_then(|to| to.dyn_into::<Element>().ok());
            if square_of(size, to).is_none() {
                inside.set(None);
            }
        })
    };
    let ground = use_memo(n, |&n| Ground::new(n));
    let extent = n * SIDE;
    let lit = props.lit.filter(|column| column.size() == size).map(highlighted);
    // The ring must not hide the letter of a cell, so the letters are drawn above it.
    let asked = props.asked.map(|square| html! { <>{ ring(square) }<g>{ badges(drawn) }</g></> });
    html! {
        <svg
            id="board" ref={board} class={classes!("board", state)}
            viewBox={format!("0 0 {extent} {extent}")}
            role="grid" tabindex="0" aria-label={props.label.clone()} aria-describedby="board-help"
            aria-rowcount={n.to_string()} aria-colcount={n.to_string()} lang={language.id()}
            {onkeydown} {onfocusout}
            onmouseover={point(size, &props.act, Action::Ask)} onclick={point(size, &props.act, Action::Pin)} onmouseleave={leave}
        >
            <Patterns />
            { drawing(&ground, drawn, dead_end) }
            <Tools {size} told={&props.told} roving={*inside} />
            { for lit }
            { for asked }
            <rect class="frame" x="0" y="0" width={extent.to_string()} height={extent.to_string()} />
        </svg>
    }
}

/// Returns the square to focus after a key press, or `Some(None)` for the board itself; `None` if
/// the key means nothing here. Enter leads to the row `at_work`.
fn pressed(
    event: &KeyboardEvent,
    inside: Option<Square>,
    size: Size,
    at_work: u32,
) -> Option<Option<Square>> {
    if event.ctrl_key() || event.alt_key() || event.meta_key() {
        return None;
    }
    match (inside, event.key().as_str()) {
        (None, "Enter") => Some(Square::from_left(size, at_work, 0).ok()),
        (None, _) | (Some(_), "Tab") => None,
        (Some(_), "Escape") => Some(None),
        (Some(square), key) => neighbour(key, square).map(Some),
    }
}

/// A highlighted column.
fn highlighted(column: Column) -> Html {
    let x = (column.to_left() * SIDE).to_string();
    let height = (column.size().get() * SIDE).to_string();
    html! { <rect class="lit" {x} y="0" width={SIDE.to_string()} {height} /> }
}

/// Highlights the column of the square under the pointer, and asks about the square.
fn point(
    size: Size,
    act: &Callback<Action>,
    ask: fn(Option<Square>) -> Action,
) -> Callback<MouseEvent> {
    let act = act.clone();
    Callback::from(move |event: MouseEvent| {
        let square = square_of(size, event.target_dyn_into::<Element>());
        act.emit(Action::Light(square.map(Square::column)));
        act.emit(ask(square));
    })
}

/// The pointer targets of the board, which screen readers also use.
#[derive(Properties, PartialEq)]
struct ToolsProps {
    size: Size,
    told: Rc<[Row]>,
    /// The focused square.
    roving: Option<Square>,
}

#[component]
fn Tools(props: &ToolsProps) -> Html {
    let &ToolsProps { size, ref told, roving } = props;
    let rows = told.iter().map(|row| {
        let roving = roving.filter(|square| square.row() == row.row).map(Square::column);
        html! { <BoardRow key={row.row} {size} row={row.row} squares={row.squares.clone()} {roving} /> }
    });
    html! { <g role="rowgroup" class="tools">{ for rows }</g> }
}

/// A row of the board, rendered again only if it changes.
#[derive(Properties, PartialEq)]
struct RowProps {
    size: Size,
    /// The row number, from the top.
    row: u32,
    /// The squares from the left.
    squares: Vec<SquareStyle>,
    /// The column of the focused square.
    roving: Option<Column>,
}

#[component]
fn BoardRow(props: &RowProps) -> Html {
    let language = use_language();
    let row = props.row;
    let squares = Square::of_row(props.size, row).zip(&props.squares);
    let squares =
        squares.map(|(at, drawn)| square(language, at, *drawn, props.roving == Some(at.column())));
    html! {
        <g
            role="row" transform={format!("translate(0 {})", row * SIDE)} aria-label={tr!(language, "explore.row", row = row)}
        >
            { for squares }
        </g>
    }
}

/// A square as pointer target and grid cell.
fn square(language: Language, square: Square, drawn: SquareStyle, roving: bool) -> Html {
    let (row, column) = square.to_left();
    html! {
        <g
            role="gridcell" tabindex={if roving { "0" } else { "-1" }}
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

/// Describes a square: its position, its state, its sign and its cell.
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
