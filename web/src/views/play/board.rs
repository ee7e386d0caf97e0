//! The board on which the user places queens.

use gloo_events::EventListener;
use queens_core::{Column, Conflict, Size, Square, Unit};
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, KeyboardEvent};
use yew::prelude::*;

use super::model::picture::{Row, Spot, SpotState};
use crate::board::glyph;
use crate::board::lines::lines;
use crate::board::patterns::attacked;
use crate::board::squares::{SIDE, focus};
use crate::browser::{has_modifier, window};
use crate::parts::grid_navigation::{GridNavigation, use_grid_navigation};
use crate::words::{Language, grouped, tr, use_language};

#[derive(Properties, PartialEq)]
pub struct Props {
    pub size: Size,
    /// The rows from the top.
    pub rows: Vec<Row>,
    /// The conflicts that are drawn, each as a line between two queens.
    pub conflicts: Vec<Conflict>,
    /// A row or column without a free square, which is framed.
    pub blocked: Option<Unit>,
    /// Places a queen on a square or removes it, or a mark.
    pub toggle: Callback<Square>,
}

/// The board as a grid with a roving tab index. A click, Space or Enter changes a square.
#[component]
pub fn Board(props: &Props) -> Html {
    let language = use_language();
    let n = props.size.get();
    let size = props.size;
    let GridNavigation { board, at: roving, onclick, onkeydown, onfocusin } =
        use_grid_navigation(size, &props.toggle);
    use_effect_with((board.clone(), roving), |(board, roving)| {
        let listener = roving.and_then(|square| listen(board.clone(), square));
        move || drop(listener)
    });
    let rows = props.rows.iter().map(|row| {
        let roving = roving.filter(|square| square.row() == row.row).map(Square::column);
        html! { <BoardRow key={row.row} {size} row={row.clone()} {roving} /> }
    });
    let pairs = props.conflicts.iter().map(|&Conflict { first, second, .. }| (first, second));
    let is_full = props.rows.iter().all(|row| row.spots.iter().any(|spot| spot.queen));
    let solved = (is_full && props.conflicts.is_empty()).then_some("solved");
    let extent = (n * SIDE).to_string();
    html! {
        <svg
            id="board" ref={board} class={classes!("board", solved)} viewBox={format!("0 0 {extent} {extent}")}
            role="grid" aria-label={tr!(language, "play.board", n = n)} aria-describedby="play-help"
            aria-rowcount={n.to_string()} aria-colcount={n.to_string()} lang={language.id()}
            {onclick} {onkeydown} {onfocusin}
        >
            { for rows }
            // The lines would hide parts of the queens.
            { lines("conflict", SIDE.cast_signed() / 2, pairs) }
            { for props.blocked.map(|unit| frame(size, unit)) }
            <rect class="frame" x="0" y="0" width={extent.clone()} height={extent} />
        </svg>
    }
}

/// Leads to a square by the left or right arrow key while nothing has the focus. The other two scroll the page.
fn listen(board: NodeRef, square: Square) -> Option<EventListener> {
    let on_key = move |event: &Event| {
        let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        let is_free = target.is_some_and(|target| target.matches("body, main") == Ok(true));
        let Some(event) = event.dyn_ref::<KeyboardEvent>().filter(|_| is_free) else { return };
        let is_plain = !has_modifier(event) && !event.shift_key();
        if is_plain && matches!(event.key().as_str(), "ArrowLeft" | "ArrowRight") {
            focus(&board, square);
        }
    };
    let window = window()?;
    Some(EventListener::new(&window, "keydown", on_key))
}

/// Renders the frame of a row or column.
fn frame(size: Size, unit: Unit) -> Html {
    let long = size.get() * SIDE;
    let [x, y, width, height] = match unit {
        Unit::Row(row) => [0, row * SIDE, long, SIDE],
        Unit::Column(column) => [column.to_left() * SIDE, 0, SIDE, long],
    };
    let [x, y, width, height] = [x, y, width, height].map(|each| each.to_string());
    html! { <rect class="blocked" {x} {y} {width} {height} /> }
}

#[derive(Properties, PartialEq)]
struct RowProps {
    size: Size,
    row: Row,
    /// The column of the square to which Tab leads.
    roving: Option<Column>,
}

/// A row of the board, rendered again only if it changes.
#[component]
fn BoardRow(props: &RowProps) -> Html {
    let language = use_language();
    let Row { row, ref spots } = props.row;
    let squares = Square::of_row(props.size, row).zip(spots);
    let squares = squares
        .map(|(square, spot)| draw(language, square, *spot, props.roving == Some(square.column())));
    html! {
        <g
            role="row" transform={format!("translate(0 {})", row * SIDE)}
            aria-label={tr!(language, "explore.row", row = row)}
        >
            { for squares }
        </g>
    }
}

fn draw(language: Language, square: Square, spot: Spot, roving: bool) -> Html {
    let (row, column) = square.to_left();
    let dark = (!(row + column).is_multiple_of(2)).then_some("dark");
    html! {
        <g
            role="gridcell" tabindex={if roving { "0" } else { "-1" }}
            transform={format!("translate({} 0)", column * SIDE)}
            data-row={row.to_string()} data-column={column.to_string()} data-state={spot.state().id()}
            data-given={spot.given.then_some("true")} data-conflict={spot.conflict.then_some("true")}
            data-marked={spot.marked.then_some("true")}
            data-forced={spot.forced.map(|number| number.to_string())}
            aria-label={label(language, square, spot)}
        >
            <rect class={classes!("square", dark)} width="40" height="40" />
            if spot.attacked { { attacked() } }
            if spot.marked { <path class="mark" d="M13 13l14 14m0-14l-14 14" /> }
            if spot.given { <rect class="given" x="3" y="3" width="34" height="34" /> }
            if spot.queen || spot.shown { { glyph::queen() } }
            if let Some(left) = spot.left {
                { left_count(left) }
            } else if let Some(number) = spot.forced.filter(|_| !spot.shown) {
                { forced(number) }
            }
            <rect class="focus" x="1" y="1" width="38" height="38" />
        </g>
    }
}

/// Renders the number of solutions with a queen on a square. A long number is squeezed into its square.
fn left_count(left: u64) -> Html {
    let text = grouped(left);
    let width = (text.len() > 4).then_some("36");
    html! {
        <text
            class={classes!("left-count", (left == 0).then_some("none"))} x="20" y="25"
            textLength={width} lengthAdjust="spacingAndGlyphs" aria-hidden="true"
        >
            { text }
        </text>
    }
}

/// Renders the sign of a forced square.
pub fn forced(number: usize) -> Html {
    html! {
        <>
            <circle class="forced" cx="20" cy="20" r="11" />
            <text class="forced-number" x="20" y="24.5" aria-hidden="true">{ number }</text>
        </>
    }
}

/// Returns the accessible name of a square: its position, and its contents or state.
fn label(language: Language, square: Square, spot: Spot) -> String {
    let (row, column) = square.to_left();
    let what = match spot.state() {
        SpotState::Queen if spot.conflict => tr!(language, "play.is-conflict"),
        SpotState::Queen if spot.given => tr!(language, "play.is-given"),
        SpotState::Queen => tr!(language, "explore.is-queen"),
        SpotState::Shown => tr!(language, "play.is-shown"),
        SpotState::Attacked => tr!(language, "explore.is-attacked"),
        SpotState::Forced => {
            tr!(language, "play.is-forced", number = spot.forced.unwrap_or_default())
        }
        SpotState::Free => tr!(language, "explore.is-open"),
    };
    let what = match spot.left {
        Some(left) => tr!(language, "play.is-left", what = what, found = grouped(left)),
        None => what,
    };
    let what = if spot.marked { tr!(language, "play.is-marked", what = what) } else { what };
    tr!(language, "explore.square", row = row, column = column, what = what)
}
